import type { Clause } from "./clause.ts";
import { type Condition, conditionText, passes } from "./condition.ts";
import type { Context } from "./context.ts";
import { countAt } from "./dates.ts";
import type { Draft } from "./draft.ts";
import { ordinals } from "./ordinals.ts";
import { ownValue } from "./own-value.ts";
import { NotUnderstood, Refusal } from "./pause.ts";
import { isExcluded, leftPhrases, type Phrase } from "./phrases.ts";
import { readConditions } from "./read-conditions.ts";
import { rowName, rowsNamed, textFields } from "./row-names.ts";
import type { ReadRows, Row } from "./rows.ts";
import { cellText, listText } from "./wording.ts";
import { fold } from "./words.ts";

/** Most rows one wish may change. */
const maxTargets = 500;

const all = /all|every|everyone|everybody|each|both|anyone|anybody|everything/;
const positions: Readonly<Record<string, number>> = { ...ordinals, top: 1 };

/** Rows meant by a clause: found by key, or standing at a place of the view. */
export type Target = { rows: Row[]; position?: undefined } | { position: number; rows?: undefined };

/**
 * The rows a clause is about, by name, by conditions, by place, or by `it` and `them`. Reads rows to find their keys; asks
 * the reader when a name fits several; refuses when nothing fits, or when rows were not all read and conditions decide.
 */
export function findTarget(
  context: Context,
  clause: Clause,
  draft: Draft,
  columns: readonly string[] = [],
): Target {
  // Which of them is for the reader to say; a wish for some must not become one for all.
  if (clause.has(/(?:one|some|any|half|most|few|part|several|a couple) of|some|half|a few|several/))
    throw new NotUnderstood("which of them are meant", true);
  const position = positionOf(clause);
  if (position !== null) return { position };
  const first = firstOf(clause);
  const pronoun = clause.has(/it|them|those|these|that one|they|him|her/);
  const everyone = clause.has(all);
  const conditions = readConditions(context, clause, "read");
  const phrases = leftPhrases(clause, context.lexicon);
  if (phrases.length === 0 && conditions.length === 0) {
    // "move Rosa to Design and set the salary to 100k": the rows that were changed are changed again.
    const same =
      pronoun || (!everyone && first === null && draft.edited === draft.rows && columns.length > 0);
    if (same && draft.rows !== null && draft.rows.length > 0)
      return { rows: withCells(context, draft.rows, columns) };
    if (!everyone && first === null) throw new NotUnderstood("which row is meant", true);
  }
  const needed = [
    ...textFields(context).map(({ id }) => id),
    ...conditions.flatMap(({ field }) => (field.column?.readable ? [field.id] : [])),
    ...columns,
  ];
  const rows =
    first !== null
      ? firstRows(context, draft, [...new Set(needed)], conditions, phrases, first)
      : (foundByName(context, clause, [...new Set(needed)], conditions, phrases, everyone) ??
        chosen(context, clause, context.rows.read([...new Set(needed)]), conditions, phrases, everyone));
  if (rows.length > maxTargets)
    throw new Refusal(`That would be ${rows.length} rows; I change at most ${maxTargets} at a time.`);
  draft.rows = rows;
  return { rows };
}

/** Rows of the wish before with the cells that this one needs; they are read again where they came without them. */
function withCells(context: Context, rows: Row[], columns: readonly string[]): Row[] {
  const lacks = rows.some(({ cells }) => columns.some((id) => !Object.hasOwn(cells, id)));
  if (!lacks || context.found.names.length > 0) return rows;
  const needed = [...textFields(context).map(({ id }) => id), ...columns];
  const read = context.rows.read([...new Set([...Object.keys(rows[0]?.cells ?? {}), ...needed])]);
  return rows.map((row) => read.rows.find(({ key }) => key === row.key) ?? row);
}

/** `the first 3`: as many rows from the top of what is shown, among those that fit. */
function firstRows(
  context: Context,
  draft: Draft,
  columns: readonly string[],
  conditions: readonly Condition[],
  phrases: readonly Phrase[],
  count: number,
): Row[] {
  const { view } = context;
  if (phrases.length > 0) throw new NotUnderstood(phrases[0]?.text ?? "");
  if (draft.filters !== null || draft.search !== null || draft.sort !== null || draft.group !== null)
    throw new Refusal("Which rows come first changes with that. Ask for them once the table shows it.");
  if (view.groupBy) throw new Refusal("The rows are grouped, so I cannot tell which come first. Name them.");
  const read = context.rows.read(columns);
  const from = context.rows.wide ? (view.page - 1) * view.limit : 0;
  const fit = read.rows
    .slice(from)
    .filter((row) => conditions.every((condition) => passes(condition, row.cells)));
  if (fit.length < count)
    throw new Refusal(
      `I see only ${fit.length} such rows from here on, not ${count}. Name the ones you mean.`,
    );
  return fit.slice(0, count);
}

/** How many rows `the first 3 orders` means; null where no number is said. */
function firstOf(clause: Clause): number | null {
  const found = clause.find(/first (?:#|two|three|four|five|six|seven|eight|nine|ten|twenty)/);
  const count = found === null ? null : countAt(clause.tokens, found.end - 1);
  if (found === null || count === null || !Number.isInteger(count.value) || count.value < 1) return null;
  clause.take(found.start, count.next);
  return count.value;
}

/**
 * The rows that names fit, in a table that is too long to be read or searched for something else; null where it is neither,
 * or where it has no search.
 */
function foundByName(
  context: Context,
  clause: Clause,
  columns: readonly string[],
  conditions: readonly Condition[],
  phrases: readonly Phrase[],
  everyone: boolean,
): Row[] | null {
  if (phrases.length === 0 || phrases.some((phrase) => isExcluded(clause, phrase))) return null;
  if (!context.rows.isBeyond(columns)) {
    const { rows, complete } = context.rows.read(columns);
    // A search that is set may hide the row.
    const hidden =
      context.view.search !== "" && phrases.some(({ text }) => rowsNamed(context, rows, text).length === 0);
    if (complete && !hidden) return null;
  }
  const found = context.found.search(
    phrases.map(({ text }) => text),
    columns,
  );
  if (found === null) return null;
  const rows = found.flatMap((read, index) => {
    const { text } = phrases[index] ?? { text: "" };
    const fit = read.rows.filter((row) => conditions.every((condition) => passes(condition, row.cells)));
    const named = rowsNamed(context, fit, text);
    if (!read.complete && (everyone || named.length !== 1 || !isWhole(context, named, text)))
      throw new Refusal(
        `At least ${read.rows.length} rows contain ${JSON.stringify(text)}. Say the whole name, or filter the table first.`,
      );
    if (named.length === 0) throw new Refusal(notFound(text, read, conditions));
    return named.length === 1 || everyone ? named : [ask(context, named, text)];
  });
  return [...new Set(rows)];
}

/** Whether a phrase is all of a row's name, which then no longer row is likelier to mean. */
function isWhole({ lexicon }: Context, rows: readonly Row[], text: string): boolean {
  const { title } = lexicon;
  return rows.every(
    (row) => title !== undefined && fold(cellText(ownValue(row.cells, title.id))) === fold(text),
  );
}

function chosen(
  context: Context,
  clause: Clause,
  read: ReadRows,
  conditions: readonly Condition[],
  phrases: readonly Phrase[],
  everyone: boolean,
): Row[] {
  const fit = read.rows.filter((row) => conditions.every((condition) => passes(condition, row.cells)));
  if (phrases.length === 0) {
    if (!read.complete)
      throw new Refusal(
        `I could only read the first ${read.rows.length} rows${read.total === null ? "" : ` of ${read.total}`}, so I cannot say which rows that is about. Name the row, or filter the table first.`,
      );
    if (fit.length === 0)
      throw new Refusal(`There is no row where ${listText(conditions.map(conditionText))}.`);
    return fit.length > 1 && !everyone && isSingular(context, clause) ? [ask(context, fit, "it")] : fit;
  }
  const excluded = phrases.filter((phrase) => isExcluded(clause, phrase));
  if (excluded.length > 0) return besides(context, read, fit, phrases, excluded);
  const found = phrases.flatMap((phrase) => {
    const named = rowsNamed(context, fit, phrase.text);
    if (named.length === 0) throw new Refusal(notFound(phrase.text, read, conditions));
    return named.length === 1 || everyone ? named : [ask(context, named, phrase.text)];
  });
  return [...new Set(found)];
}

/** `everyone except Ana`: all that fit but those that are named. Names of both kinds in one wish are too much. */
function besides(
  context: Context,
  read: ReadRows,
  fit: readonly Row[],
  phrases: readonly Phrase[],
  excluded: readonly Phrase[],
): Row[] {
  if (excluded.length < phrases.length || !read.complete)
    throw new NotUnderstood("which rows are left out", true);
  const out = excluded.flatMap(({ text }) => {
    const named = rowsNamed(context, fit, text);
    if (named.length === 0) throw new Refusal(notFound(text, read, []));
    return named;
  });
  return fit.filter((row) => !out.includes(row));
}

function notFound(
  text: string,
  { complete, rows, total }: ReadRows,
  conditions: readonly Condition[],
): string {
  const where = conditions.length === 0 ? "" : ` where ${listText(conditions.map(conditionText))}`;
  if (complete) return `There is no row for "${text}"${where}.`;
  return `There is no row for "${text}"${where} among the ${rows.length} rows I could read${total === null ? "" : ` of ${total}`}.`;
}

/** Which of several rows a name means; they are told apart by their first other column that differs. */
function ask(context: Context, rows: readonly Row[], said: string): Row {
  const names = rows.map((row) => rowName(context, row));
  const twins = new Set(names).size < names.length;
  const choices = rows.map((row, index) => ({
    id: row.key,
    label: `${names[index] ?? row.key}${twins ? ` (${row.key})` : ""}`,
  }));
  const question =
    said === "it" ? "Which of these rows do you mean?" : `Which ${JSON.stringify(said)} do you mean?`;
  const { id } = context.answers.choose(question, choices);
  const row = rows.find(({ key }) => key === id);
  if (row === undefined) throw new Refusal("I left it at that: no row was chosen.");
  return row;
}

/** `row 3`, `the fifth row`, `the top row`. */
function positionOf(clause: Clause): number | null {
  const numbered = clause.find(/(?:row|line|record)(?: number| no)? #/);
  const at = numbered === null ? null : clause.tokens[numbered.end - 1]?.number?.value;
  if (numbered !== null && at !== undefined && at !== null && Number.isInteger(at) && at >= 1) {
    clause.take(numbered.start, numbered.end);
    return at;
  }
  const placed = clause.find(
    new RegExp(`(${Object.keys(positions).join("|")}) (?:visible |shown )?(?:row|line|record|entry|one)`),
  );
  if (placed === null) return null;
  clause.take(placed.start, placed.end);
  return positions[placed.groups[0] ?? ""] ?? null;
}

/** Whether the clause speaks of one row: `the cancelled order`, not `cancelled orders`. */
function isSingular(context: Context, clause: Clause): boolean {
  const nouns = clause.tokens.filter(({ word, kind }) => kind === "word" && context.lexicon.isRowNoun(word));
  return (
    nouns.length > 0 &&
    nouns.every(
      ({ word }) =>
        !word.endsWith("s") && !/^(?:people|folk|staff|ones|data|everyone|anyone|everybody)$/.test(word),
    )
  );
}
