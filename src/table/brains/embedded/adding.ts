import type { Json } from "../../../turn/json.ts";
import type { Clause } from "./clause.ts";
import { type Context, demandWrite } from "./context.ts";
import { dateAt } from "./dates.ts";
import type { Draft } from "./draft.ts";
import type { Field } from "./field.ts";
import { noteFrom } from "./note.ts";
import { numberAt } from "./numbers.ts";
import { NotUnderstood, Refusal } from "./pause.ts";
import { numberField, usable } from "./pick-field.ts";
import { findTarget } from "./target.ts";
import { cellValue } from "./value.ts";
import { cellText, listText } from "./wording.ts";

/** Understands a wish for a new row, or for a text to be put into a cell. True when the clause is one. */
export function takeAdd(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(
    /(?:add|create|insert|new|open|register|enter)(?: (?:in|up))?(?: (?:a|an|another))?(?: new)?/,
  );
  if (found === null || found.start > 1) return false;
  const verb = clause.word(found.start);
  const nounAt = clause.word(found.end);
  const noun = nounAt !== "" && context.lexicon.isRowNoun(nounAt);
  if (verb === "add" || verb === "enter" || verb === "insert") {
    const note = noteFrom(context, clause, found.end);
    if (note !== null) {
      demandWrite(context, "edit.cells", `change ${note.field.label}`);
      usable([note.field], "edit");
      const { rows } = findTarget(context, note.target, draft, [note.field.id]);
      if (rows === undefined) throw new Refusal("Name the row that the text is for.");
      for (const { key } of rows) draft.edits.push({ rowKey: key, column: note.field.id, value: note.value });
      draft.doing.push(`asking to set ${note.field.label} to "${note.value}"`);
      return true;
    }
    if (clause.has(/columns?|filters?|sort|more|%|percent/) && !noun) return false;
  } else if (
    !noun ||
    (verb === "new" && !clause.has(/:|with|named|called/)) ||
    (verb === "open" && !clause.has(/new/))
  )
    return false;
  demandWrite(context, "rows.add", "add rows");
  const cells = newCells(context, clause, noun ? found.end + 1 : found.end);
  if (cells.size === 0) throw new NotUnderstood("what the new row is to hold", true);
  for (const [field] of cells)
    if (field.column?.writable !== true)
      throw new Refusal(`${field.label} cannot be set in this table, so I cannot add that row.`);
  draft.last.push({
    name: "rows.add",
    args: { rows: [Object.fromEntries([...cells].map(([{ id }, value]) => [id, value]))] },
  });
  draft.doing.push(
    `asking to add a row with ${listText([...cells].map(([{ label }, value]) => `${label} ${cellText(value)}`))}`,
  );
  return true;
}

/** Values of a new row: each behind its column, or told apart by their kind; what is left first names the row. */
function newCells(context: Context, clause: Clause, from: number): Map<Field, Json> {
  const cells = new Map<Field, Json>();
  let at = from;
  let loose = -1;
  const named = (end: number) => {
    const { title } = context.lexicon;
    const text = loose < 0 ? "" : clause.raw(loose, end).trim();
    if (text !== "" && title !== undefined && !cells.has(title)) cells.set(title, text);
    loose = -1;
  };
  while (at < clause.length) {
    const next = cellAt(context, clause, at, cells);
    if (next !== null) {
      named(at);
      at = next;
      continue;
    }
    const word = clause.word(at);
    if (isSeparator(word)) named(at);
    else if (loose < 0 && cells.size === 0) loose = at;
    at++;
  }
  named(clause.length);
  return cells;
}

function cellAt(context: Context, clause: Clause, at: number, cells: Map<Field, Json>): number | null {
  const { lexicon } = context;
  if (clause.word(at) === "as" || clause.word(at) === "a") {
    const jobs = lexicon.fields.filter(
      (field) => field.kind === "text" && field.concepts.includes("job") && !cells.has(field),
    );
    const [job] = jobs;
    const from = /^(?:a|an)$/.test(clause.word(at + 1)) ? at + 2 : at + 1;
    if (clause.word(at) === "as" && job !== undefined && lexicon.optionsAt(clause.tokens, from) === null)
      return put(context, clause, cells, job, from, valueEnd(clause, from));
  }
  const option = lexicon.optionsAt(clause.tokens, at);
  const mention = lexicon.fieldsAt(clause.tokens, at);
  const named = mention?.fields.find(
    (field) =>
      field.column !== undefined &&
      !cells.has(field) &&
      field.column.readable &&
      (field !== lexicon.title || mention.strength === 3),
  );
  if (mention !== null && named !== undefined && (option === null || mention.next > option.next)) {
    let from = mention.next;
    while (/^(?:is|=|:|of|in|to|at|as|with)$/.test(clause.word(from))) from++;
    if (from < clause.length && !isSeparator(clause.word(from)))
      return put(context, clause, cells, named, from, valueEnd(clause, from));
    return null;
  }
  const choice = option?.options.find(({ field }) => !cells.has(field));
  if (option !== null && choice !== undefined) {
    cells.set(choice.field, choice.value);
    const after = lexicon.fieldsAt(clause.tokens, option.next);
    return after?.fields.includes(choice.field) ? after.next : option.next;
  }
  return looseValue(context, clause, at, cells);
}

/** A date or a sum of money that says by itself which column it is for. */
function looseValue(context: Context, clause: Clause, at: number, cells: Map<Field, Json>): number | null {
  const date = dateAt(clause.tokens, at, context.today);
  const dates = context.lexicon.fields.filter(({ kind, column }) => kind === "date" && column?.writable);
  const [only] = dates;
  if (date !== null && only !== undefined && dates.length === 1 && date.span.from === date.span.to) {
    cells.set(only, date.span.from);
    return date.next;
  }
  const number = numberAt(clause.tokens, at);
  if (number === null) return null;
  const field = numberField(
    context,
    [],
    { money: number.money ?? "likely" },
    "edit",
    clause.raw(at, number.next),
  );
  if (cells.has(field)) return null;
  cells.set(field, number.value);
  return number.next;
}

function put(
  context: Context,
  clause: Clause,
  cells: Map<Field, Json>,
  field: Field,
  from: number,
  end: number,
): number {
  cells.set(field, cellValue(context, clause, field, from, end).value);
  return end;
}

function valueEnd(clause: Clause, from: number): number {
  if (clause.tokens[from]?.kind === "quoted") return from + 1;
  let end = from + 1;
  while (end < clause.length && !isSeparator(clause.word(end))) end++;
  return end;
}

function isSeparator(word: string): boolean {
  return /^(?:,|;|and|with|in|to|for|from|based|:|\.|please|who|starting|called|named|at|on|as)$/.test(word);
}
