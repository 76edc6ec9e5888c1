import type { Json } from "../../../turn/json.ts";
import type { Clause } from "./clause.ts";
import { type Context, demandWrite, pickField } from "./context.ts";
import { dateAt } from "./dates.ts";
import type { Draft } from "./draft.ts";
import type { Field } from "./field.ts";
import { optionLabel } from "./field.ts";
import type { Option } from "./lexicon.ts";
import { numberAt, type SaidNumber } from "./numbers.ts";
import { ownValue } from "./own-value.ts";
import { NotUnderstood, Refusal } from "./pause.ts";
import { leftPhrases } from "./phrases.ts";
import { numberField, usable } from "./pick-field.ts";
import { rowName } from "./row-names.ts";
import { findTarget, type Target } from "./target.ts";
import { cellValue } from "./value.ts";
import { cellText, countText, listText } from "./wording.ts";

const verbs =
  /set|change|update|make|correct|fix|edit|put|move|push|shift|transfer|assign|reassign|raise|bump|increase|boost|lower|cut|reduce|decrease|drop|give|mark|rename|switch|promote|demote|clear|empty|erase|wipe|adjust|postpone|reschedule|extend|replace|turn|delay|hand|pay/;
const down = /^(?:lower|cut|reduce|decrease|drop)$/;

/** What a cell becomes: a value, or its own value changed by so much. */
type Change = { value: Json } | { times: number } | { plus: number };

/** Understands a wish to change cells. True when the clause is one; it then went into the plan. */
export function takeEdit(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(verbs);
  if (
    found === null ||
    found.start > 1 ||
    (found.start === 1 && !/^(?:then|also|please|now|just)$/.test(clause.word(0)))
  )
    return statusVerb(context, clause, draft);
  const verb = clause.word(found.start);
  if (/^(?:give|hand|make)$/.test(verb) && /^(?:me|us)$/.test(clause.word(found.end))) return false;
  return (
    cleared(context, clause, draft, verb, found.end) ||
    relative(context, clause, draft, verb, found) ||
    absolute(context, clause, draft, verb, found) ||
    statusVerb(context, clause, draft)
  );
}

/** `raise Ana by 5%`, `give everyone in Core 5% more`, `bump Rosa's salary by 3000`. */
function relative(
  context: Context,
  clause: Clause,
  draft: Draft,
  verb: string,
  found: { start: number; end: number },
): boolean {
  const by = clause.find(/by(?: another)?(?: a)? #|by (?:ten|twenty|five)/);
  const at =
    by === null
      ? lastNumber(clause, found.end)
      : clause.tokens.findIndex(
          (token, index) =>
            index > by.start && token.kind !== "sign" && numberAt(clause.tokens, index) !== null,
        );
  const amount = at === null || at < 0 ? null : numberAt(clause.tokens, at);
  if (amount === null || at === null) return false;
  const more = clause.has(/more|extra|raise|increase|bonus|additional|higher/) && verb === "give";
  const less = clause.has(/less|fewer|cut/) && verb === "give";
  const to = clause.find(/to/);
  const isBy = by !== null || more || less || (amount.percent && to === null);
  if (!isBy) return false;
  const falls = down.test(verb) || less;
  const left = clause.part(found.end, by === null ? at : by.start);
  if (by === null) left.pull(/an? (?:raise|increase|bonus|cut)(?: of)?|(?:raise|increase)(?: of)?/);
  const field =
    editField(context, left, "number") ??
    afterField(context, clause, amount.next) ??
    numberField(context, [], { money: "likely" }, "edit", clause.raw(found.start, at));
  if (field.kind !== "number") throw new Refusal(`${field.label} is no number, so it cannot go up or down.`);
  const change: Change = amount.percent
    ? { times: 1 + ((falls ? -1 : 1) * amount.value) / 100 }
    : { plus: falls ? -amount.value : amount.value };
  writeCells(context, draft, field, findEditTarget(context, left, draft, field), change);
  return true;
}

function lastNumber(clause: Clause, from: number): number | null {
  for (let at = clause.length - 1; at >= from; at--)
    if (clause.tokens[at]?.kind === "number" && !clause.isTaken(at)) return at;
  return null;
}

function afterField(context: Context, clause: Clause, at: number): Field | null {
  let from = at;
  while (/^(?:more|less|extra|of|in|on|their|to)$/.test(clause.word(from))) from++;
  const mention = clause.word(from) === "" ? null : context.lexicon.fieldsAt(clause.tokens, from);
  const fit = mention?.fields.filter(({ kind }) => kind === "number") ?? [];
  return fit.length === 0 ? null : pickField(context, usable(fit, "edit"), clause.raw(from, from + 1));
}

/** `clear the notes on SO-1008`. */
function cleared(context: Context, clause: Clause, draft: Draft, verb: string, from: number): boolean {
  if (!/^(?:clear|empty|erase|wipe)$/.test(verb)) return false;
  const left = clause.part(from, clause.length);
  if (!left.has(/on|of|for|from|in/)) return false;
  const field = editField(context, left, "any");
  if (field === null) return false;
  writeCells(context, draft, field, findEditTarget(context, left, draft, field), {
    value: field.kind === "text" || field.kind === "other" ? "" : null,
  });
  return true;
}

/** `set Ana's salary to 90k`, `mark SO-1 as paid`, `make Jack remote`, `give it to Omar`. */
function absolute(
  context: Context,
  clause: Clause,
  draft: Draft,
  verb: string,
  found: { start: number; end: number },
): boolean {
  const note = noteOn(context, clause, found);
  if (note !== null) {
    writeCells(context, draft, note.field, findEditTarget(context, note.target, draft, note.field), {
      value: note.value,
    });
    return true;
  }
  const split = splitAt(clause, found.end);
  const left = clause.part(found.end, split?.start ?? clause.length);
  const end = valueEnd(clause);
  if (split === null) return withoutSplit(context, clause, draft, verb, found.end, end);
  const named = editField(context, left, "any");
  // "switch to Lisbon" changes no row: none is named.
  if (
    named === null &&
    leftPhrases(left, context.lexicon).length === 0 &&
    !left.has(/it|them|those|these|everyone|everybody|all|every|each|him|her|they|row|this|that/) &&
    !speaksOfRows(context, left)
  )
    return false;
  const field = named ?? impliedField(context, clause, verb, split.end, end);
  if (field === null) return false;
  const flag = field.kind === "boolean" ? flagValue(context, clause, split.end, end) : null;
  const value = flag ?? cellValue(context, clause, field, skipField(context, clause, field, split.end), end);
  writeCells(context, draft, field, findEditTarget(context, left, draft, field), { value });
  return true;
}

/** `add the note "x" to SO-1`: the text comes before the row. */
function noteOn(context: Context, clause: Clause, found: { start: number; end: number }) {
  if (!/^(?:put|set|give)$/.test(clause.word(found.start))) return null;
  return noteFrom(context, clause, found.end);
}

/** A quoted text for a column, then the row it goes to. */
export function noteFrom(
  context: Context,
  clause: Clause,
  from: number,
): { field: Field; value: string; target: Clause } | null {
  const quoted = clause.find(/"/);
  if (quoted === null || quoted.start < from) return null;
  const head = clause.part(from, quoted.start);
  const field = editField(context, head, "any");
  const to = clause.find(/to|on|for|in/);
  if (field === null || to === null || to.start < quoted.end) return null;
  return { field, value: clause.raw(quoted.start, quoted.end), target: clause.part(to.end, clause.length) };
}

/** The word between what is changed and what it becomes. */
function splitAt(clause: Clause, from: number): { start: number; end: number } | null {
  const found = clause.part(from, clause.length).find(/(?:to be|to|as|=|into|become|becomes)(?: be)?/);
  return found === null ? null : { start: from + found.start, end: from + found.end };
}

function valueEnd(clause: Clause): number {
  let end = clause.length;
  while (
    end > 0 &&
    /^(?:[.!?,;]|please|pls|thanks|now|instead)$/.test(clause.tokens[end - 1]?.word ?? "") &&
    clause.tokens[end - 1]?.kind !== "quoted"
  )
    end--;
  return end;
}

/** `make Jack remote`, `mark it resolved`, `give Omar T-218`: the value stands last or the row does. */
function withoutSplit(
  context: Context,
  clause: Clause,
  draft: Draft,
  verb: string,
  from: number,
  end: number,
): boolean {
  if (/^(?:move|push|shift|put|drop|cut|clear)$/.test(verb)) return false;
  const { lexicon } = context;
  for (let at = from + 1; at < end; at++) {
    const flag = lexicon.fieldsAt(clause.tokens, at);
    const [boolean] = flag?.fields.filter(({ kind }) => kind === "boolean") ?? [];
    if (flag !== null && boolean !== undefined && flag.next === end) {
      const negative = /^(?:not|non|no)$/.test(clause.word(at - 1));
      const left = clause.part(from, negative ? at - 1 : at);
      usable([boolean], "edit");
      writeCells(context, draft, boolean, findEditTarget(context, left, draft, boolean), {
        value: !negative,
      });
      return true;
    }
    const mention = lexicon.optionsAt(clause.tokens, at);
    if (mention === null || skipField(context, clause, mention.options[0]?.field, mention.next) !== end)
      continue;
    const option = writableOption(context, mention.options, clause.raw(at, end));
    const left = clause.part(from, at);
    writeCells(context, draft, option.field, findEditTarget(context, left, draft, option.field), {
      value: option.value,
    });
    return true;
  }
  return false;
}

/** `cancel order SO-1004`, `close T-217`, `reopen it`: the verb is the value. */
export function statusVerb(context: Context, clause: Clause, draft: Draft): boolean {
  const at = /^(?:please|then|also|now|just)$/.test(clause.word(0)) ? 1 : 0;
  const mention = clause.word(at) === "" ? null : context.lexicon.optionsAt(clause.tokens, at);
  if (mention === null || mention.next - at > 2) return false;
  const rest = clause.part(mention.next, clause.length);
  const isCommand =
    !mention.exact || /^(?:open|close|pending|cancel)$/.test(clause.word(at)) || rest.has(/it|them|those/);
  const names =
    rest.tokens.some(({ word, kind }) => kind === "word" && /\d/.test(word)) ||
    rest.has(/it|them|those|these|all|every/);
  if (!isCommand || !names) return false;
  const fit = mention.options.filter(({ field }) => field.column?.writable);
  if (fit.length === 0) return false;
  const option = writableOption(context, mention.options, clause.raw(at, mention.next));
  writeCells(context, draft, option.field, findEditTarget(context, rest, draft, option.field), {
    value: option.value,
  });
  return true;
}

function writableOption(context: Context, options: readonly Option[], said: string): Option {
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
function editField(context: Context, clause: Clause, kind: "number" | "any"): Field | null {
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
function impliedField(
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

function moneyField(context: Context, number: SaidNumber, said: string): Field {
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
function skipField(context: Context, clause: Clause, field: Field | undefined, from: number): number {
  const mention =
    field === undefined || clause.word(from) === "" ? null : context.lexicon.fieldsAt(clause.tokens, from);
  return mention !== null &&
    field !== undefined &&
    mention.fields.includes(field) &&
    context.lexicon.optionsAt(clause.tokens, from) === null
    ? mention.next
    : from;
}

function speaksOfRows(context: Context, left: Clause): boolean {
  return left.tokens.some(
    ({ kind }, at) => kind !== "sign" && context.lexicon.optionsAt(left.tokens, at) !== null,
  );
}

function flagValue(context: Context, clause: Clause, from: number, end: number): boolean | null {
  const mention = context.lexicon.fieldsAt(
    clause.tokens,
    /^(?:not|non|no)$/.test(clause.word(from)) ? from + 1 : from,
  );
  return mention?.next === end && mention.fields.some(({ kind }) => kind === "boolean")
    ? !/^(?:not|non|no)$/.test(clause.word(from))
    : null;
}

/** The rows of an edit: found before anything is refused about the policy, so that the refusal can name them. */
function findEditTarget(context: Context, left: Clause, draft: Draft, field: Field): Target {
  demandWrite(context, "edit.cells", `change ${field.label}`);
  usable([field], "edit");
  return findTarget(context, left, draft, field.column?.readable ? [field.id] : []);
}

function writeCells(context: Context, draft: Draft, field: Field, target: Target, change: Change): void {
  if (target.position !== undefined) {
    if (!("value" in change))
      throw new Refusal("Name the row: I have to know its value to change it by so much.");
    draft.edits.unshift({
      position: target.position,
      scope: context.contract.rowAddressing.scope,
      column: field.id,
      value: change.value,
    });
    draft.doing.push(`asking to set ${field.label} of row ${target.position} to ${cellText(change.value)}`);
    return;
  }
  const told: string[] = [];
  for (const row of target.rows) {
    const before = ownValue(row.cells, field.id);
    const value = changed(before, change, field, rowName(context, row));
    draft.edits.push({ rowKey: row.key, column: field.id, value });
    told.push(`${rowName(context, row)} (${shown(field, before)} to ${shown(field, value)})`);
  }
  draft.doing.push(
    target.rows.length > 3
      ? `asking to change ${field.label} in ${countText(target.rows.length)}: ${listText(told, 6)}`
      : `asking to change ${field.label} of ${listText(told)}`,
  );
}

function shown(field: Field, value: Json): string {
  return field.options.some((option) => option.value === value) ? optionLabel(field, value) : cellText(value);
}

/** A changed number keeps at most two decimals. */
function changed(before: Json, change: Change, field: Field, name: string): Json {
  if ("value" in change) return change.value;
  const number =
    typeof before === "number"
      ? before
      : typeof before === "string" && before.trim() !== ""
        ? Number(before)
        : Number.NaN;
  if (!Number.isFinite(number))
    throw new Refusal(`${field.label} of ${name} is no number, so it cannot be changed by so much.`);
  const after = "times" in change ? number * change.times : number + change.plus;
  return Math.round(after * 100) / 100;
}
