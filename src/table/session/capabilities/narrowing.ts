import type { Json, JsonObject } from "../../../turn/json.ts";
import { putOwn } from "../../protocol/own.ts";
import { asJson } from "../as-json.ts";
import type { CapabilityDefinition } from "../capability.ts";
import { type PermittedFilter, publishedFilter } from "../filters.ts";
import { isObject, renamed, sortDirection } from "../lenient.ts";
import type { LiveTable } from "../live-table.ts";
import { readFilters } from "../read-filters.ts";
import { Refusal } from "../refusal.ts";
import { nameOf, objectOf, positiveInteger, viewResult } from "../schemas.ts";
import { permittedBag } from "../view.ts";
import { filterWords, listWords, maxTold, sortWords } from "../words.ts";

export const setPage: CapabilityDefinition = {
  key: "view.setPage",
  kind: "view",
  idempotent: true,
  mutates: true,
  families: ["view"],
  summary: "Go to a page, and change how many rows a page has.",
  summaryShort: "Go to page",
  wired: (table) => table.host.setPage !== undefined,
  guide: (table) =>
    `page counts from 1${table.totalPages === undefined ? "" : `; there are ${table.totalPages} now`}. limit, when given, is ${
      table.view.pageSizes === undefined
        ? `at most ${table.pageMax}`
        : `one of ${table.view.pageSizes.join(", ")}`
    } and takes effect before the page.`,
  input: (table, narrow) =>
    objectOf(
      {
        page: positiveInteger("from 1"),
        limit: {
          ...positiveInteger("rows a page"),
          ...(narrow && table.view.pageSizes !== undefined ? { enum: [...table.view.pageSizes] } : {}),
        },
      },
      ["page"],
    ),
  output: viewResult({ page: { type: "integer" }, limit: { type: "integer" } }),
  plan(args, { table }) {
    const page = Number(args.page);
    const limit = Number(args.limit ?? table.pageSize);
    const { pageSizes, totalRows, canJump, page: current = 1 } = table.view;
    if (limit !== table.pageSize && pageSizes !== undefined && !pageSizes.includes(limit)) {
      throw new Refusal("invalid-arguments", `limit must be one of ${pageSizes.join(", ")}`);
    }
    if (limit > table.pageMax)
      throw new Refusal("invalid-arguments", `limit must be at most ${table.pageMax}`);
    const pages = totalRows === undefined ? undefined : Math.max(1, Math.ceil(totalRows / limit));
    if (pages !== undefined && page > pages) {
      throw new Refusal("invalid-arguments", `page ${page} is past the last page, ${pages}`);
    }
    if (canJump === false && Math.abs(page - current) > 1) {
      throw new Refusal(
        "invalid-arguments",
        `pages of this table follow one another: the next is ${current + 1}`,
      );
    }
    return {
      type: "view",
      apply: () => table.host.setPage?.({ page, limit }),
      result: (after) => ({ page: after.view.page ?? page, limit: after.pageSize }),
      text: () => `Page ${page}${limit === table.pageSize ? "" : `, ${limit} rows a page`}`,
    };
  },
};

export const setSort: CapabilityDefinition = {
  key: "view.setSort",
  kind: "view",
  idempotent: true,
  mutates: true,
  families: ["view"],
  summary: "Sort by one column, or stop sorting.",
  summaryShort: "Sort",
  wired: (table) => table.columns.some((column) => column.sortable),
  guide: () =>
    'key is a sortable column\'s id, or null to stop sorting. dir is "asc" (lowest, oldest, A first; the default) or "desc".',
  input: (table, narrow) =>
    objectOf(
      {
        key: nameOf(narrow ? sortableIds(table) : null, "column id, or null for no order", true),
        dir: { type: ["string", "null"], enum: ["asc", "desc", null] },
      },
      ["key"],
    ),
  output: viewResult({ sort: { type: ["object", "null"] } }),
  lenient(args) {
    const nested = [args.sort, args.sortBy, args.order].find(isObject);
    const flat = nested === undefined ? args : nested;
    const named = renamed(flat, ["column", "field", "sortBy", "by", "id", "sort"], "key");
    const directed = renamed(named, ["direction", "order", "sortDir", "sortDirection"], "dir");
    if (directed.dir === undefined && typeof directed.desc === "boolean") {
      const { desc, ...rest } = directed;
      return { ...rest, dir: desc ? "desc" : "asc" };
    }
    return directed.dir === undefined ? directed : { ...directed, dir: sortDirection(directed.dir) };
  },
  plan(args, { table }) {
    const sort =
      args.key === null
        ? null
        : {
            key: table.columnThat(String(args.key), (column) => column.sortable, "sorted by").id,
            dir: args.dir === "desc" ? ("desc" as const) : ("asc" as const),
          };
    return {
      type: "view",
      apply: () => table.host.setSort?.(sort),
      result: () => ({ sort }),
      text: () => (sort === null ? "Sorting cleared" : `Sorted by ${sortWords(table, sort)}`),
    };
  },
};

function sortableIds(table: LiveTable): string[] {
  return table.columns.filter((column) => column.sortable).map((column) => column.id);
}

export const setSearch: CapabilityDefinition = {
  key: "view.setSearch",
  kind: "view",
  idempotent: true,
  mutates: true,
  families: ["view"],
  summary: "Keep rows that contain a text, or clear the search.",
  summaryShort: "Search",
  wired: (table) => table.host.setSearch !== undefined,
  guide: () => 'query is looked for in all columns; "" clears the search. For one column use a filter.',
  input: () => objectOf({ query: { type: "string", description: '"" clears' } }, ["query"]),
  output: viewResult({ query: { type: "string" } }),
  lenient: (args) => renamed(args, ["search", "text", "term"], "query"),
  plan(args, { table }) {
    const query = String(args.query);
    return {
      type: "view",
      apply: () => table.host.setSearch?.(query),
      result: () => ({ query }),
      text: () => (query === "" ? "Search cleared" : `Searched for “${query}”`),
    };
  },
};

export const setFilters: CapabilityDefinition = {
  key: "view.setFilters",
  kind: "view",
  idempotent: true,
  mutates: true,
  families: ["view"],
  summary: "Set which rows are shown by filters. Replaces all filters; {} clears them.",
  summaryShort: "Filter",
  wired: (table) => table.filters.length > 0,
  guide: (table) =>
    `filters replaces all filters in force, so repeat those that stay; {} clears. Write a list of { key, op, value }, or a bag by the keys of valueKeys. between takes [low, high], in a list, empty nothing. ${
      table.filters.some((filter) => filter.operators.includes("relative"))
        ? "Days are YYYY-MM-DD; relative takes today, yesterday, tomorrow, thisWeek, thisMonth, previousMonth, last:N or next:N (N days, today among them). "
        : ""
    }The filters: ${
      table.filters.length > maxTold
        ? `${table.filters.length}, as the contract lists them`
        : table.filters.map(filterGuide).join("; ")
    }.`,
  input: (table, narrow) =>
    objectOf(
      {
        filters: narrow
          ? {
              anyOf: [
                bagSchema(table),
                conditionSchema(table),
                { type: "array", items: conditionSchema(table) },
              ],
            }
          : { type: ["object", "array"], description: "a bag, or a list of { key, op, value }" },
      },
      ["filters"],
    ),
  output: viewResult({ filters: { type: "object" } }),
  lenient(args) {
    if (Object.hasOwn(args, "filters")) return args;
    const named = renamed(args, ["filter", "conditions", "where"], "filters");
    if (Object.hasOwn(named, "filters")) return named;
    return Object.hasOwn(args, "key") || Object.hasOwn(args, "column") ? { filters: args } : args;
  },
  plan(args, { table }) {
    const bag = readFilters(args.filters ?? {}, table.filters);
    const before = table.view.filters ?? {};
    const seen = permittedBag(before, table.filters);
    // What the reader filtered by and an agent may not see stays in force.
    const unseen = Object.fromEntries(Object.entries(before).filter(([key]) => !Object.hasOwn(seen, key)));
    const words = filterWords(table, bag).map(({ label, words }) => `${label} ${words}`);
    return {
      type: "view",
      apply: () => table.host.setFilters?.({ ...unseen, ...bag }),
      result: (after) => ({ filters: asJson(permittedBag(after.view.filters ?? bag, after.filters)) }),
      text: () => (words.length === 0 ? "Filters cleared" : `Filtered: ${listWords(words)}`),
    };
  },
};

function filterGuide(filter: PermittedFilter): string {
  const shown = filter.options?.slice(0, 12).map((option) => String(option.value));
  const more = (filter.options?.length ?? 0) > 12 ? ", …" : "";
  const options = shown === undefined ? "" : ` of ${shown.join(", ")}${more}`;
  return `${filter.id} (${filter.label}: ${filter.operators.join(" ")}; ${filter.defaultOperator} unless given${options})`;
}

/** What a bag may hold for each filter there is. */
function bagSchema(table: LiveTable): JsonObject {
  const properties: Record<string, JsonObject> = {};
  for (const filter of table.filters) {
    for (const key of filter.valueKeys) {
      const isOperator = key === `${filter.id}Op`;
      putOwn(
        properties,
        key,
        isOperator ? { type: "string", enum: [...filter.operators] } : valueSchema(filter),
      );
    }
  }
  return objectOf(properties);
}

function valueSchema(filter: PermittedFilter): JsonObject {
  const { options } = publishedFilter(filter);
  const values: Json[] | undefined = options?.map((option) => String(option.value));
  const scalar: JsonObject =
    values === undefined ? { type: ["string", "number", "boolean"] } : { enum: values };
  return filter.operators.includes("in") ? { anyOf: [scalar, { type: "array", items: scalar }] } : scalar;
}

function conditionSchema(table: LiveTable): JsonObject {
  return objectOf(
    {
      key: { type: "string", enum: table.filters.map((filter) => filter.id) },
      op: { type: "string", enum: [...new Set(table.filters.flatMap((filter) => filter.operators))] },
      value: { description: "one value; [low, high] for between; a list for in" },
    },
    ["key"],
  );
}
