import type { JsonObject } from "../../../turn/json.ts";
import { putOwn } from "../../protocol/own.ts";
import { asJson } from "../as-json.ts";
import type { CapabilityDefinition } from "../capability.ts";
import type { PermittedColumn } from "../columns.ts";
import { isObject, renamed } from "../lenient.ts";
import type { LiveTable } from "../live-table.ts";
import { matchName } from "../match-name.ts";
import { Refusal } from "../refusal.ts";
import { nameOf, objectOf, viewResult } from "../schemas.ts";
import { listWords, maxTold } from "../words.ts";

export const setGroupBy: CapabilityDefinition = {
  key: "view.setGroupBy",
  kind: "view",
  idempotent: true,
  mutates: true,
  families: ["grouping"],
  summary: "Group rows by one column, or stop grouping.",
  summaryShort: "Group",
  wired: groups,
  guide: () => "key is a column's id, or null to stop grouping.",
  input: (table, narrow) =>
    objectOf({ key: nameOf(narrow ? groupableIds(table) : null, "column id, or null for no groups", true) }, [
      "key",
    ]),
  output: viewResult({ groupBy: { type: ["string", "null"] } }),
  lenient: (args) => renamed(args, ["groupBy", "column", "field", "by"], "key"),
  plan(args, { table }) {
    const key =
      args.key === null
        ? null
        : table.columnThat(String(args.key), (column) => column.groupable, "grouped by").id;
    return {
      type: "view",
      apply: () => table.host.setGroupBy?.(key),
      result: () => ({ groupBy: key }),
      text: () => (key === null ? "Groups cleared" : `Grouped by ${table.label(key)}`),
    };
  },
};

function groups(table: LiveTable): boolean {
  return table.host.setGroupBy !== undefined && table.source.grouping !== false;
}

function groupableIds(table: LiveTable): string[] {
  return table.columns.filter((column) => column.groupable).map((column) => column.id);
}

export const setAggregations: CapabilityDefinition = {
  key: "view.setAggregations",
  kind: "view",
  idempotent: true,
  mutates: true,
  families: ["grouping"],
  dependsOn: ["view.setGroupBy"],
  summary: "Choose what is totalled of each column: sums, averages, counts.",
  summaryShort: "Total columns",
  wired: (table) => groups(table) && table.host.setAggregations !== undefined && aggregable(table).length > 0,
  guide: (table) =>
    `Exactly one of: set ({ column: operation }, added to those active), remove ([column]) or restoreDefaults (true). ${operationsGuide(table)}.`,
  input: (table, narrow) =>
    objectOf({
      set: narrow ? operationsSchema(table) : { type: "object" },
      remove: {
        type: "array",
        minItems: 1,
        items: nameOf(narrow ? aggregable(table).map((column) => column.id) : null, "column id"),
      },
      restoreDefaults: { type: "boolean", enum: [true] },
    }),
  output: viewResult({
    applied: { type: "object" },
    pending: { type: "boolean", description: "the server has not computed them yet" },
    totals: { type: "object", description: "over all rows that match, when known" },
  }),
  lenient(args) {
    const named = renamed(args, ["aggregations"], "set");
    if (typeof named.remove === "string") return { ...named, remove: [named.remove] };
    const { column, key, operation, op, ...rest } = named;
    const single = column ?? key;
    const how = operation ?? op;
    return typeof single === "string" && how !== undefined && Object.keys(rest).length === 0
      ? { set: { [single]: how } }
      : named;
  },
  plan(args, { table }) {
    const wishes = [args.set, args.remove, args.restoreDefaults].filter((wish) => wish !== undefined);
    if (wishes.length !== 1) {
      throw new Refusal("invalid-arguments", "give exactly one of set, remove and restoreDefaults");
    }
    const next = nextAggregations(args, table);
    const words = Object.entries(next).map(([id, operation]) => aggregationWords(table, id, operation));
    return {
      type: "view",
      apply: () => table.host.setAggregations?.(next),
      result: (after) => ({
        applied: asJson(after.view.aggregations ?? next),
        pending: after.view.aggregationsPending ?? false,
        ...permittedTotals(after),
      }),
      text: () => (words.length === 0 ? "Totals cleared" : `Totals: ${listWords(words)}`),
    };
  },
};

/** `average of Salary`. */
export function aggregationWords(table: LiveTable, id: string, operation: string): string {
  const named = table.column(id)?.aggregations.find((own) => own.id === operation);
  return `${(named?.label ?? operation).toLowerCase()} of ${table.label(id)}`;
}

function nextAggregations(args: JsonObject, table: LiveTable): Record<string, string> {
  if (args.restoreDefaults === true) return { ...table.host.defaultAggregations?.() };
  const next = { ...table.view.aggregations };
  if (Array.isArray(args.remove)) {
    for (const name of args.remove) delete next[columnOf(table, String(name)).id];
    return next;
  }
  for (const [name, wanted] of Object.entries(isObject(args.set) ? args.set : {})) {
    const column = columnOf(table, name);
    const operation = matchName(String(wanted), column.aggregations);
    if (operation === undefined) {
      const known = column.aggregations.map((own) => own.id).join(", ");
      throw new Refusal("invalid-arguments", `column "${column.id}" has no "${wanted}": it has ${known}`);
    }
    putOwn(next, column.id, operation.id);
  }
  return next;
}

function columnOf(table: LiveTable, name: string): PermittedColumn {
  return table.columnThat(name, (column) => column.aggregations.length > 0, "totalled");
}

function aggregable(table: LiveTable): PermittedColumn[] {
  return table.columns.filter((column) => column.aggregations.length > 0);
}

function operationsGuide(table: LiveTable): string {
  const columns = aggregable(table);
  if (columns.length > maxTold) return `${columns.length} columns can, as the contract lists them`;
  return columns
    .map(({ id, aggregations }) => `${id}: ${aggregations.map((own) => own.id).join(", ")}`)
    .join("; ");
}

function operationsSchema(table: LiveTable): JsonObject {
  return objectOf(
    Object.fromEntries(
      aggregable(table).map((column) => [
        column.id,
        { type: "string", enum: column.aggregations.map((operation) => operation.id) },
      ]),
    ),
  );
}

function permittedTotals(table: LiveTable): { totals?: JsonObject } {
  const totals = table.host.totals?.();
  if (totals === undefined) return {};
  return {
    totals: Object.fromEntries(Object.entries(totals).filter(([id]) => table.column(id)?.readable === true)),
  };
}
