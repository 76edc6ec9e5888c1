import type { Clause } from "./clause.ts";
import { type Context, pickField } from "./context.ts";
import { isCount, unitAt } from "./dates.ts";
import type { Draft } from "./draft.ts";
import { editField } from "./edit-field.ts";
import type { Field } from "./field.ts";
import { numberAt } from "./numbers.ts";
import { Refusal } from "./pause.ts";
import { numberField, usable } from "./pick-field.ts";
import { type Change, writeCells } from "./write-cells.ts";

const down = /^(?:lower|cut|reduce|decrease|drop)$/;
const multiples: ReadonlyMap<string, number> = new Map([
  ["double", 2],
  ["triple", 3],
  ["halve", 0.5],
]);

/** `raise Ana by 5%`, `give everyone in Core 5% more`, `extend its due date by 2 days`, `double Ana's salary`. */
export function takeRelative(
  context: Context,
  clause: Clause,
  draft: Draft,
  verb: string,
  from: number,
): boolean {
  const times = multiples.get(verb);
  if (times !== undefined) {
    const left = clause.part(from, clause.length);
    const field = editField(context, left, "number") ?? anyNumber(context, clause);
    writeCells(context, draft, field, left, { times });
    return true;
  }
  const by = clause.find(
    /by(?: another)?(?: a)? #|by (?:one|two|three|ten|twenty|five)(?: days?| weeks?| months?)?/,
  );
  const at = by === null ? lastNumber(clause, from) : firstNumber(clause, by.start + 1);
  const amount = at === null ? null : numberAt(clause.tokens, at);
  if (amount === null || at === null) return false;
  const more = clause.has(/more|extra|raise|increase|bonus|additional|higher/) && verb === "give";
  const less = clause.has(/less|fewer|cut/) && verb === "give";
  if (by === null && !more && !less && !(amount.percent && !clause.has(/to/))) return false;
  const left = clause.part(from, by === null ? at : by.start);
  const unit = unitAt(clause.tokens, amount.next);
  if (unit !== null) return shiftDays(context, draft, left, clause, amount.value, unit);
  const falls = down.test(verb) || less;
  if (by === null) left.pull(/an? (?:raise|increase|bonus|cut)(?: of)?|(?:raise|increase)(?: of)?/);
  const field =
    editField(context, left, "number") ??
    afterField(context, clause, amount.next) ??
    anyNumber(context, clause);
  if (field.kind !== "number") throw new Refusal(`${field.label} is no number, so it cannot go up or down.`);
  const way = falls ? -1 : 1;
  writeCells(
    context,
    draft,
    field,
    left,
    amount.percent ? { times: 1 + (way * amount.value) / 100 } : { plus: way * amount.value },
  );
  return true;
}

/** `everyone in Berlin gets a 2% raise`, `Olga gets 500 less`: `left` says who. */
export function takeRaise(
  context: Context,
  clause: Clause,
  draft: Draft,
  left: Clause,
  from: number,
): boolean {
  const at = lastNumber(clause, from);
  const amount = at === null ? null : numberAt(clause.tokens, at);
  const less = clause.has(/less|cut|reduction/);
  if (amount === null || !(amount.percent || less || clause.has(/more|raise|increase|extra|bonus/)))
    return false;
  const way = less ? -1 : 1;
  const change: Change = amount.percent
    ? { times: 1 + (way * amount.value) / 100 }
    : { plus: way * amount.value };
  writeCells(context, draft, anyNumber(context, clause), left, change);
  return true;
}

function shiftDays(
  context: Context,
  draft: Draft,
  left: Clause,
  clause: Clause,
  count: number,
  unit: string,
): boolean {
  if (!isCount(count, unit)) return false;
  const dates = usable(
    context.lexicon.fields.filter(({ kind }) => kind === "date"),
    "edit",
  );
  const field = editField(context, left, "any") ?? pickField(context, dates, clause.raw(0, clause.length));
  if (field.kind !== "date") throw new Refusal(`${field.label} is no date, so it cannot be moved by days.`);
  const earlier = clause.has(/earlier|forward|back|sooner/) ? -1 : 1;
  const months = unit !== "day" && unit !== "week";
  const size = unit === "week" ? 7 : unit === "quarter" ? 3 : unit === "year" ? 12 : 1;
  writeCells(context, draft, field, left, { later: { count: earlier * count * size, months } });
  return true;
}

function anyNumber(context: Context, clause: Clause): Field {
  return numberField(context, [], { money: "likely" }, "edit", clause.raw(0, clause.length));
}

function lastNumber(clause: Clause, from: number): number | null {
  for (let at = clause.length - 1; at >= from; at--)
    if (clause.tokens[at]?.kind === "number" && !clause.isTaken(at)) return at;
  return null;
}

function firstNumber(clause: Clause, from: number): number | null {
  for (let at = from; at < clause.length; at++) if (numberAt(clause.tokens, at) !== null) return at;
  return null;
}

function afterField(context: Context, clause: Clause, at: number): Field | null {
  let from = at;
  while (/^(?:more|less|extra|of|in|on|their|to)$/.test(clause.word(from))) from++;
  const mention = clause.word(from) === "" ? null : context.lexicon.fieldsAt(clause.tokens, from);
  const fit = mention?.fields.filter(({ kind }) => kind === "number") ?? [];
  return fit.length === 0 ? null : pickField(context, usable(fit, "edit"), clause.raw(from, from + 1));
}
