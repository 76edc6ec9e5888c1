import type { ContextSelection, TableContract, TableManifest } from "../protocol/contract.ts";
import type { AgentHttpRequest } from "../protocol/messages.ts";
import { given } from "../protocol/shape.ts";
import type { ContextOptions, TableSessionPort } from "./session-port.ts";

/** What a request tells of its table. */
export type Description = Required<Pick<AgentHttpRequest, "context" | "manifest" | "catalog">>;

/**
 * The description within `room` bytes of JSON, with as little left out as that takes, and a note of it in the
 * selection: guides and what explains columns first (the compact profile), then the manifest's second copy of the columns,
 * then columns with their filters and totals, those out of sight first. As it was when nothing of that is enough.
 */
export function fitDescription(
  session: TableSessionPort,
  described: Description,
  options: ContextOptions,
  room: number,
): Description {
  if (jsonBytes(described) <= room) return described;
  const compact = session.context({ ...options, profile: "compact" });
  const brief = {
    ...described,
    context: noted(compact, "the whole explanation is too large for one request"),
  };
  if (jsonBytes(brief) <= room) return brief;
  const lean = { ...brief, manifest: leanManifest(described.manifest) };
  if (jsonBytes(lean) <= room) return lean;
  return narrowed(lean, room) ?? described;
}

/** Bytes of a value as JSON in UTF-8. */
export function jsonBytes(value: object): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function leanManifest({ aggregateOperations, ...manifest }: TableManifest): TableManifest {
  return { ...manifest, columns: [] };
}

function narrowed(lean: Description, room: number): Description | undefined {
  const { contract } = lean.context;
  const wide = contract.columns.length;
  const inSight = [
    ...contract.columns.filter(({ visible }) => visible !== false),
    ...contract.columns.filter(({ visible }) => visible === false),
  ].map(({ id }) => id);
  const withFirst = (count: number): Description => {
    const kept = new Set(inSight.slice(0, count));
    const note = `${count} of ${wide} columns are told, those in sight first: one request holds no more. columns.describe lists them all.`;
    const context = {
      contract: withColumns(contract, kept),
      selection: withoutColumns(lean.context.selection, kept),
    };
    return { ...lean, context: noted(context, note) };
  };
  const cost = columnCosts(lean.context);
  let [count, taken] = [0, jsonBytes(withFirst(0)) + String(wide).length];
  for (const id of inSight) {
    taken += cost.get(id) ?? 0;
    if (taken > room) break;
    count += 1;
  }
  return count === 0 ? undefined : withFirst(count);
}

/** Bytes that each column takes with everything that is told of it, each part with a comma. */
function columnCosts({ contract, selection }: Description["context"]): Map<string, number> {
  const costs = new Map<string, number>();
  const add = (id: string, part: object | string) =>
    costs.set(id, (costs.get(id) ?? 0) + 1 + jsonBytes([part]) - 2);
  for (const column of contract.columns) add(column.id, column);
  for (const filter of contract.filters) add(filter.key, filter);
  for (const total of [...(contract.aggregations?.columns ?? []), ...(contract.aggregations?.active ?? [])])
    add(total.id, total);
  for (const entry of selection.deferred) add(entry.key, entry);
  for (const id of selection.deferredColumns ?? []) add(id, id);
  return costs;
}

function withColumns(contract: TableContract, kept: ReadonlySet<string>): TableContract {
  const { aggregations } = contract;
  const left = new Set(contract.columns.map(({ id }) => id).filter((id) => !kept.has(id)));
  return {
    ...contract,
    columns: contract.columns.filter(({ id }) => kept.has(id)),
    // A filter says by its key which column it is of, where it is of one.
    filters: contract.filters.filter(({ key }) => !left.has(key)),
    ...(aggregations === undefined
      ? {}
      : {
          aggregations: {
            columns: aggregations.columns.filter(({ id }) => kept.has(id)),
            active: aggregations.active.filter(({ id }) => kept.has(id)),
          },
        }),
  };
}

/** What was deferred of a column that is not told is not told either. */
function withoutColumns(
  { deferredColumns, deferred, ...selection }: ContextSelection,
  kept: ReadonlySet<string>,
): ContextSelection {
  const bare = deferredColumns?.filter((id) => kept.has(id)) ?? [];
  return {
    ...selection,
    deferred: deferred.filter(({ key, kind }) => kind !== "column" || kept.has(key)),
    ...given("deferredColumns", bare.length === 0 ? undefined : bare),
  };
}

function noted(
  { contract, selection }: { contract: TableContract; selection: ContextSelection },
  note: string,
): Description["context"] {
  const notes = [...(selection.notes ?? []), note];
  const version = `${selection.version}:${contract.columns.length}`;
  return { contract, selection: { ...selection, version, contractBytes: jsonBytes(contract), notes } };
}
