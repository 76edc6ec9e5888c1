import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** This near to its end a pane counts as being there, pixels. */
const nearPx = 48;

/**
 * Keeps a pane at its end while it grows, until the reader scrolls away from it; coming back to the end resumes.
 * `version` changes with the content; `growing`: it also grows between two versions. Not `enabled`: it stays at its top.
 */
export function useStickyScroll(
  version: unknown,
  growing: boolean,
  enabled: boolean,
): {
  pane: RefObject<HTMLElement | null>;
  content: RefObject<HTMLDivElement | null>;
  away: boolean;
  toEnd: () => void;
} {
  const pane = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const busy = useRef(growing);
  busy.current = growing;
  const [away, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const element = pane.current;
    if (element === null) return;
    stuck.current = true;
    element.scrollTop = element.scrollHeight;
    setAway(false);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is the reason, not an input.
  useLayoutEffect(() => {
    if (stuck.current && enabled) toEnd();
  }, [version, enabled, toEnd]);

  useEffect(() => {
    const element = pane.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    const onScroll = () => {
      stuck.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
      setAway(!stuck.current);
    };
    // Texts are laid out a moment after they are told. What the reader unfolds does not move the page.
    const observer = new ResizeObserver(() => {
      if (stuck.current && busy.current) element.scrollTop = element.scrollHeight;
      else onScroll();
    });
    element.addEventListener("scroll", onScroll, { passive: true });
    observer.observe(inner);
    return () => {
      element.removeEventListener("scroll", onScroll);
      observer.disconnect();
    };
  }, []);

  return { pane, content, away, toEnd };
}
