import type { Clause } from "./clause.ts";
import { type Context, pickField } from "./context.ts";
import type { Draft } from "./draft.ts";
import { editField, impliedField, moneyField, skipField, writableOption } from "./edit-field.ts";
import type { Field } from "./field.ts";
import { noteFrom } from "./note.ts";
import { numberAt } from "./numbers.ts";
import { NotUnderstood } from "./pause.ts";
import { isNoise, leftPhrases } from "./phrases.ts";
import { usable } from "./pick-field.ts";
import { takeRaise, takeRelative } from "./relative-edit.ts";
import { statusVerb } from "./status-verb.ts";
import { cellValue } from "./value.ts";
import { writeCells } from "./write-cells.ts";

const verbs =
  /set|change|update|make|correct|fix|edit|put|move|push|shift|transfer|assign|reassign|raise|bump|increase|boost|lower|cut|reduce|decrease|drop|give|mark|rename|switch|promote|demote|clear|empty|erase|wipe|adjust|postpone|reschedule|extend|replace|turn|delay|hand|pay|double|triple|halve/;

/** Understands a wish to change cells. True when the clause is one; it then went into the plan. */
export function takeEdit(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(verbs);
  const leads =
    found !== null &&
    (found.start === 0 || (found.start === 1 && /^(?:then|also|please|now|just)$/.test(clause.word(0))));
  if (!leads) return stated(context, clause, draft) || statusVerb(context, clause, draft);
  const verb = clause.word(found.start);
  if (/^(?:give|hand|make)$/.test(verb) && /^(?:me|us)$/.test(clause.word(found.end))) return false;
  return (
    cleared(context, clause, draft, verb, found.end) ||
    takeRelative(context, clause, draft, verb, found.end) ||
    absolute(context, clause, draft, verb, found.end) ||
    statusVerb(context, clause, draft)
  );
}

/** `clear the notes on SO-1008`. */
function cleared(context: Context, clause: Clause, draft: Draft, verb: string, from: number): boolean {
  if (!/^(?:clear|empty|erase|wipe)$/.test(verb)) return false;
  const left = clause.part(from, clause.length);
  if (!left.has(/on|of|for|from|in/)) return false;
  const field = editField(context, left, "any");
  if (field === null) return false;
  writeCells(context, draft, field, left, {
    value: field.kind === "text" || field.kind === "other" ? "" : null,
  });
  return true;
}

/** `set Ana's salary to 90k`, `mark SO-1 as paid`, `make Jack remote`, `give it to Omar`. */
function absolute(context: Context, clause: Clause, draft: Draft, verb: string, from: number): boolean {
  const note = /^(?:put|set|give)$/.test(verb) ? noteFrom(context, clause, from) : null;
  if (note !== null) {
    writeCells(context, draft, note.field, note.target, { value: note.value });
    return true;
  }
  const split = splitAt(clause, from);
  const end = valueEnd(clause);
  if (split === null) return withoutSplit(context, clause, draft, verb, from, end);
  const left = clause.part(from, split.start);
  const named = editField(context, left, "any");
  // "switch to Lisbon" changes no row: none is named.
  if (named === null && !speaksOfRows(context, left)) return false;
  const behind = named === null || speaksOfRows(context, left) ? null : targetBehind(clause, split.end, end);
  if (named !== null && behind !== null) {
    const { value } = saidValue(context, clause, named, split.end, behind.start);
    writeCells(context, draft, named, clause.part(behind.end, end), { value });
    return true;
  }
  const field = named ?? impliedField(context, clause, verb, split.end, end);
  if (field === null) return false;
  const { value, next } = saidValue(context, clause, field, split.end, end);
  writeCells(context, draft, field, left, { value });
  goOn(context, clause, draft, verb, next, end);
  return true;
}

/** What stands behind a value: `and Hugo to Design` is the same again; anything else was not understood. */
function goOn(context: Context, clause: Clause, draft: Draft, verb: string, from: number, end: number): void {
  const rest = clause.part(from, end);
  if (rest.tokens.every(({ word, kind }) => kind === "sign" || isNoise(word, context.lexicon))) return;
  const again = /^(?:and|,)$/.test(rest.word(0));
  if (!again || !absolute(context, rest.part(1, rest.length), draft, verb, 0))
    throw new NotUnderstood(clause.raw(from, end));
}

/** `set remote to yes for Grace`: the row stands behind the value. */
function targetBehind(clause: Clause, from: number, end: number) {
  const found = clause.part(from, end).find(/for|on|of/);
  return found === null || found.start === 0 ? null : { start: from + found.start, end: from + found.end };
}

/** `Olga should earn 95k`, `Wei is now in Growth`: what is said of a row is wished of it. */
function stated(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(
    /(?:should|must|shall|needs to|has to|ought to)(?: now)? (?:be|earn|get|make|have|work|go|move|sit|become|be moved|be set)(?: to| in| on| at)?|(?:is|gets|earns|makes|works|sits) now(?: in| on| at| called)?|gets|moves to|moved to/,
  );
  if (found === null || found.start === 0) return false;
  const left = clause.part(0, found.start);
  const end = valueEnd(clause);
  const named = editField(context, left, "any");
  if (
    !(leftPhrases(left, context.lexicon).length > 0 || left.has(/everyone|everybody|all|row|it|them/)) ||
    end <= found.end
  )
    return false;
  if (takeRaise(context, clause, draft, left, found.end)) return true;
  const earns = clause.raw(found.start, found.end).toLowerCase().includes("earn");
  const field = named ?? impliedField(context, clause, earns ? "raise" : "set", found.end, end);
  if (field === null) return false;
  const { value, next } = saidValue(context, clause, field, found.end, end);
  writeCells(context, draft, field, left, { value });
  goOn(context, clause, draft, "set", next, end);
  return true;
}

/** `make Jack remote`, `mark it resolved`, `pay Ana 95k`: the value stands last. */
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
    const booleans = flag?.next === end ? flag.fields.filter(({ kind }) => kind === "boolean") : [];
    if (booleans.length > 0) {
      const negative = /^(?:not|non|no)$/.test(clause.word(at - 1));
      const field = pickField(context, usable(booleans, "edit"), clause.raw(at, end));
      writeCells(context, draft, field, clause.part(from, negative ? at - 1 : at), { value: !negative });
      return true;
    }
    const mention = lexicon.optionsAt(clause.tokens, at);
    if (mention === null || skipField(context, clause, mention.options[0]?.field, mention.next) !== end)
      continue;
    const option = writableOption(context, mention.options, clause.raw(at, end));
    writeCells(context, draft, option.field, clause.part(from, at), { value: option.value });
    return true;
  }
  const number = verb === "pay" ? numberAt(clause.tokens, end - 1) : null;
  if (number === null || number.percent) return false;
  const field = moneyField(context, number, clause.raw(from, end));
  writeCells(context, draft, field, clause.part(from, end - 1), { value: number.value });
  return true;
}

/** The value said for a field, past the field's own name, and the token after it. */
function saidValue(context: Context, clause: Clause, field: Field, from: number, end: number) {
  const flag = field.kind === "boolean" ? flagValue(context, clause, from) : null;
  if (flag !== null) return flag;
  const { value, next } = cellValue(context, clause, field, skipField(context, clause, field, from), end);
  return { value, next: skipField(context, clause, field, next) };
}

/** `remote` or `not remote` as the value of a yes-or-no column. */
function flagValue(context: Context, clause: Clause, from: number): { value: boolean; next: number } | null {
  const no = /^(?:not|non|no)$/.test(clause.word(from));
  const mention = context.lexicon.fieldsAt(clause.tokens, no ? from + 1 : from);
  return mention?.fields.some(({ kind }) => kind === "boolean") ? { value: !no, next: mention.next } : null;
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
    clause.tokens[end - 1]?.kind !== "quoted" &&
    /^(?:[.!?,;]|please|pls|thanks|now|instead)$/.test(clause.tokens[end - 1]?.word ?? "")
  )
    end--;
  return end;
}

/** Whether words say which rows are meant: a name, a value, `it`, `everyone`, `row 2`. */
function speaksOfRows(context: Context, left: Clause): boolean {
  const said = left.has(/it|them|those|these|everyone|everybody|all|every|each|him|her|they|row|this|that/);
  return (
    said ||
    leftPhrases(left, context.lexicon).length > 0 ||
    left.tokens.some(({ kind }, at) => kind !== "sign" && context.lexicon.optionsAt(left.tokens, at) !== null)
  );
}
