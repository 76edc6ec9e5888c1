import type { PlantedRow } from "./plan.ts";

/** Characters of JSON in one planting chunk; a bound value holds 2 MB and a character can be 3 bytes. */
const plantingChunkLength = 400_000;

/** Base rows as the chunks a trial plants: JSON of `PlantedRow[]`, each short enough for one statement. */
export function* plantingChunks(rows: Iterable<PlantedRow>): Iterable<string> {
  let parts: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (length + text.length > plantingChunkLength && parts.length > 0) {
      yield `[${parts.join(",")}]`;
      parts = [];
      length = 0;
    }
    parts.push(text);
    length += text.length;
  }
  if (parts.length > 0) yield `[${parts.join(",")}]`;
}
