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

/** A value for a cell, and the token after it. */
export interface SaidValue {
  value: Json;
  next: number;
}

/** What a cell is set to by tokens up to `end`, in the column's own form. Refuses what does not fit it. */
export function cellValue(
  context: Context,
  clause: Clause,
  field: Field,
  start: number,
  end: number,
): SaidValue {
  const { tokens } = clause;
  const from = skipArticles(clause, start, field.kind === "text" || field.kind === "other");
  const raw = clause.raw(from, end).trim();
  if (field.kind === "number") {
    const number = numberAt(tokens, from);
    if (number === null || number.next > end || number.percent)
      throw new Refusal(`${field.label} takes a number, and "${raw}" is none.`);
    return { value: number.value, next: number.next };
  }
  if (field.kind === "date") {
    const date = dateAt(tokens, from, context.today) ?? yearAt(tokens, from);
    if (date === null || date.span.from !== date.span.to)
      throw new Refusal(`${field.label} takes a day, and "${raw}" is none.`);
    return { value: date.span.from, next: date.next };
  }
  if (field.kind === "boolean") {
    const word = fold(clause.raw(from, from + 1));
    if (!/^(?:yes|no|true|false|on|off)$/.test(word))
      throw new Refusal(`${field.label} is yes or no, and "${raw}" is neither.`);
    return { value: isTrue(word === "on" ? "yes" : word), next: from + 1 };
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
): SaidValue {
  if (raw === "") throw new Refusal(`I did not get what ${field.label} is to be.`);
  if (field.options.length === 0) return { value: raw, next: end };
  const mention = context.lexicon.optionsAt(clause.tokens, from);
  const named = mention?.options.find((option) => option.field === field);
  if (mention !== null && named !== undefined) return { value: named.value, next: mention.next };
  if (field.filter?.optionsOmitted) return { value: raw, next: end };
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
