import type { Clause } from "./clause.ts";
import { type Context, pickField } from "./context.ts";
import type { Field } from "./field.ts";
import { operationOf } from "./grouping.ts";
import type { FieldMention } from "./lexicon.ts";
import { fieldFrom } from "./name-field.ts";
import { numberAt } from "./numbers.ts";
import { numberField, usable } from "./pick-field.ts";
import { superlativeAt } from "./superlatives.ts";

/** What is asked about the rows that fit. */
export type Asked =
  | { type: "count" }
  | { type: "distinct"; field: Field }
  | { type: "aggregate"; operation: string; field: Field }
  | { type: "extreme"; field: Field; dir: "asc" | "desc"; count: number }
  | { type: "busiest"; field: Field; dir: "asc" | "desc" }
  | { type: "values"; field: Field }
  | { type: "lookup"; field: Field }
  | { type: "whether" }
  | { type: "list" };

/** What a question asks, by its question word; the words that say so are taken. */
export function takeAsked(context: Context, clause: Clause, word: string, group: Field | null): Asked {
  const isCount = /^(?:many|count|of|often)$/.test(word);
  if (isCount) return counted(context, clause);
  return ranked(context, clause, group) ?? aggregated(context, clause) ?? looked(context, clause, word);
}

/** `how many different customers`, `how many items did we sell`, `how many people`. */
function counted(context: Context, clause: Clause): Asked {
  const found = clause.pull(
    /(?:how many|count|(?:the )?number of|how often)(?: of)?(?: the| all| our| my)*(?: (different|distinct|unique))?(?: kinds? of)?/,
  );
  const named = found === null ? null : fieldFrom(context, clause, found.end);
  if (named === null || found === null) return { type: "count" };
  const isTitle = named.fields.some((field) => field === context.lexicon.title);
  if (found.groups[0] !== undefined && named.fields.length > 0) {
    clause.take(named.start, named.end);
    return {
      type: "distinct",
      field: pickField(context, usable(named.fields, "read"), clause.raw(named.start, named.end)),
    };
  }
  const numbers = named.fields.filter(({ kind }) => kind === "number");
  if (named.strength === 3 && numbers.length > 0 && !isTitle) {
    clause.take(named.start, named.end);
    return {
      type: "aggregate",
      operation: "sum",
      field: pickField(context, usable(numbers, "read"), clause.raw(named.start, named.end)),
    };
  }
  return { type: "count" };
}

/** `who earns the most`, `the largest order`, `who has the most tickets`. */
function ranked(context: Context, clause: Clause, group: Field | null): Asked | null {
  for (let at = 0; at < clause.length; at++) {
    const word = clause.word(at);
    if (
      !/^(?:highest|biggest|largest|greatest|most|best|top|priciest|lowest|smallest|least|fewest|worst|cheapest|newest|latest|recent|recently|oldest|earliest|soonest|longest|shortest|youngest|first|last)$/.test(
        word,
      )
    )
      continue;
    if (/^(?:first|last)$/.test(word)) {
      const began = fieldBefore(context, clause, at);
      if (began?.field.kind !== "date") continue;
      clause.take(began.start, at + 1);
      return { type: "extreme", field: began.field, dir: word === "first" ? "asc" : "desc", count: 1 };
    }
    const busy = busiest(context, clause, at);
    if (busy !== null) return busy;
    const before = fieldBefore(context, clause, at);
    const found =
      /^(?:most|least)$/.test(word) && before !== null && clause.word(at + 1) !== "recent"
        ? null
        : superlativeAt(context, clause, at);
    const dir = /^(?:lowest|smallest|least|fewest|worst|cheapest|oldest|earliest|soonest)$/.test(word)
      ? "asc"
      : "desc";
    const field = found?.field ?? before?.field;
    if (field === undefined) continue;
    const count = numberAt(clause.tokens, at - 1) ?? numberAt(clause.tokens, at + 1);
    clause.take(at, found?.end ?? at + 1);
    if (before !== null && found === null) clause.take(before.start, before.end);
    if (count !== null) clause.take(at - 1, count.next);
    if (group !== null) return { type: "aggregate", operation: dir === "desc" ? "max" : "min", field };
    return {
      type: "extreme",
      field,
      dir: found?.dir ?? dir,
      count:
        count !== null && Number.isInteger(count.value) && count.value > 0 ? Math.min(count.value, 20) : 1,
    };
  }
  return null;
}

/** `who has the most tickets`: the most rows, not the highest value. */
function busiest(context: Context, clause: Clause, at: number): Asked | null {
  if (!/^(?:most|fewest|least)$/.test(clause.word(at))) return null;
  let noun = at + 1;
  while (context.lexicon.optionsAt(clause.tokens, noun) !== null && clause.word(noun) !== "") noun++;
  if (clause.word(noun) === "" || !context.lexicon.isRowNoun(clause.word(noun))) return null;
  const dir = clause.word(at) === "most" ? "desc" : "asc";
  const lead = clause.find(/which|what|whose/);
  const named = lead === null ? null : fieldFrom(context, clause, lead.end);
  const named_ =
    named?.fields.filter((field) => field.column?.readable && field !== context.lexicon.title) ?? [];
  const handlers = context.lexicon.fields.filter(
    ({ concepts, column }) => column?.readable && concepts.includes("handler"),
  );
  const fields =
    named_.length > 0
      ? named_
      : handlers.length > 0
        ? handlers
        : context.lexicon.fields.filter(
            ({ concepts, column }) => column?.readable && concepts.includes("buyer"),
          );
  if (fields.length === 0) return null;
  if (named !== null && named_.length > 0) clause.take(named.start, named.end);
  clause.take(at);
  clause.take(noun);
  clause.pull(/has|have/);
  return { type: "busiest", field: pickField(context, fields, clause.raw(at, noun + 1)), dir };
}

/** A number or date column named before a superlative: `earns the most`, `started first`. */
function fieldBefore(
  context: Context,
  clause: Clause,
  at: number,
): { field: Field; start: number; end: number } | null {
  for (let before = at - 1; before >= Math.max(0, at - 4); before--) {
    const mention = clause.word(before) === "" ? null : context.lexicon.fieldsAt(clause.tokens, before);
    const fit = mention?.fields.filter(({ kind }) => kind === "number" || kind === "date") ?? [];
    if (mention !== null && fit.length > 0 && mention.next <= at)
      return {
        field: pickField(context, usable(fit, "read"), clause.raw(before, mention.next)),
        start: before,
        end: mention.next,
      };
  }
  return null;
}

/** `average salary`, `total of all paid orders`, `what did Globex spend in total`. */
function aggregated(context: Context, clause: Clause): Asked | null {
  for (let at = 0; at < clause.length; at++) {
    const operation = operationOf(clause.word(at));
    if (operation === null || operation === "count") continue;
    const named = numberAfter(context, clause, at + 1) ?? numberAnywhere(context, clause, at);
    const isColumn = context.lexicon.fieldsAt(clause.tokens, at)?.strength === 3;
    const many = clause.has(/all|every|everyone|our|we|in total|altogether|together/);
    if (isColumn && named === null && !many) continue;
    const field =
      named?.field ?? numberField(context, [], { money: "likely" }, "read", clause.raw(at, at + 1));
    clause.take(at);
    if (named !== null) clause.take(named.start, named.end);
    return { type: "aggregate", operation, field };
  }
  return null;
}

function numberAfter(context: Context, clause: Clause, from: number) {
  let at = from;
  while (
    at < from + 4 &&
    /^(?:of|the|our|all|for|in|a|an|amount|number)$/.test(clause.word(at)) &&
    context.lexicon.fieldsAt(clause.tokens, at) === null
  )
    at++;
  if (clause.word(at) === "number" && clause.word(at + 1) === "of") at += 2;
  if (clause.word(at) !== "" && context.lexicon.isRowNoun(clause.word(at))) at++;
  return numberMention(context, clause, at);
}

function numberAnywhere(context: Context, clause: Clause, but: number) {
  for (let at = 0; at < clause.length; at++) {
    const found = at === but ? null : numberMention(context, clause, at);
    if (found !== null) return found;
  }
  return null;
}

function numberMention(
  context: Context,
  clause: Clause,
  at: number,
): { field: Field; start: number; end: number } | null {
  const mention = clause.word(at) === "" ? null : context.lexicon.fieldsAt(clause.tokens, at);
  const fit = mention?.fields.filter(({ kind }) => kind === "number") ?? [];
  if (mention === null || fit.length === 0) return null;
  return {
    field: pickField(context, usable(fit, "read"), clause.raw(at, mention.next)),
    start: at,
    end: mention.next,
  };
}

/** What a cell says: `what's the status of SO-1`, `when did Hugo start`, `who is T-2 assigned to`; else which rows fit. */
function looked(context: Context, clause: Clause, word: string): Asked {
  if (/^(?:is|are|does|do|did|was|were|has|have)$/.test(word)) return { type: "whether" };
  if (clause.pull(/(?:the |our )?head ?count/) !== null) return { type: "count" };
  const field = askedField(context, clause, word);
  if (field === null) return { type: "list" };
  return /^(?:which|what|whose)$/.test(word) ? { type: "values", field } : { type: "lookup", field };
}

function askedField(context: Context, clause: Clause, word: string): Field | null {
  const kinds: Record<string, (field: Field) => boolean> = {
    when: ({ kind }) => kind === "date",
    where: ({ concepts }) => concepts.includes("place"),
    much: ({ kind }) => kind === "number",
    who: ({ concepts }) =>
      concepts.includes("handler") || concepts.includes("buyer") || concepts.includes("asker"),
    whose: () => false,
  };
  const suits = kinds[word] ?? (() => true);
  for (let at = 0; at < clause.length; at++) {
    const mention = clause.word(at) === "" ? null : context.lexicon.fieldsAt(clause.tokens, at);
    const fit = mention?.fields.filter((field) => suits(field) && field !== context.lexicon.title) ?? [];
    if (mention === null || fit.length === 0) continue;
    const direct = /^(?:which|what)$/.test(word)
      ? isAskedDirectly(clause, word, at, mention) && fit.some(({ kind }) => kind !== "boolean")
      : true;
    if (!direct) continue;
    const field = pickField(context, usable(fit, "read"), clause.raw(at, mention.next));
    clause.take(at, mention.next);
    return field;
  }
  if (word !== "when" && word !== "where" && word !== "much") return null;
  if (word === "much")
    return numberField(context, [], { money: "likely" }, "read", clause.raw(0, clause.length));
  const fields = context.lexicon.fields.filter((field) => suits(field) && field.column?.readable);
  return fields.length === 0 ? null : pickField(context, fields, clause.raw(0, clause.length));
}

/** `what team`, `which customers`, `what is the status of`, `what is Ana's salary`. */
function isAskedDirectly(
  clause: Clause,
  word: string,
  start: number,
  { fields, next, strength }: FieldMention,
): boolean {
  const lead = clause.word(start - 1);
  const owned = clause.tokens[start - 1]?.possessive === true;
  // "what came in": a verb that a column is known by, not the column.
  const isNoun = strength > 1 || fields.every(({ kind }) => kind !== "date" && kind !== "number");
  if (owned || /^(?:which|what)$/.test(lead)) return isNoun;
  if (lead === "our" || lead === "your") return true;
  const leads = lead === "the" || (word === "what" && /^(?:is|are)$/.test(lead));
  return strength > 1 && leads && /^(?:of|for|on|in|\?|)$/.test(clause.word(next));
}
