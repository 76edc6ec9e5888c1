import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import type { IconName } from "../../../ui/icon.tsx";

/** A button with a panel below it. Escape and a press elsewhere close it; the keyboard goes into it and back. */
export function Popover({
  label,
  icon,
  count,
  title,
  children,
}: {
  label: string;
  icon?: IconName;
  /** How many things are on, shown beside the label. */
  count?: number;
  title: string;
  children: (close: () => void) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    root.current?.querySelector<HTMLElement>(":scope > button")?.focus();
  };
  useEffect(() => {
    if (!open) return;
    panel.current?.focus();
    const elsewhere = (event: PointerEvent) => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false) setOpen(false);
    };
    addEventListener("pointerdown", elsewhere);
    return () => removeEventListener("pointerdown", elsewhere);
  }, [open]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for what is inside it to leave.
    <div
      className="popover"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.stopPropagation();
        close();
      }}
      onBlur={(event) => {
        const to = event.relatedTarget;
        if (to instanceof Node && !event.currentTarget.contains(to)) setOpen(false);
      }}
    >
      <Button
        small
        aria-expanded={open}
        aria-controls={id}
        aria-haspopup="dialog"
        {...(icon === undefined ? {} : { icon })}
        onClick={() => setOpen(!open)}
      >
        {label}
        {count !== undefined && count > 0 && <span className="popover-count">{count}</span>}
      </Button>
      {open && (
        <div ref={panel} id={id} role="dialog" aria-label={title} tabIndex={-1} className="popover-panel">
          <h2 className="popover-title">{title}</h2>
          {children(close)}
        </div>
      )}
    </div>
  );
}
