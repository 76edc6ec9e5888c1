import { useSyncExternalStore } from "react";

/** Where the console is: the part of the address after `#/`. */
export interface Place {
  /** Segments, decoded, such as `["rehearsals", "run_1"]`; empty at home. */
  path: string[];
  query: URLSearchParams;
}

/**
 * Addresses live in the fragment: every other path stays the API's, and one that does not exist stays a 404 for whoever
 * has the wrong base address.
 */
export function href(path: string[], query: Record<string, string | undefined> = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") params.set(name, value);
  const text = params.toString();
  return `#/${path.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
}

/** Goes to another place of the console. `replace` leaves no step to go back to. */
export function go(to: string, options: { replace?: boolean } = {}): void {
  if (options.replace === true) {
    history.replaceState(null, "", to);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = to;
}

/** The place the address names; renders again when it changes. */
export function usePlace(): Place {
  return readPlace(useSyncExternalStore(subscribe, () => location.hash));
}

function readPlace(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
