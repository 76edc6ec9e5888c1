import type { Json } from "../../../turn/json.ts";
import type { TableColumn, TableContract, TableFilter } from "../../protocol/contract.ts";
import { conceptsOf } from "./concepts.ts";
import { fold, wordsOf } from "./words.ts";

/** What can be said about a column: the column itself, its filter, or both. */
export interface Field {
  id: string;
  label: string;
  kind: "number" | "date" | "boolean" | "option" | "text" | "other";
  column?: TableColumn;
  filter?: TableFilter;
  /** Values the filter offers; empty when it names none. */
  options: { value: Json; label: string }[];
  /** What people call such columns. */
  concepts: string[];
}

/** The fields of a table, in the order of its columns; filters without a column come last. */
export function fieldsOf({ columns, filters }: TableContract): Field[] {
  const filterOf = new Map<string, TableFilter>();
  for (const filter of filters) {
    const column = columns.find(({ id }) => id === filter.key) ?? onlyOne(columns, filter.label);
    if (column !== undefined && !filterOf.has(column.id)) filterOf.set(column.id, filter);
  }
  const own = new Set(filterOf.values());
  return [
    ...columns.map((column) => fieldOf(column, filterOf.get(column.id))),
    ...filters.filter((filter) => !own.has(filter)).map((filter) => fieldOf(undefined, filter)),
  ];
}

/** A field's label, with its id where another field has the same label. */
export function labelOf(field: Field, fields: readonly Field[]): string {
  const twins = fields.filter(({ label }) => fold(label) === fold(field.label));
  return twins.length > 1 ? `${field.label} (${field.id})` : field.label;
}

/** The option's label for a value of a field; values without one as text. */
export function optionLabel(field: Field | undefined, value: Json): string {
  return field?.options.find((option) => option.value === value)?.label ?? String(value);
}

function onlyOne(columns: readonly TableColumn[], label: string): TableColumn | undefined {
  const found = columns.filter((column) => fold(column.label) === fold(label));
  return found.length === 1 ? found[0] : undefined;
}

function fieldOf(column: TableColumn | undefined, filter: TableFilter | undefined): Field {
  const id = column?.id ?? filter?.key ?? "";
  const label = column?.label ?? filter?.label ?? id;
  const kind = kindOf(filter?.type, column?.type);
  return {
    id,
    label,
    kind,
    options: filter?.options ?? [],
    concepts: conceptsOf(kind, [...wordsOf(label), ...wordsOf(id)], wordsOf(column?.description ?? "")),
    ...(column === undefined ? {} : { column }),
    ...(filter === undefined ? {} : { filter }),
  };
}

function kindOf(filterType: string | undefined, columnType: string | undefined): Field["kind"] {
  if (filterType === "numberRange" || columnType === "number") return "number";
  if (filterType === "dateRange" || columnType === "date") return "date";
  if (filterType === "boolean" || columnType === "boolean") return "boolean";
  if (filterType === "select" || filterType === "multiSelect" || filterType === "checklist") return "option";
  return filterType === "text" || columnType === "string" ? "text" : "other";
}
