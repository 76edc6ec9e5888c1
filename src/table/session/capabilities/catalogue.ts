import type { CapabilityDefinition } from "../capability.ts";
import type { LiveTable } from "../live-table.ts";
import { editCells } from "./editing.ts";
import { setAggregations, setGroupBy } from "./grouping.ts";
import { actionCapability, exportRun, viewsApply } from "./host-features.ts";
import { hideColumn, pinColumn, pinRow, setColumnOrder, setSelection } from "./layout.ts";
import { setFilters, setPage, setSearch, setSort } from "./narrowing.ts";
import { columnsDescribe, rowsRead, rowsResolve, viewDescribe } from "./reading.ts";
import { rowsAdd, rowsDelete, rowsReorder } from "./row-writes.ts";
import { viewUndo } from "./undoing.ts";

const standard: readonly CapabilityDefinition[] = [
  columnsDescribe,
  viewDescribe,
  rowsRead,
  rowsResolve,
  setPage,
  setSort,
  setSearch,
  setFilters,
  setGroupBy,
  setAggregations,
  pinColumn,
  hideColumn,
  setColumnOrder,
  pinRow,
  setSelection,
  viewUndo,
  viewsApply,
  exportRun,
  editCells,
  rowsAdd,
  rowsDelete,
  rowsReorder,
];

/** Every capability a table of this host could have, by key: what is known, whether offered or not. */
export function catalogueOf(table: LiveTable): Map<string, CapabilityDefinition> {
  const all = [...standard, ...table.actions.map(actionCapability)];
  return new Map(all.map((definition) => [definition.key, definition]));
}

/** Whether the host implements it and the session does not exclude it; policy aside. */
export function isWired(definition: CapabilityDefinition, table: LiveTable): boolean {
  return !(table.options.excludeCapabilities ?? []).includes(definition.key) && definition.wired(table);
}

/** Whether policy lets it do anything. */
function isPermitted(definition: CapabilityDefinition, table: LiveTable): boolean {
  const writes = definition.kind === "write" || definition.kind === "destructive";
  if (!writes) return true;
  if (table.policy.write === "deny") return false;
  if (table.policy.commit === "stage") {
    if (definition.stages !== true) return false;
    return definition.key !== editCells.key || table.host.stageCells !== undefined;
  }
  return definition.key !== editCells.key || table.host.applyCells !== undefined;
}

/** What is offered now, in order of the keys. */
export function offeredBy(table: LiveTable): CapabilityDefinition[] {
  const writesAny = table.columns.some((column) => column.writable);
  return [...catalogueOf(table).values()]
    .filter((definition) => isWired(definition, table) && isPermitted(definition, table))
    .filter(({ key }) => writesAny || (key !== editCells.key && key !== rowsAdd.key))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
