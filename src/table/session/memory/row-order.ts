import { own } from "../../protocol/own.ts";
import type { HostRow } from "../table-host.ts";

/**
 * The rows in order of one column, equal ones as they stood; what is empty comes last in both directions. Numbers come
 * before texts, and texts compare as people order them, numbers in them by value.
 */
export function sortRows(rows: readonly HostRow[], column: string, descending: boolean): HostRow[] {
  const { ranks, highest } = ranksOf(rows, column);
  const count = rows.length;
  // Rank and place in one number: sorting plain numbers needs no comparing function, which is what takes long.
  const keys: number[] = [];
  const empty: HostRow[] = [];
  for (const [at, row] of rows.entries()) {
    const rank = ranks[at] ?? -1;
    if (rank < 0) empty.push(row);
    else keys.push((descending ? highest - rank : rank) * count + at);
  }
  const sorted: HostRow[] = [];
  for (const key of Float64Array.from(keys).sort()) {
    const row = rows[key % count];
    if (row !== undefined) sorted.push(row);
  }
  return sorted.concat(empty);
}

/** A whole number for each row's cell that orders as the cells do; -1 for an empty one. */
function ranksOf(rows: readonly HostRow[], column: string): { ranks: Int32Array; highest: number } {
  const numbers = new Float64Array(rows.length).fill(Number.NaN);
  const textIds = new Int32Array(rows.length).fill(-1);
  const texts = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    const value = own(row.cells, column);
    if (typeof value === "number") numbers[at] = value;
    else if (typeof value === "boolean") numbers[at] = value ? 1 : 0;
    else if (value !== undefined && value !== null && value !== "") {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      const id = texts.get(text) ?? texts.size;
      texts.set(text, id);
      textIds[at] = id;
    }
  }
  const inOrder = numbers.filter((number) => !Number.isNaN(number)).sort();
  const textRanks = rankTexts([...texts.keys()]);
  const ranks = textIds.map((id, at) => {
    if (id >= 0) return inOrder.length + (textRanks[id] ?? 0);
    const number = numbers[at] ?? Number.NaN;
    return Number.isNaN(number) ? -1 : firstNotBelow(inOrder, number);
  });
  return { ranks, highest: inOrder.length + texts.size };
}

/** The place of each text among them all in order. */
function rankTexts(texts: string[]): Int32Array {
  const keys = texts.map((text) => `${orderKey(text)}\0${text}`);
  const order = keys.map((_key, id) => id);
  order.sort((a, b) => ((keys[a] ?? "") < (keys[b] ?? "") ? -1 : 1));
  const ranks = new Int32Array(texts.length);
  for (const [rank, id] of order.entries()) ranks[id] = rank;
  return ranks;
}

/** A text that compares by code units as people order the original, the same in every runtime. */
function orderKey(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins at 0.
  const plain = /^[\x00-\x7f]*$/.test(text) ? text : text.normalize("NFD").replace(/\p{M}/gu, "");
  return plain.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(16, "0"));
}

function firstNotBelow(sorted: Float64Array, number: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
