import type { Json } from "../../turn/json.ts";
import type { TableColumn } from "../protocol/contract.ts";
import type { TableSessionOptions } from "./session-types.ts";
import type { HostColumn, TableHost } from "./table-host.ts";

const maxExamples = 5;

/** A column with what an agent may do with it now. Whoever may not read a column may not sort or group by it either. */
export interface PermittedColumn extends TableColumn {
  pinnable: boolean;
  hideable: boolean;
  visible: boolean;
  groupable: boolean;
  nullable: boolean;
  aggregations: NonNullable<HostColumn["aggregations"]>;
}

/** Columns in the host's own order, narrowed by the session's permissions. */
export function permittedColumns(
  host: TableHost,
  hidden: ReadonlySet<string>,
  permit: TableSessionOptions["permit"],
): PermittedColumn[] {
  return host.columns().map((column) => {
    const permitted = permit?.(column) ?? {};
    const readable = (column.readable ?? true) && (permitted.readable ?? true);
    const examples = readable ? fittingExamples(column) : [];
    return {
      id: column.id,
      label: column.label,
      type: column.type,
      readable,
      writable: (column.writable ?? false) && (permitted.writable ?? true),
      sortable: readable && (column.sortable ?? false) && host.setSort !== undefined,
      pinnable: (column.pinnable ?? true) && host.setPinnedColumns !== undefined,
      hideable: (column.hideable ?? true) && host.setHiddenColumns !== undefined,
      visible: !hidden.has(column.id),
      ...(column.description === undefined ? {} : { description: column.description }),
      ...(examples.length === 0 ? {} : { examples }),
      ...(examples.length > 0 && column.sampled === true ? { sampled: true as const } : {}),
      groupable: readable && (column.groupable ?? true),
      nullable: column.nullable ?? false,
      aggregations: readable ? (column.aggregations ?? []) : [],
    };
  });
}

/** The column as a contract carries it. */
export function contractColumn(column: PermittedColumn): TableColumn {
  const { groupable, nullable, aggregations, ...rest } = column;
  return rest;
}

function fittingExamples(column: HostColumn): Json[] {
  return (column.examples ?? []).filter((value) => fitsType(value, column.type)).slice(0, maxExamples);
}

/** Whether a cell of this type may hold the value. Columns of a host's own type hold anything but objects. */
export function fitsType(value: Json, type: string): boolean {
  switch (type) {
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "date":
      return typeof value === "string" && isDate(value);
    default:
      return value !== null && typeof value !== "object";
  }
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`, with or without a time after it. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ]\d{2}:\d{2})/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
