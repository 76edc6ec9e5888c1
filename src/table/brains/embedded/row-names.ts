import type { Json } from "../../../turn/json.ts";
import type { Context } from "./context.ts";
import type { Field } from "./field.ts";
import { ownValue } from "./own-value.ts";
import type { Row } from "./rows.ts";
import { cellText } from "./wording.ts";
import { fold, stemOf } from "./words.ts";

/** Columns of words that can be read, the one that names rows first. */
export function textFields({ lexicon }: Context, most = 12): Field[] {
  const texts = lexicon.fields.filter(
    ({ column, kind }) =>
      column?.readable &&
      (kind === "text" || kind === "option" || kind === "other") &&
      column.type !== "date",
  );
  const { title } = lexicon;
  return [...texts.filter((field) => field === title), ...texts.filter((field) => field !== title)].slice(
    0,
    most,
  );
}

/** What a row is called: the cell of the column that names rows, else its key. */
export function rowName({ lexicon }: Context, row: Row): string {
  const cell = lexicon.title === undefined ? null : ownValue(row.cells, lexicon.title.id);
  return cell === null || cell === "" ? row.key : cellText(cell);
}

/** Whether all words of a phrase are words of a cell, plural or not. */
export function cellSays(cell: Json, phrase: string): boolean {
  if (cell === null || cell === "") return false;
  const words = wordsIn(Array.isArray(cell) ? cell.join(" ") : String(cell));
  const said = wordsIn(phrase);
  return (
    said.length > 0 &&
    said.every((word) => words.includes(word) || words.some((other) => stemOf(other) === stemOf(word)))
  );
}

/** Rows that a phrase names: by key or by the column that names rows, else by any column of words. */
export function rowsNamed(context: Context, rows: readonly Row[], phrase: string): Row[] {
  const { title } = context.lexicon;
  const wanted = fold(phrase);
  const exact = rows.filter(
    (row) =>
      fold(row.key) === wanted ||
      (title !== undefined && fold(String(ownValue(row.cells, title.id))) === wanted),
  );
  if (exact.length > 0) return exact;
  const named =
    title === undefined ? [] : rows.filter((row) => cellSays(ownValue(row.cells, title.id), phrase));
  if (named.length > 0) return named;
  return rows.filter((row) =>
    textFields(context).some(({ id }) => cellSays(ownValue(row.cells, id), phrase)),
  );
}

function wordsIn(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? [];
}
