import type { Json } from "../../turn/json.ts";
import type { TableFilter } from "../protocol/contract.ts";
import type { PermittedColumn } from "./columns.ts";
import type { HostFilter, TableHost } from "./table-host.ts";

/** Options published to an agent at all, and those a contract carries of them. */
const maxPublished = 50;
const maxInContract = 24;

/** A filter an agent may use, with every option it has; `column` is the one it reads, when that is one. */
export interface PermittedFilter {
  /** The filter's key, named as `matchName` wants it. */
  id: string;
  label: string;
  type: string;
  column: string;
  operators: string[];
  defaultOperator: string;
  valueKeys: string[];
  options?: { value: Json; label: string }[];
}

interface FilterKind {
  operators: string[];
  defaultOperator: string;
  /** Endings of the bag's keys, after the filter's own. */
  endings: string[];
}

const choice = { operators: ["eq"], defaultOperator: "eq", endings: [""] };
const choices = { operators: ["in"], defaultOperator: "in", endings: [""] };

const kinds: Record<string, FilterKind> = {
  text: {
    operators: ["contains", "notContains", "eq", "neq", "startsWith", "endsWith", "empty", "notEmpty"],
    defaultOperator: "contains",
    endings: ["", "Op"],
  },
  numberRange: {
    operators: ["gte", "lte", "gt", "lt", "eq", "neq", "between", "in", "notIn"],
    defaultOperator: "gte",
    endings: ["Min", "Max", "", "Op"],
  },
  dateRange: {
    operators: ["on", "before", "after", "gte", "lte", "between", "relative", "empty"],
    defaultOperator: "on",
    endings: ["From", "To", "Op"],
  },
  select: choice,
  boolean: choice,
  multiSelect: choices,
  checklist: choices,
};

/** A host's filter with what its type implies filled in. */
export function completeFilter(filter: HostFilter): PermittedFilter {
  const kind = Object.hasOwn(kinds, filter.type) ? kinds[filter.type] : undefined;
  const operators = filter.operators ?? kind?.operators ?? ["eq"];
  const endings = kind?.endings ?? (operators.length > 1 ? ["", "Op"] : [""]);
  const asked = operators.length > 1 && !endings.includes("Op") ? [...endings, "Op"] : endings;
  const usual = kind?.defaultOperator;
  return {
    id: filter.key,
    label: filter.label,
    type: filter.type,
    column: filter.column ?? filter.key,
    operators,
    defaultOperator:
      filter.defaultOperator ??
      (usual !== undefined && operators.includes(usual) ? usual : (operators[0] ?? "eq")),
    valueKeys: filter.valueKeys ?? asked.map((ending) => filter.key + ending),
    ...(filter.options === undefined ? {} : { options: filter.options }),
  };
}

/** Filters that read no column an agent may not see. */
export function permittedFilters(
  host: TableHost,
  columns: ReadonlyMap<string, PermittedColumn>,
): PermittedFilter[] {
  if (host.setFilters === undefined) return [];
  return (host.filters?.() ?? [])
    .map(completeFilter)
    .filter((filter) => columns.get(filter.column)?.readable ?? true);
}

/** The filter with as many options as guides carry: a longer list is left out whole. */
export function publishedFilter(filter: PermittedFilter): TableFilter {
  const { id, label, type, operators, defaultOperator, valueKeys, options } = filter;
  const base = { key: id, label, type, operators, defaultOperator, valueKeys };
  if (options === undefined) return base;
  return options.length > maxPublished ? { ...base, optionsOmitted: true } : { ...base, options };
}

/** The filter as a contract carries it: the first options, with a mark when there are more. */
export function contractFilter(filter: PermittedFilter): TableFilter {
  const published = publishedFilter(filter);
  if (published.options === undefined || published.options.length <= maxInContract) return published;
  return { ...published, options: published.options.slice(0, maxInContract), optionsOmitted: true };
}
