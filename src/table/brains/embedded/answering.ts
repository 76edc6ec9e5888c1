import type { Json } from "../../../turn/json.ts";
import { bagCondition } from "./bag.ts";
import { type Condition, conditionText, passes } from "./condition.ts";
import type { Context } from "./context.ts";
import { type Field, optionLabel } from "./field.ts";
import { ownValue } from "./own-value.ts";
import { NotUnderstood } from "./pause.ts";
import type { Asked, Question } from "./question.ts";
import { cellSays, rowName, rowsNamed, textFields } from "./row-names.ts";
import type { ReadRows, Row } from "./rows.ts";
import { cellText, countText, listText, numberText } from "./wording.ts";
import { fold } from "./words.ts";

/** Most columns told of one row. */
const maxTold = 12;

/** Answers a question by reading rows, in sentences that say how many rows it rests on. The view stays as it is. */
export function answerQuestion(context: Context, question: Question): string {
  const { asked, conditions, phrases, group, shownOnly } = question;
  const known =
    shownOnly || conditions.length + phrases.length > 0 || group !== null || asked.type !== "count"
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
  return `${basis}${answer}`;
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
  return `${basisText(context, read, false)}There is no row for "${phrases.join(" ")}"${where}.`;
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

function extreme(
  context: Context,
  { field, dir, count }: Extract<Asked, { type: "extreme" }>,
  rows: readonly Row[],
): string {
  const filled = rows.filter((row) => !isEmpty(ownValue(row.cells, field.id)));
  const way = dir === "asc" ? 1 : -1;
  const sorted = [...filled].sort(
    (a, b) => way * compare(ownValue(a.cells, field.id), ownValue(b.cells, field.id)),
  );
  const last = sorted[Math.min(count, sorted.length) - 1];
  if (last === undefined) return `No row has a ${field.label}.`;
  const best = sorted.filter(
    (row) => way * compare(ownValue(row.cells, field.id), ownValue(last.cells, field.id)) <= 0,
  );
  return `${listText(
    best.map(
      (row) => `${rowName(context, row)} (${field.label} ${shown(field, ownValue(row.cells, field.id))})`,
    ),
    Math.max(count, 5),
  )}.`;
}

function busiest({ field, dir }: Extract<Asked, { type: "busiest" }>, rows: readonly Row[]): string {
  const counts = [...groups(rows, field)].filter(([name]) => name !== "empty");
  const sorted = counts.sort(([, a], [, b]) => (dir === "desc" ? b.length - a.length : a.length - b.length));
  const [first] = sorted;
  if (first === undefined) return `No row has a ${field.label}.`;
  const best = sorted.filter(([, members]) => members.length === first[1].length);
  return `${listText(best.map(([name]) => name))} with ${countText(first[1].length)}${best.length > 1 ? " each" : ""}.`;
}

function grouped(asked: Asked, rows: readonly Row[], field: Field): string {
  const counts = [...groups(rows, field)].sort(([, a], [, b]) => b.length - a.length);
  if (counts.length === 0) return "There is no such row.";
  const about =
    asked.type === "aggregate"
      ? `${operationText(asked.operation)} ${asked.field.label} by ${field.label}`
      : `Rows by ${field.label}`;
  const parts = counts.map(
    ([name, members]) =>
      `${name}: ${asked.type === "aggregate" ? aggregate(asked.operation, valuesOf(members, asked.field)) : numberText(members.length)}`,
  );
  return `${about}: ${listText(parts, 24)}.`;
}

function groups(rows: readonly Row[], field: Field): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const cell = ownValue(row.cells, field.id);
    for (const one of Array.isArray(cell) && cell.length > 0 ? cell : [cell]) {
      const name = shown(field, one);
      const members = found.get(name);
      if (members === undefined) found.set(name, [row]);
      else members.push(row);
    }
  }
  return found;
}

function distinct(rows: readonly Row[], field: Field): string[] {
  return [...groups(rows, field).keys()].filter((name) => name !== "empty");
}

function valuesOf(rows: readonly Row[], field: Field): number[] {
  return rows.flatMap((row) => {
    const cell = ownValue(row.cells, field.id);
    const value =
      typeof cell === "number"
        ? cell
        : typeof cell === "string" && cell.trim() !== ""
          ? Number(cell)
          : Number.NaN;
    return Number.isFinite(value) ? [value] : [];
  });
}

function aggregate(operation: string, values: readonly number[]): string {
  if (values.length === 0) return "no value";
  const sum = values.reduce((total, value) => total + value, 0);
  if (operation === "sum") return numberText(sum);
  if (operation === "avg") return numberText(sum / values.length);
  const sorted = [...values].sort((a, b) => a - b);
  if (operation === "min") return numberText(sorted[0] ?? 0);
  if (operation === "max") return numberText(sorted.at(-1) ?? 0);
  const middle = (sorted.length - 1) / 2;
  return numberText(((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2);
}

function operationText(operation: string): string {
  const words: Record<string, string> = {
    avg: "Average",
    sum: "Sum of",
    min: "Lowest",
    max: "Highest",
    median: "Median",
  };
  return words[operation] ?? operation;
}

function shown(field: Field, cell: Json): string {
  if (Array.isArray(cell))
    return cell.length === 0 ? "empty" : cell.map((one) => shown(field, one)).join(", ");
  return field.options.some((option) => option.value === cell) ? optionLabel(field, cell) : cellText(cell);
}

function isEmpty(cell: Json): boolean {
  return cell === null || cell === "" || typeof cell === "object";
}

function compare(a: Json, b: Json): number {
  const [left, right] = [Number(a), Number(b)];
  if (Number.isFinite(left) && Number.isFinite(right)) return left - right;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
