import type { Json, JsonObject } from "../../turn/json.ts";
import { isObject } from "./lenient.ts";
import type { LiveTable } from "./live-table.ts";
import { permittedBag } from "./view.ts";

/** An earlier answer without what an agent may no longer see. */
export function redactResult(result: Json, table: LiveTable): Json {
  if (!isObject(result)) return result;
  const redacted = { ...result };
  if (result.source === "table-rows" && isObject(result.rows))
    redacted.rows = redactWindow(result.rows, table);
  if (Array.isArray(result.columns))
    redacted.columns = result.columns.map((column) => redactColumn(column, table));
  if (Array.isArray(result.proposals)) {
    redacted.proposals = result.proposals.map((proposal) => redactProposal(proposal, table));
  }
  if (isObject(result.filters)) redacted.filters = permittedBag(result.filters, table.filters);
  if (Array.isArray(result.availableFilters)) {
    const keys = new Set(table.filters.map((filter) => filter.id));
    redacted.availableFilters = result.availableFilters.filter(
      (filter) => isObject(filter) && keys.has(String(filter.key)),
    );
  }
  if (isObject(result.totals)) redacted.totals = readableOnly(result.totals, table);
  return redacted;
}

function redactWindow(window: JsonObject, table: LiveTable): JsonObject {
  const withheld = new Set(Array.isArray(window.redacted) ? window.redacted.map(String) : []);
  const rows = (Array.isArray(window.rows) ? window.rows : []).map((row) => {
    if (!isObject(row) || !isObject(row.cells)) return row;
    for (const id of Object.keys(row.cells)) if (!isReadable(id, table)) withheld.add(id);
    return { ...row, cells: readableOnly(row.cells, table) };
  });
  return { ...window, rows, redacted: [...withheld] };
}

function redactColumn(column: Json, table: LiveTable): Json {
  if (!isObject(column) || isReadable(String(column.id), table)) return column;
  const { examples, sampled, ...rest } = column;
  return { ...rest, readable: false, sortable: false };
}

function redactProposal(proposal: Json, table: LiveTable): Json {
  if (!isObject(proposal)) return proposal;
  const { before, ...rest } = proposal;
  if (typeof proposal.column === "string") return isReadable(proposal.column, table) ? proposal : rest;
  return isObject(before) ? { ...proposal, before: readableOnly(before, table) } : proposal;
}

function readableOnly(cells: JsonObject, table: LiveTable): JsonObject {
  return Object.fromEntries(Object.entries(cells).filter(([id]) => isReadable(id, table)));
}

function isReadable(id: string, table: LiveTable): boolean {
  return table.column(id)?.readable === true;
}
