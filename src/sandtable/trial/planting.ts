import type { PlantedRow } from "./plan.ts";

/** Characters of JSON in one planting chunk; a bound value holds 2 MB and a character can be 3 bytes. */
const plantingChunkLength = 400_000;

/**
 * Base rows as the chunks a trial plants, each short enough for one statement: JSON of tables, keys and the rows' own
 * JSON as texts, `{"loads":{"L-1":"{…}"}}`. Texts, since a trial's database then copies a row instead of reading it.
 */
export function* plantingChunks(rows: Iterable<PlantedRow>): Iterable<string> {
  let parts: string[] = [];
  let length = 0;
  let open: string | null = null;
  for (const [table, key, row] of rows) {
    const text = `${JSON.stringify(key)}:${JSON.stringify(JSON.stringify(row))}`;
    if (length + text.length > plantingChunkLength && parts.length > 0) {
      yield `{${parts.join("")}}}`;
      parts = [];
      length = 0;
      open = null;
    }
    if (table === open) parts.push(",", text);
    else parts.push(open === null ? "" : "},", JSON.stringify(table), ":{", text);
    open = table;
    length += text.length;
  }
  if (parts.length > 0) yield `{${parts.join("")}}}`;
}
