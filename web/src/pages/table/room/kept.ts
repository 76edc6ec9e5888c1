import type { CellEdit, MemoryView, TablePolicy } from "../../../../../src/table/index.ts";
import type { JsonObject } from "../../../../../src/turn/json.ts";
import type { Turn } from "./turn.ts";

/** What of a table outlives a reload, in this tab: rows are made again, and what was saved is laid over them. */
export interface Kept {
  version: 1;
  view: Partial<MemoryView>;
  policy: TablePolicy;
  columns: Record<string, { readable: boolean; writable: boolean }>;
  saved: { edited: Record<string, JsonObject>; added: JsonObject[]; deleted: string[] };
  staged: CellEdit[];
  turns: Turn[];
}

/** Turns kept; older ones are only talk. */
export const maxKeptTurns = 50;

const keyOf = (tableId: string) => `greenroom.table.${tableId}`;

/** What was kept of a table; null when nothing was, or it is of another version of this page. */
export function readKept(tableId: string): Kept | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(tableId)) ?? "null") as Kept | null;
    return kept?.version === 1 ? kept : null;
  } catch {
    return null;
  }
}

/** Keeps it in this tab; `null` forgets it. A browser that stores nothing, or no more, forgets it with the page. */
export function keep(tableId: string, kept: Kept | null): void {
  try {
    if (kept === null) sessionStorage.removeItem(keyOf(tableId));
    else sessionStorage.setItem(keyOf(tableId), JSON.stringify(kept));
  } catch {
    // Nothing depends on it.
  }
}

/** A backend that a person connected: address and token, in this tab's session storage and nowhere else. */
export interface KeptBackend {
  endpoint: string;
  token: string;
}

const backendKey = "greenroom.table.backend";

export function readBackend(): KeptBackend | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(backendKey) ?? "null") as KeptBackend | null;
    return typeof kept?.endpoint === "string" && typeof kept.token === "string" ? kept : null;
  } catch {
    return null;
  }
}

export function keepBackend(backend: KeptBackend | null): void {
  try {
    if (backend === null) sessionStorage.removeItem(backendKey);
    else sessionStorage.setItem(backendKey, JSON.stringify(backend));
  } catch {
    // Nothing depends on it.
  }
}
