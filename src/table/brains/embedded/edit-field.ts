import type { Clause } from "./clause.ts";
import { type Context, pickField } from "./context.ts";
import { dateAt } from "./dates.ts";
import type { Field } from "./field.ts";
import type { Option } from "./lexicon.ts";
import { numberAt, type SaidNumber } from "./numbers.ts";
import { NotUnderstood } from "./pause.ts";
import { numberField, usable } from "./pick-field.ts";

/** The option meant of those that can be written. Asks where several columns have it. */
export function writableOption(context: Context, options: readonly Option[], said: string): Option {
  usable(
    options.map(({ field }) => field),
    "edit",
  );
  const fit = options.filter(({ field }) => field.column?.writable);
  const field = pickField(
    context,
    fit.map((option) => option.field),
    said,
  );
  const option = fit.find((one) => one.field === field);
  if (option === undefined) throw new NotUnderstood(said);
  return option;
}

/**
 * The column a clause names for its value, which it takes: one after a possessive, before `of` or `for`, or at the end;
 * never one that a condition on rows needs.
 */
export function editField(context: Context, clause: Clause, kind: "number" | "any"): Field | null {
  for (let at = 0; at < clause.length; at++) {
    if (clause.word(at) === "") continue;
    const mention = context.lexicon.fieldsAt(clause.tokens, at);
    if (mention === null) continue;
    const options = context.lexicon.optionsAt(clause.tokens, at);
    const owned = clause.tokens[at - 1]?.possessive === true;
    const leads =
      at === 0 ||
      (at === 1 && /^(?:the|a|an)$/.test(clause.word(0))) ||
      /^(?:the|their|his|her|its)$/.test(clause.word(at - 1));
    const of = /^(?:of|for|on|from|in)$/.test(clause.word(mention.next));
    const ends = mention.next === clause.length;
    if (options !== null && !(owned && mention.strength === 3) && !(of && mention.strength > 1)) continue;
    const isColumn =
      owned ||
      (leads && (of || mention.strength === 3)) ||
      (ends && mention.strength > 1) ||
      (of && mention.strength > 1);
    const fit = mention.fields.filter((field) => kind === "any" || field.kind === kind);
    const own = fit.filter((field) => field !== context.lexicon.title || owned || of);
    if (!isColumn || own.length === 0) continue;
    const field = pickField(context, usable(own, "edit"), clause.raw(at, mention.next));
    clause.take(at, mention.next);
    if (of) clause.take(mention.next);
    return field;
  }
  return null;
}

/** The column a value belongs to when none was named. */
export function impliedField(
  context: Context,
  clause: Clause,
  verb: string,
  from: number,
  end: number,
): Field | null {
  const { lexicon } = context;
  let at = from;
  while (/^(?:the|a|an|be)$/.test(clause.word(at))) at++;
  const mention = lexicon.fieldsAt(clause.tokens, at);
  const option = lexicon.optionsAt(clause.tokens, at);
  if (option !== null) return writableOption(context, option.options, clause.raw(at, option.next)).field;
  const flags = mention?.fields.filter(({ kind }) => kind === "boolean") ?? [];
  if (flags.length > 0) return pickField(context, usable(flags, "edit"), clause.raw(at, end));
  if (verb === "rename") return renamed(context);
  if (/^(?:assign|reassign|give|hand|transfer)$/.test(verb)) {
    const handlers = lexicon.fields.filter(({ concepts }) => concepts.includes("handler"));
    if (handlers.length > 0) return pickField(context, usable(handlers, "edit"), verb);
  }
  const number = numberAt(clause.tokens, at);
  if (dateAt(clause.tokens, at, context.today) !== null) {
    const dates = lexicon.fields.filter(({ kind, column }) => kind === "date" && column?.writable);
    return pickField(context, dates, clause.raw(at, end));
  }
  return number === null ? null : moneyField(context, number, clause.raw(from, end));
}

/** The column a sum is for when nobody named one. */
export function moneyField(context: Context, number: SaidNumber, said: string): Field {
  const writable = context.lexicon.fields.filter(({ kind, column }) => kind === "number" && column?.writable);
  if (writable.length > 0) return numberField(context, [], { money: number.money ?? "likely" }, "edit", said);
  const numbers = context.lexicon.fields.filter(({ kind }) => kind === "number");
  return usable(numbers, "edit")[0] ?? pickField(context, [], said);
}

function renamed(context: Context): Field {
  const { lexicon } = context;
  const names = lexicon.fields.filter(
    ({ id, label }) => /^(?:name|title|subject)$/i.test(id) || /^(?:name|title|subject)$/i.test(label),
  );
  return pickField(
    context,
    usable(names.length > 0 ? names : lexicon.title === undefined ? [] : [lexicon.title], "edit"),
    "rename",
  );
}

/** Past the column's own name in its value: `to the Growth team`, `to high priority`. */
export function skipField(context: Context, clause: Clause, field: Field | undefined, from: number): number {
  const mention =
    field === undefined || clause.word(from) === "" ? null : context.lexicon.fieldsAt(clause.tokens, from);
  return mention !== null &&
    field !== undefined &&
    mention.fields.includes(field) &&
    context.lexicon.optionsAt(clause.tokens, from) === null
    ? mention.next
    : from;
}
