import { useSyncExternalStore } from "react";

const key = "greenroom.threads";
/** Most threads kept for an agent; the oldest leave the list, not the Worker. */
const most = 100;
const maxTitle = 80;

/** A conversation this browser has had. */
export interface ThreadEntry {
  id: string;
  title: string;
  /** When something was last said, ISO 8601. */
  at: string;
  /** The label of the model that answered last. */
  model?: string;
}

interface Kept {
  threads: { [agent: string]: ThreadEntry[] };
  lastAgent: string | null;
}

let kept: Kept | null = null;
const listeners = new Set<() => void>();

/** The threads of an agent, newest first. */
export function useThreads(agent: string): readonly ThreadEntry[] {
  return useSyncExternalStore(subscribe, () => threadsOf(agent));
}

const none: ThreadEntry[] = [];

export function threadsOf(agent: string): ThreadEntry[] {
  const { threads } = read();
  return Object.hasOwn(threads, agent) ? (threads[agent] ?? none) : none;
}

/** The agent that was talked to last. */
export function lastAgent(): string | null {
  return read().lastAgent;
}

export function setLastAgent(agent: string): void {
  if (read().lastAgent !== agent) write({ ...read(), lastAgent: agent });
}

/** Notes that something was said in a thread; the first message is its title. */
export function noteThread(agent: string, id: string, said: string): void {
  const list = threadsOf(agent);
  const known = list.find((one) => one.id === id);
  const title = known?.title ?? titleOf(said);
  put(agent, [{ ...known, id, title, at: new Date().toISOString() }, ...list.filter((one) => one.id !== id)]);
}

export function changeThread(agent: string, id: string, parts: Partial<Omit<ThreadEntry, "id">>): void {
  put(
    agent,
    threadsOf(agent).map((one) => (one.id === id ? { ...one, ...parts } : one)),
  );
}

export function forgetThread(agent: string, id: string): void {
  put(
    agent,
    threadsOf(agent).filter((one) => one.id !== id),
  );
}

/** A new thread's id. */
export function newThreadId(): string {
  return newId("chat");
}

export function newId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `${prefix}_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function titleOf(said: string): string {
  const line = said.trim().replaceAll(/\s+/g, " ");
  return line.length > maxTitle ? `${line.slice(0, maxTitle)}…` : line || "Untitled";
}

function put(agent: string, list: ThreadEntry[]): void {
  const { threads, ...rest } = read();
  write({ ...rest, threads: { ...threads, [agent]: list.slice(0, most) } });
}

function read(): Kept {
  kept ??= readKept();
  return kept;
}

function readKept(): Kept {
  try {
    const value = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<Kept> | null;
    return { threads: value?.threads ?? {}, lastAgent: value?.lastAgent ?? null };
  } catch {
    // Nothing that can be read is nothing kept.
    return { threads: {}, lastAgent: null };
  }
}

function write(next: Kept): void {
  kept = next;
  try {
    localStorage.setItem(key, JSON.stringify(next));
  } catch {
    // A browser that keeps nothing has the list until the page is closed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const elsewhere = (event: StorageEvent) => {
    if (event.key !== key) return;
    kept = null;
    listener();
  };
  addEventListener("storage", elsewhere);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", elsewhere);
  };
}
