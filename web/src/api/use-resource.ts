import { useCallback, useEffect, useRef, useState } from "react";
import { useToken } from "./token.ts";

export interface Resource<T> {
  /** Newest answer; stays while it is asked for again. */
  data: T | null;
  /** Why the newest attempt failed; `data` may still hold an older answer. */
  error: unknown;
  loading: boolean;
  reload: () => void;
}

/**
 * What `load` answers, loaded again when `key` or the token changes, and every `everyMs` while the page is in view. A
 * null key loads nothing. An answer that comes after the key changed is dropped.
 */
export function useResource<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  options: { everyMs?: number } = {},
): Resource<T> {
  const { token } = useToken();
  const [state, setState] = useState<{
    key: string | null;
    data: T | null;
    error: unknown;
    loading: boolean;
  }>({
    key,
    data: null,
    error: null,
    loading: key !== null,
  });
  const [round, setRound] = useState(0);
  const newest = useRef(load);
  newest.current = load;
  const { everyMs } = options;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the token and a new round are reasons to ask again.
  useEffect(() => {
    if (key === null) {
      setState({ key, data: null, error: null, loading: false });
      return;
    }
    const abort = new AbortController();
    setState((before) => ({
      key,
      data: before.key === key ? before.data : null,
      error: before.key === key ? before.error : null,
      loading: true,
    }));
    newest.current(abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) setState({ key, data, error: null, loading: false });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setState((before) => ({ ...before, error, loading: false }));
      },
    );
    return () => abort.abort();
  }, [key, token, round]);

  const reload = useCallback(() => setRound((now) => now + 1), []);
  useEffect(() => {
    if (everyMs === undefined || key === null) return;
    const look = () => {
      if (document.visibilityState === "visible") reload();
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [everyMs, key, reload]);

  // Until the effect has run, the state still belongs to the key before.
  const fresh = state.key === key;
  return {
    data: fresh ? state.data : null,
    error: fresh ? state.error : null,
    loading: fresh ? state.loading : key !== null,
    reload,
  };
}
