import type { Clause } from "./clause.ts";
import { type Context, demand, pickField } from "./context.ts";
import type { Draft } from "./draft.ts";
import type { Field } from "./field.ts";
import { fieldFrom } from "./name-field.ts";
import { Refusal } from "./pause.ts";
import { usable } from "./pick-field.ts";
import { listText } from "./wording.ts";

/** Operations people name, by the ids and labels tables give them. */
const operations: Record<string, readonly string[]> = {
  avg: ["avg", "average", "mean"],
  sum: ["sum", "total"],
  min: ["min", "minimum", "lowest"],
  max: ["max", "maximum", "highest"],
  count: ["count", "number"],
  median: ["median"],
};

/** The operation a word names; null when it names none. */
export function operationOf(word: string): string | null {
  const words: Record<string, string> = {
    average: "avg",
    avg: "avg",
    mean: "avg",
    sum: "sum",
    total: "sum",
    totals: "sum",
    combined: "sum",
    min: "min",
    minimum: "min",
    lowest: "min",
    smallest: "min",
    max: "max",
    maximum: "max",
    highest: "max",
    biggest: "max",
    largest: "max",
    median: "median",
    count: "count",
  };
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null;
}

/** Understands grouping and aggregates in a clause, and takes them. True when there were any. */
export function takeGrouping(context: Context, clause: Clause, draft: Draft): boolean {
  if (
    clause.pull(
      /ungroup(?: (?:it|them|everything|the rows|the table))?|(?:stop|no|clear|remove|drop|undo|without|reset) (?:the )?(?:group|grouping|groups|grouping by)|(?:don't|not) group(?:ed)?/,
    ) !== null
  ) {
    demand(context, "view.setGroupBy", "group the rows");
    draft.group = { key: null };
    draft.doing.push("taking the grouping off");
    return true;
  }
  const found =
    clause.find(
      /(?:group|bucket|cluster|break|split|organi[sz]e|divide|segment|breakdown)(?:ed|ing)?(?: [^ ]+){0,4}? (?:by|into|per)/,
    ) ?? clause.find(/(?:broken down|breakdown) by/);
  const each = found ?? aggregatedPer(context, clause);
  if (each !== null) {
    const named = groupField(context, clause, each.end);
    clause.take(each.start, named.end);
    demand(context, "view.setGroupBy", "group the rows");
    if (context.contract.source.grouping === false) throw new Refusal("This table cannot be grouped.");
    draft.group = { key: named.field.id };
    draft.doing.push(`grouping by ${named.field.label}`);
    takeAggregates(context, clause, draft);
    return true;
  }
  return false;
}

/** Groups the view and shows an aggregate of a column. Refuses where the table cannot. */
export function groupWith(
  context: Context,
  draft: Draft,
  group: Field,
  field: Field,
  operation: string,
): void {
  draft.group = { key: group.id };
  draft.doing.push(`grouping by ${group.label}`);
  setAggregate(context, draft, field, operation);
}

/** `max total for each region`: groups are meant although nobody says so. */
function aggregatedPer(context: Context, clause: Clause) {
  const per = clause.find(/(?:for each|for every|per|by|in each)/);
  if (per === null || fieldFrom(context, clause, per.end) === null) return null;
  for (let at = 0; at < per.start; at++) {
    const named = operationOf(clause.word(at)) === null ? null : fieldFrom(context, clause, at + 1);
    if (named?.fields.some(({ kind }) => kind === "number") && named.end <= per.start) return per;
  }
  return null;
}

function groupField(context: Context, clause: Clause, from: number): { field: Field; end: number } {
  const named = fieldFrom(context, clause, from);
  if (named === null) {
    const said = clause.raw(from, Math.min(clause.length, from + 3));
    throw new Refusal(`I cannot group by ${JSON.stringify(said)}: this table has no such column.`);
  }
  const fit = usable(named.fields, "group");
  const sorted = fit.filter(({ kind }) => kind === "option" || kind === "boolean" || kind === "text");
  return {
    field: pickField(context, sorted.length > 0 ? sorted : fit, clause.raw(named.start, named.end)),
    end: named.end,
  };
}

/** `average salary`, `sum the items`, `total revenue` as aggregates of the view. True when there was one. */
export function takeAggregates(context: Context, clause: Clause, draft: Draft): boolean {
  let any = false;
  for (let at = 0; at < clause.length; at++) {
    const operation = operationOf(clause.word(at));
    if (operation === null) continue;
    const named = fieldFrom(context, clause, at + 1);
    // "max total": the second word is a column here although it names an operation elsewhere.
    const field = named === null ? null : (named.fields.find(({ kind }) => kind === "number") ?? null);
    if (named === null || field === null) continue;
    setAggregate(context, draft, field, operation);
    clause.take(at, named.end);
    any = true;
  }
  return any;
}

function setAggregate(context: Context, draft: Draft, field: Field, operation: string): void {
  demand(context, "view.setAggregations", "show aggregates");
  const offered = context.contract.aggregations?.columns.find(({ id }) => id === field.id)?.operations ?? [];
  const names = operations[operation] ?? [operation];
  const match = offered.find(
    ({ id, label }) => names.includes(id.toLowerCase()) || names.includes(label.toLowerCase()),
  );
  if (match === undefined) {
    const instead = offered.length === 0 ? "" : `; it offers ${listText(offered.map(({ label }) => label))}`;
    throw new Refusal(`This table cannot show the ${operation} of ${field.label}${instead}.`);
  }
  draft.aggregations.push([field.id, match.id]);
  draft.doing.push(`showing the ${match.label} of ${field.label}`);
}
