import type { CatalogEntry, TableColumn, TableContract, TableManifest } from "../protocol/contract.ts";
import { schemaVersion } from "../protocol/limits.ts";
import { textHash } from "./as-json.ts";
import { offeredBy } from "./capabilities/catalogue.ts";
import { contractColumn } from "./columns.ts";
import { contractFilter } from "./filters.ts";
import type { LiveTable } from "./live-table.ts";
import { paginationOf } from "./view.ts";
import { maxTold } from "./words.ts";

/** The contract of a table as it is now, without guides. Capabilities, columns and filters stand in a fixed order. */
export function buildContract(table: LiveTable): TableContract {
  const base = {
    tableId: table.host.tableId,
    capabilities: offeredBy(table).map(({ key, summary, summaryShort }) => ({ key, summary, summaryShort })),
    columns: table.columns.map(contractColumn),
    filters: table.filters.map(contractFilter),
    ...aggregationsOf(table),
    rowAddressing: { scope: table.rowScope, key: "rowKey" as const },
    limits: { pageMax: table.pageMax, readMax: table.readMax },
    policy: { ...table.policy },
    source: { ...table.source },
  };
  return { ...base, version: textHash(JSON.stringify(base)) };
}

function aggregationsOf(table: LiveTable): Pick<TableContract, "aggregations"> {
  const columns = table.columns
    .filter((column) => column.aggregations.length > 0)
    .map((column) => ({ id: column.id, operations: column.aggregations }));
  if (columns.length === 0 || table.host.setAggregations === undefined) return {};
  const active = Object.entries(table.view.aggregations ?? {})
    .filter(([id]) => table.column(id)?.readable === true)
    .map(([id, operation]) => ({ id, operation }));
  return { aggregations: { columns, active } };
}

/** The contract in the older shape. */
export function buildManifest(table: LiveTable, revision: number): TableManifest {
  const contract = buildContract(table);
  const pagination = paginationOf(table);
  return {
    schemaVersion,
    tableId: contract.tableId,
    viewRevision: revision,
    capabilities: contract.capabilities.map((capability) => capability.key),
    columns: contract.columns.length > maxTold ? contract.columns.map(bareColumn) : contract.columns,
    rowAddressing: contract.rowAddressing,
    ...(contract.aggregations === undefined
      ? {}
      : {
          aggregateOperations: contract.aggregations.columns.map(({ id, operations }) => ({
            id,
            operations: operations.map((operation) => operation.id),
          })),
        }),
    ...(pagination === undefined ? {} : { pagination }),
    limits: contract.limits,
    policy: contract.policy,
    source: contract.source,
  };
}

/** Of a wide table the explanations travel once, in the contract. */
function bareColumn({ description, examples, sampled, ...column }: TableColumn): TableColumn {
  return column;
}

/** What is offered, in a line each. */
export function buildCatalog(table: LiveTable): CatalogEntry[] {
  return offeredBy(table).map(({ key, summary, summaryShort, kind, idempotent }) => ({
    key,
    summary,
    summaryShort,
    kind,
    idempotent,
  }));
}
