import { useSyncExternalStore } from "react";
import type { Tone } from "./badge.tsx";
import { Icon } from "./icon.tsx";

export interface Toast {
  tone: Tone;
  text: string;
}

/** How long one stays, milliseconds: long enough to read a sentence twice. */
const stayMs = 6_000;

let shown: (Toast & { id: number })[] = [];
let newest = 0;
const listeners = new Set<() => void>();

/** Says something in passing, in the corner. For what a person must not miss, use the page itself. */
export function toast(one: Toast): void {
  newest += 1;
  const id = newest;
  show([...shown.slice(-3), { ...one, id }]);
  setTimeout(() => show(shown.filter((other) => other.id !== id)), stayMs);
}

function show(next: typeof shown): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** Where toasts appear; once in the page. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <div className="toaster" role="status" aria-live="polite">
      {toasts.map(({ id, tone, text }) => (
        <p key={id} className={`toast tone-${tone}`}>
          <Icon name={tone === "bad" ? "alert" : tone === "ok" ? "check" : "info"} size={16} />
          {text}
        </p>
      ))}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
