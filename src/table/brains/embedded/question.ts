import { type Asked, takeAsked } from "./asked.ts";
import type { Clause } from "./clause.ts";
import type { Condition } from "./condition.ts";
import { type Context, pickField } from "./context.ts";
import type { Field } from "./field.ts";
import { fieldFrom } from "./name-field.ts";
import { NotUnderstood } from "./pause.ts";
import { isExcluded, leftPhrases } from "./phrases.ts";
import { readConditions } from "./read-conditions.ts";

export interface Question {
  asked: Asked;
  /** Answered once for each value of this column. */
  group: Field | null;
  conditions: Condition[];
  /** Words that rows have to have in some cell. */
  phrases: string[];
  /** Only rows the view shows count. */
  shownOnly: boolean;
}

const opening =
  /(?:and |so |then |but |also |please )?(?:can you |could you |would you )?(?:(?:tell|show) me |do you know |i want to know |i'd like to know |find out |say )?(?:how many|how much|how often|count|number of|the number of|who|whose|which|what|when|where|is|are|does|do|did|was|were|has|have|average|mean)/;

/** Words before a question that say among which rows: `in Platform, who earns least`. */
const leads = /^(?:in|for|of|among|within|at|on|across)$/;

/** The question a clause asks, all of it taken; null when it is none. */
export function readQuestion(context: Context, clause: Clause): Question | null {
  const opened = clause.find(opening);
  const isOpen = opened !== null && (opened.start === 0 || (leads.test(clause.word(0)) && opened.start < 8));
  if (!isOpen && !isFragment(context, clause)) return null;
  const shownOnly =
    clause.pull(
      /(?:of )?(?:these|those|the shown|the visible)|(?:currently )?(?:shown|visible|displayed|on this page|in this view|in view|on screen)/,
    ) !== null;
  const group = takeGroup(context, clause);
  const word = isOpen && opened !== null ? clause.word(opened.end - 1) : "";
  const asked = takeAsked(context, clause, word, group);
  takeDoing(context, clause);
  clause.pull(/in total|altogether|overall|all together|right now|at the moment/);
  const conditions = readConditions(context, clause, "read");
  const phrases = leftPhrases(clause, context.lexicon);
  const without = phrases.find((phrase) => isExcluded(clause, phrase));
  if (without !== undefined) throw new NotUnderstood(clause.raw(0, clause.length));
  const names = phrases.map(({ text }) => text);
  if (asked.type === "whether" && conditions.length === 0) throw new NotUnderstood("");
  return { asked: settled(asked, names, conditions), group, conditions, phrases: names, shownOnly };
}

/** `did we sell`, `do they have`: what was done to rows says nothing more once it is known which rows. */
function takeDoing(context: Context, clause: Clause): void {
  const found = clause.find(/(?:did|do|have|had|can|could) (?:we|they|i|you) \p{L}+/u);
  if (found === null) return;
  const { tokens } = clause;
  const names =
    context.lexicon.optionsAt(tokens, found.end - 1) !== null ||
    context.lexicon.fieldsAt(tokens, found.end - 1) !== null;
  if (!names) clause.take(found.start, found.end);
}

/** A question without a question word: `tickets per status`, `smallest order this month?`. */
function isFragment(context: Context, clause: Clause): boolean {
  const per = clause.find(/(?:per|for each|in each|for every)/);
  if (
    per !== null &&
    per.start > 0 &&
    fieldFrom(context, clause, per.end) !== null &&
    !clause.has(/group(?:ed)?|break|split|sort(?:ed)?|show/)
  )
    return true;
  if (clause.tokens.at(-1)?.word !== "?") return false;
  return (
    clause.tokens.some((_, at) =>
      /^(?:highest|lowest|biggest|largest|smallest|newest|oldest|latest|earliest|cheapest|most|least)$/.test(
        clause.word(at),
      ),
    ) && !clause.has(/first|on top/)
  );
}

/** `per region`, `for each team`; `by status` only where something is counted. */
function takeGroup(context: Context, clause: Clause): Field | null {
  const found = clause.find(
    /(?:broken down by|split by|grouped by|for each|in each|for every|in every|on each|per|by|each)/,
  );
  if (found === null) return null;
  const named = fieldFrom(context, clause, found.end);
  const fit =
    named?.fields.filter(
      ({ kind, column }) => column?.readable && (kind === "option" || kind === "text" || kind === "boolean"),
    ) ?? [];
  const groups = fit.filter((field) => field !== context.lexicon.title);
  // "items per order": each row is its own group.
  if (named !== null && fit.length > 0 && groups.length === 0) clause.take(found.start, named.end);
  if (named === null || groups.length === 0 || named.strength === 1) return null;
  const field = pickField(context, groups, clause.raw(named.start, named.end));
  clause.take(found.start, named.end);
  return field;
}

/** What is asked in the end: a cell of rows that were named, or the values among rows that fit. */
function settled(asked: Asked, names: readonly string[], conditions: readonly Condition[]): Asked {
  if (asked.type === "values" && names.length > 0) return { type: "lookup", field: asked.field };
  if (
    (asked.type === "lookup" || asked.type === "values") &&
    names.length === 0 &&
    asked.field.kind === "number"
  )
    return { type: "aggregate", operation: "sum", field: asked.field };
  const isBare = names.length === 0 && conditions.length === 0;
  if (isBare && (asked.type === "lookup" || asked.type === "list")) throw new NotUnderstood("");
  return asked;
}
