import type { CapabilityDefinition } from "../capability.ts";
import { objectOf, viewResult } from "../schemas.ts";

export const viewUndo: CapabilityDefinition = {
  key: "view.undo",
  kind: "view",
  idempotent: false,
  mutates: true,
  families: ["view"],
  summary: "Take back the newest change of the view made here. Writes are not undone.",
  summaryShort: "Undo view change",
  wired: ({ host }) =>
    [
      host.setPage,
      host.setSort,
      host.setSearch,
      host.setFilters,
      host.setGroupBy,
      host.setAggregations,
      host.setPinnedColumns,
      host.setHiddenColumns,
      host.setColumnOrder,
      host.setPinnedRows,
      host.setSelection,
    ].some((setter) => setter !== undefined),
  guide: () => "Takes back one change a call; call it again for the one before. Edits of rows stay.",
  input: () => objectOf({}),
  output: viewResult(),
  plan: (_args, { undo }) => ({
    type: "view",
    undoes: true,
    apply: undo,
    result: () => ({}),
    text: () => "Took back the last change of the view",
  }),
};
