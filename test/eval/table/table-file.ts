import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import type { CatalogEntry, TableContract, TableFilter } from "../../../src/table/protocol/contract.ts";
import type { Json, JsonObject } from "../../../src/turn/json.ts";

const json: z.ZodType<Json> = z.json();
const bag = z.record(z.string(), json);

const tableFile = z.strictObject({
  today: z.string(),
  contract: z.strictObject({
    capabilities: z.array(z.string()),
    summaries: z.record(z.string(), z.string()).default({}),
    inputs: z.record(z.string(), bag).default({}),
    describes: z.record(z.string(), bag).default({}),
    columns: z.array(
      z.strictObject({
        id: z.string(),
        label: z.string(),
        type: z.string(),
        readable: z.boolean().default(true),
        writable: z.boolean().default(false),
        sortable: z.boolean().default(true),
        description: z.string().optional(),
      }),
    ),
    filters: z.array(
      z.strictObject({
        key: z.string(),
        label: z.string(),
        type: z.string(),
        options: z.union([z.array(z.string()), z.record(z.string(), z.string())]).optional(),
      }),
    ),
    aggregations: z.record(z.string(), z.array(z.string())).default({}),
    readMax: z.number(),
    policy: z.strictObject({
      write: z.enum(["deny", "allow"]),
      approval: z.enum(["writes", "destructive", "never"]),
      commit: z.enum(["stage", "immediate"]),
    }),
    source: z.strictObject({ fullDataset: z.boolean(), grouping: z.string() }),
  }),
  view: z.strictObject({ page: z.number(), limit: z.number(), pageSizeOptions: z.array(z.number()) }),
  rows: z.strictObject({ columns: z.array(z.string()), data: z.record(z.string(), z.array(json)) }),
});

/** What a request changes of a table's contract. */
export interface ContractChange {
  without?: string[] | undefined;
  readOnly?: string[] | undefined;
  policy?: Partial<TableContract["policy"]> | undefined;
}

/** A table as a request finds it: what it permits, what is in it, and what `describe` tells beyond the contract. */
export interface EvalTable {
  today: string;
  contract: TableContract;
  catalog: CatalogEntry[];
  describes: Record<string, JsonObject>;
  rows: { rowKey: string; cells: JsonObject }[];
  view: { page: number; limit: number; pageSizeOptions: number[] };
}

const operators: Record<string, string[]> = {
  text: ["eq", "neq", "contains", "notContains", "startsWith", "endsWith", "empty", "notEmpty"],
  numberRange: ["eq", "neq", "gt", "gte", "lt", "lte", "between", "in", "notIn"],
  dateRange: ["before", "after", "on", "gte", "lte", "between", "relative", "empty"],
  select: ["eq"],
  boolean: ["eq"],
  multiSelect: ["in"],
  checklist: ["in"],
};

const defaults: Record<string, string> = { text: "contains", numberRange: "gte", dateRange: "on" };

/** Reads one of `tables/`, with the changes a request makes to its contract. Throws when the file is malformed. */
export function loadTable(name: string, change: ContractChange = {}): EvalTable {
  const text = readFileSync(new URL(`tables/${name}.yaml`, import.meta.url), "utf8");
  const file = tableFile.parse(parse(text));
  const { contract: given, rows, view, today } = file;
  const keys = given.capabilities.filter((key) => !change.without?.includes(key));
  const contract: TableContract = {
    tableId: name,
    version: "1",
    capabilities: keys.map((key) => {
      const input = given.inputs[key];
      return { key, summary: given.summaries[key] ?? key, ...(input === undefined ? {} : { input }) };
    }),
    columns: given.columns.map(({ description, ...column }) => ({
      ...column,
      writable: column.writable && !change.readOnly?.includes(column.id),
      pinnable: true,
      hideable: true,
      visible: true,
      ...(description === undefined ? {} : { description }),
    })),
    filters: given.filters.map(filterOf),
    aggregations: {
      columns: Object.entries(given.aggregations).map(([id, ids]) => ({
        id,
        operations: ids.map((op) => ({ id: op, label: op })),
      })),
      active: [],
    },
    rowAddressing: { scope: given.source.fullDataset ? "full" : "page", key: "rowKey" },
    limits: { pageMax: 50, readMax: given.readMax },
    policy: { ...given.policy, ...change.policy },
    source: { ...given.source, selectAcrossPages: true, exportScope: "view", totalCount: null },
  };
  return {
    today,
    contract,
    catalog: keys.map((key) => ({ key, summary: given.summaries[key] ?? key })),
    describes: given.describes,
    rows: Object.entries(rows.data).map(([rowKey, cells]) => ({
      rowKey,
      cells: Object.fromEntries(rows.columns.map((id, index) => [id, cells[index] ?? null])),
    })),
    view,
  };
}

function filterOf(filter: z.infer<typeof tableFile>["contract"]["filters"][number]): TableFilter {
  const { key, label, type, options } = filter;
  const suffixes =
    type === "numberRange"
      ? ["Min", "Max", "", "Op"]
      : type === "dateRange"
        ? ["From", "To", "Op"]
        : type === "text"
          ? ["", "Op"]
          : [""];
  const pairs =
    options === undefined
      ? undefined
      : Array.isArray(options)
        ? options.map((one) => [one, one])
        : Object.entries(options);
  return {
    key,
    label,
    type,
    operators: operators[type] ?? ["eq"],
    defaultOperator: defaults[type] ?? operators[type]?.[0] ?? "eq",
    valueKeys: suffixes.map((suffix) => `${key}${suffix}`),
    ...(pairs === undefined
      ? {}
      : { options: pairs.map(([value = "", text = ""]) => ({ value, label: text })) }),
  };
}
