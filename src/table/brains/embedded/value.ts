import type { Json } from "../../../turn/json.ts";
import type { Clause } from "./clause.ts";
import { isTrue } from "./condition.ts";
import type { Context } from "./context.ts";
import { dateAt, yearAt } from "./dates.ts";
import type { Field } from "./field.ts";
import { numberAt } from "./numbers.ts";
import { Refusal } from "./pause.ts";
import { listText } from "./wording.ts";
import { fold } from "./words.ts";

/** What a cell is set to by the tokens from one to another, in the column's own form. Refuses what does not fit it. */
export function cellValue(context: Context, clause: Clause, field: Field, start: number, end: number): Json {
  const { tokens } = clause;
  const from = skipArticles(clause, start, field.kind === "text" || field.kind === "other");
  const raw = clause.raw(from, end).trim();
  if (field.kind === "number") {
    const number = numberAt(tokens, from);
    if (number === null || number.next > end)
      throw new Refusal(`${field.label} takes a number, and "${raw}" is none.`);
    return number.value;
  }
  if (field.kind === "date") {
    const date = dateAt(tokens, from, context.today) ?? yearAt(tokens, from);
    if (date === null || date.span.from !== date.span.to)
      throw new Refusal(`${field.label} takes a day, and "${raw}" is none.`);
    return date.span.from;
  }
  if (field.kind === "boolean") {
    const word = fold(raw);
    if (!/^(?:yes|no|true|false|on|off|1|0)$/.test(word))
      throw new Refusal(`${field.label} is yes or no, and "${raw}" is neither.`);
    return isTrue(word === "on" ? "yes" : word);
  }
  return optionValue(context, clause, field, from, end, raw);
}

function optionValue(
  context: Context,
  clause: Clause,
  field: Field,
  from: number,
  end: number,
  raw: string,
): Json {
  if (raw === "") throw new Refusal(`I did not get what ${field.label} is to be.`);
  if (field.options.length === 0) return raw;
  const mention = context.lexicon.optionsAt(clause.tokens, from);
  const named = mention?.options.find((option) => option.field === field);
  if (named !== undefined) return named.value;
  if (field.filter?.optionsOmitted) return raw;
  const labels = field.options.map(({ label }) => label);
  throw new Refusal(
    `${field.label} has no value "${clause.raw(from, end)}"; it has ${listText(labels, 24)}.`,
  );
}

function skipArticles(clause: Clause, start: number, isText: boolean): number {
  let at = start;
  while (!isText && /^(?:the|a|an|be|to|as|of|is|=|:)$/.test(clause.word(at))) at++;
  return at;
}
