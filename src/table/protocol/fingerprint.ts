import type { CatalogEntry, TableContract, TableManifest } from "./contract.ts";
import { sha256 } from "./sha256.ts";

/**
 * Names what a table permits: equal for two contracts exactly when a backend may answer for one what it decided for the
 * other. What moves with the view (revision, page, visible columns, active aggregations, sampled examples, row counts)
 * and which guides happened to travel are left out, so that turning a page does not make a backend forget a contract.
 * The wire takes any text here; a digest keeps a pinned turn of a wide table small.
 */
export function contractFingerprint(
  contract: TableContract,
  manifest: TableManifest,
  catalog: CatalogEntry[],
): string {
  const { source, policy, limits, rowAddressing } = manifest;
  const { totalCount: _, ...fixedSource } = source;
  const parts = {
    tableId: manifest.tableId,
    capabilities: [...manifest.capabilities].sort(),
    catalog: [...catalog].sort((a, b) => order(a.key, b.key)),
    columns: contract.columns
      .map(({ visible: _, examples, ...column }) => (column.sampled ? column : { ...column, examples }))
      .sort((a, b) => order(a.id, b.id)),
    filters: [...contract.filters].sort((a, b) => order(a.key, b.key)),
    aggregations: contract.aggregations?.columns,
    aggregateOperations: manifest.aggregateOperations,
    rowAddressing,
    limits,
    policy,
    source: fixedSource,
  };
  return `sha256:${sha256(canonicalJson(parts))}`;
}

/** JSON whose object keys stand in order, so that equal values give equal text. What JSON leaves out is left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => order(a, b))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${members.join(",")}}`;
}

/** By code units: the same on every machine, whatever its language. */
function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
