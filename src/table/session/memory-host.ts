import { MemoryTable } from "./memory/memory-table.ts";
import type { MemoryTableHost, MemoryTableOptions } from "./memory/types.ts";

export type * from "./memory/types.ts";

/**
 * A table that keeps its rows here: sorting, search, every filter type, groups, aggregates, pages, layout, staged and
 * immediate writes. Rows are looked through only when a filter, a search or a sort first asks, and what was found is
 * remembered until something changes.
 */
export function memoryTableHost(options: MemoryTableOptions): MemoryTableHost {
  const host = new MemoryTable(options);
  for (const member of options.without ?? []) Object.defineProperty(host, member, { value: undefined });
  return host;
}
