import type { Asked } from "./asked.ts";
import { bagCondition } from "./bag.ts";
import { type Condition, conditionText, passes } from "./condition.ts";
import { type Context, offers } from "./context.ts";
import type { Field } from "./field.ts";
import { ownValue } from "./own-value.ts";
import { NotUnderstood } from "./pause.ts";
import type { Question } from "./question.ts";
import { cellSays, rowName, rowsNamed, textFields } from "./row-names.ts";
import type { ReadRows, Row } from "./rows.ts";
import {
  aggregate,
  busiest,
  distinct,
  extreme,
  grouped,
  operationText,
  shown,
  valuesOf,
} from "./summaries.ts";
import { cellText, countText, listText, numberText } from "./wording.ts";
import { fold } from "./words.ts";

/** Most columns told of one row. */
const maxTold = 12;

/** Answers a question by reading rows, in sentences that say how many rows it rests on. The view stays as it is. */
export function answerQuestion(context: Context, question: Question): string {
  const { asked, conditions, phrases, group, shownOnly } = question;
  const plain = asked.type === "count" && group === null && phrases.length === 0;
  // The table counts what its filters show: a question about just that needs no rows.
  const known = !plain
    ? null
    : conditions.length > 0
      ? shownCount(context, conditions)
      : shownOnly
        ? null
        : knownCount(context);
  if (known !== null) return known;
  const read = context.rows.read(columnsFor(context, question));
  const inView = shownOnly ? read.rows.filter((row) => viewPasses(context, row) !== false) : read.rows;
  const fit =
    asked.type === "whether"
      ? inView
      : inView.filter((row) => conditions.every((condition) => passes(condition, row.cells)));
  const rows = phrases.reduce((left, phrase) => saying(context, left, phrase), fit);
  if (phrases.length > 0 && rows.length === 0) return missing(context, read, phrases, conditions);
  const basis = basisText(context, read, shownOnly);
  const answer =
    group === null
      ? answerOf(context, asked, rows, conditions, phrases.length > 0)
      : grouped(asked, rows, group);
  return `${basis}${answer}${wholeHint(context, read, plain && conditions.length > 0)}`;
}

/** The count of rows where the view's filters are the very conditions asked about; null where they are not. */
function shownCount(context: Context, conditions: readonly Condition[]): string | null {
  const { view } = context;
  const matching = view.pagination?.totalRows;
  if (typeof matching !== "number" || view.search !== "") return null;
  const texts = (list: readonly Condition[]) => list.map(conditionText).sort().join("\n");
  const inForce = viewConditions(context);
  const all = inForce.length === viewFilterCount(context);
  if (!all || texts(inForce) !== texts(conditions)) return null;
  return `${countText(matching)} where ${listText(conditions.map(conditionText))}.`;
}

/** Columns that are filtered, whether or not what they are filtered by can be told. */
function viewFilterCount({ lexicon, view, contract }: Context): number {
  const keys = Object.keys(view.filters ?? {});
  const filters = contract.filters.filter(({ key, valueKeys }) =>
    keys.some((one) => one === key || valueKeys.includes(one)),
  );
  const known = lexicon.fields.filter(({ filter }) => filter !== undefined && filters.includes(filter));
  const strays = keys.filter(
    (one) => !filters.some(({ key, valueKeys }) => one === key || valueKeys.includes(one)),
  );
  return known.length + strays.length;
}

/** How the whole number can be had where only some rows could be read: a question changes no view by itself. */
function wholeHint(context: Context, { complete, total }: ReadRows, counts: boolean): string {
  if (complete || !counts || total === null || !offers(context, "view.setFilters")) return "";
  return " To have the table count all rows, show only those first and ask again.";
}

/** The number of all rows, when the table says it. */
function knownCount({ view, contract }: Context): string | null {
  const narrowed = Object.keys(view.filters ?? {}).length > 0 || view.search !== "";
  const matching = view.pagination?.totalRows;
  const { totalCount } = contract.source;
  if (narrowed && typeof matching === "number") {
    const all =
      typeof totalCount === "number" && totalCount >= matching ? ` of ${numberText(totalCount)}` : "";
    return `${countText(matching)}${all} match the current filters.`;
  }
  const all = matching ?? totalCount;
  return typeof all === "number" ? `There are ${countText(all)}.` : null;
}

function columnsFor(context: Context, { asked, conditions, phrases, group }: Question): string[] {
  const { title } = context.lexicon;
  const fields: (Field | undefined | null)[] = [
    title,
    group,
    "field" in asked ? asked.field : null,
    ...conditions.map(({ field }) => field),
  ];
  if (phrases.length > 0) fields.push(...textFields(context));
  if (phrases.length > 0 && asked.type === "list") fields.push(...context.lexicon.fields.slice(0, maxTold));
  if (Object.keys(context.view.filters ?? {}).length > 0)
    fields.push(...viewConditions(context).map(({ field }) => field));
  return [...new Set(fields.flatMap((field) => (field?.column?.readable ? [field.id] : [])))];
}

function saying(context: Context, rows: readonly Row[], phrase: string): Row[] {
  const named = rowsNamed(context, rows, phrase);
  return named.length > 0
    ? named
    : rows.filter((row) => textFields(context).some(({ id }) => cellSays(ownValue(row.cells, id), phrase)));
}

function missing(
  context: Context,
  read: ReadRows,
  phrases: readonly string[],
  conditions: readonly Condition[],
): string {
  const unknown = phrases.filter((phrase) => saying(context, read.rows, phrase).length === 0);
  if (unknown.length > 1 || (unknown.length === 1 && conditions.length === 0 && phrases.length > 1))
    throw new NotUnderstood(unknown[0] ?? "");
  const where = conditions.length === 0 ? "" : ` where ${listText(conditions.map(conditionText))}`;
  if (unknown.length === 0 && phrases.length > 1)
    return `${basisText(context, read, false)}No row has ${listText(phrases.map((phrase) => `"${phrase}"`))} together${where}.`;
  const hint =
    read.complete || !offers(context, "view.setSearch")
      ? ""
      : ` To look in all rows, say "search for ${phrases.join(" ")}".`;
  return `${basisText(context, read, false)}There is no row for "${phrases.join(" ")}"${where}.${hint}`;
}

/** How much of the table an answer rests on; empty when it is all of it. */
function basisText(context: Context, { rows, complete, total }: ReadRows, shownOnly: boolean): string {
  const narrowed = Object.keys(context.view.filters ?? {}).length > 0 || context.view.search !== "";
  const isNarrow = narrowed && (shownOnly || rows.every((row) => viewPasses(context, row) !== false));
  const among = isNarrow ? "Among the rows that match the current filters: " : "";
  if (complete) return among;
  const first =
    context.view.page === 1 || context.rows.wide
      ? `the first ${numberText(rows.length)}`
      : `the ${numberText(rows.length)} rows of this page,`;
  const of = total === null ? " rows" : ` of ${numberText(total)} rows`;
  return `Based on ${first}${of}${isNarrow ? " that match the current filters" : ""}: `;
}

function viewConditions({ lexicon, view }: Context): Condition[] {
  return lexicon.fields.flatMap((field) => {
    const condition = bagCondition(field, view.filters ?? {});
    return condition === null || field.column?.readable !== true ? [] : [condition];
  });
}

/** Whether a row passes the view's filters and search, as far as that can be told. */
function viewPasses(context: Context, row: Row): boolean {
  const search = fold(context.view.search);
  const found =
    search === "" || Object.values(row.cells).some((cell) => fold(cellText(cell)).includes(search));
  return found && viewConditions(context).every((condition) => passes(condition, row.cells));
}

function answerOf(
  context: Context,
  asked: Asked,
  rows: readonly Row[],
  conditions: readonly Condition[],
  isNamed: boolean,
): string {
  const where = conditions.length === 0 ? "" : ` where ${listText(conditions.map(conditionText))}`;
  if (asked.type === "count") return `${countText(rows.length)}${where}.`;
  if (asked.type === "whether") return whether(context, rows, conditions, isNamed);
  if (rows.length === 0) return `There is no row${where}.`;
  const [only, ...others] = rows;
  if (asked.type === "list" && isNamed && only !== undefined && others.length === 0)
    return rowText(context, only);
  if (asked.type === "list")
    return `${countText(rows.length)}${where}: ${listText(
      rows.map((row) => rowName(context, row)),
      12,
    )}.`;
  if (asked.type === "aggregate")
    return `${operationText(asked.operation)} ${asked.field.label} of ${countText(rows.length)}${where}: ${aggregate(asked.operation, valuesOf(rows, asked.field))}.`;
  if (asked.type === "extreme") return extreme(context, asked, rows);
  if (asked.type === "busiest") return busiest(asked, rows);
  if (asked.type === "lookup") return lookup(context, asked.field, rows);
  const values = distinct(rows, asked.field);
  if (asked.type === "distinct")
    return `${numberText(values.length)} different values of ${asked.field.label}${where}.`;
  return `${asked.field.label}${where}: ${listText(values, 20)}.`;
}

/** All that can be read of a row, for `what is T-202 about`. */
function rowText(context: Context, row: Row): string {
  const told = context.lexicon.fields.flatMap((field) => {
    const cell = ownValue(row.cells, field.id);
    return cell === null || cell === "" || field === context.lexicon.title
      ? []
      : [`${field.label} ${shown(field, cell)}`];
  });
  return `${rowName(context, row)}: ${told.join(", ")}.`;
}

/** `is Lena remote`, of each row that was named; without names, whether any row is so. */
function whether(
  context: Context,
  rows: readonly Row[],
  conditions: readonly Condition[],
  isNamed: boolean,
): string {
  const what = listText(conditions.map(conditionText));
  const fit = rows.filter((row) => conditions.every((condition) => passes(condition, row.cells)));
  const names = listText(
    (isNamed ? rows : fit).map((row) => rowName(context, row)),
    12,
  );
  if (!isNamed)
    return fit.length === 0
      ? `No row where ${what}.`
      : `Yes, ${countText(fit.length)} where ${what}: ${names}.`;
  if (fit.length === rows.length) return `Yes: of ${names}, ${what}.`;
  const cells = rows.map(
    (row) =>
      `${rowName(context, row)} (${conditions.map(({ field }) => `${field.label} ${shown(field, ownValue(row.cells, field.id))}`).join(", ")})`,
  );
  return `${fit.length === 0 ? "No" : "Not all of them"}: ${listText(cells)}.`;
}

function lookup(context: Context, field: Field, rows: readonly Row[]): string {
  const told = rows
    .slice(0, 10)
    .map(
      (row) => `${field.label} of ${rowName(context, row)}: ${shown(field, ownValue(row.cells, field.id))}`,
    );
  return `${told.join("; ")}${rows.length > 10 ? `; and ${rows.length - 10} more` : ""}.`;
}
