import type { Json } from "../../../turn/json.ts";
import type { HostRow } from "../table-host.ts";

/**
 * The rows in order of one column, equal ones as they stood; what is empty comes last in both directions. Texts compare
 * as people order them, numbers in them by value.
 */
export function sortRows(rows: readonly HostRow[], column: string, descending: boolean): HostRow[] {
  const ranks = ranksOf(rows, column);
  const places = rows.map((_row, at) => at);
  const sign = descending ? -1 : 1;
  places.sort((a, b) => {
    const [rankA = Number.NaN, rankB = Number.NaN] = [ranks[a], ranks[b]];
    const emptyA = Number.isNaN(rankA);
    if (emptyA || Number.isNaN(rankB)) return emptyA === Number.isNaN(rankB) ? a - b : emptyA ? 1 : -1;
    return rankA === rankB ? a - b : rankA < rankB ? -sign : sign;
  });
  return places.flatMap((at) => rows[at] ?? []);
}

/** A number for each row's cell that orders as the cells do; NaN for an empty one. */
function ranksOf(rows: readonly HostRow[], column: string): Float64Array {
  const ranks = new Float64Array(rows.length).fill(Number.NaN);
  const texts = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    const value = row.cells[column];
    if (typeof value === "number") ranks[at] = value;
    else if (typeof value === "boolean") ranks[at] = value ? 1 : 0;
    else if (value !== undefined && value !== null && value !== "") texts.set(textOf(value), 0);
  }
  if (texts.size === 0) return ranks;
  // There are fewer texts than rows, so each is ranked once. They come after numbers.
  const keys = [...texts.keys()].map((text) => ({ text, key: orderKey(text) }));
  keys.sort((a, b) => (a.key === b.key ? (a.text < b.text ? -1 : 1) : a.key < b.key ? -1 : 1));
  keys.forEach(({ text }, rank) => {
    texts.set(text, 1e300 * (1 + rank / keys.length));
  });
  for (const [at, row] of rows.entries()) {
    const value = row.cells[column];
    const rank =
      typeof value === "number" || typeof value === "boolean" ? undefined : texts.get(textOf(value));
    if (rank !== undefined) ranks[at] = rank;
  }
  return ranks;
}

/** A text that compares by code units as people order the original, the same in every runtime. */
function orderKey(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins at 0.
  const plain = /^[\x00-\x7f]*$/.test(text) ? text : text.normalize("NFD").replace(/\p{M}/gu, "");
  return plain.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(16, "0"));
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
