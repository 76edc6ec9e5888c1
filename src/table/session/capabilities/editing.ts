import type { Json, JsonObject } from "../../../turn/json.ts";
import { own } from "../../protocol/own.ts";
import type { CapabilityDefinition, Outcome } from "../capability.ts";
import { batched, renamed } from "../lenient.ts";
import type { LiveTable } from "../live-table.ts";
import { Refusal } from "../refusal.ts";
import { findRow, readableCells, rowLabel } from "../rows.ts";
import { listOf, nameOf, objectOf, writeResult } from "../schemas.ts";
import type { Proposal } from "../session-types.ts";
import type { CellEdit, HostRow } from "../table-host.ts";
import { cellWords, counted, toldIds } from "../words.ts";
import { rowReference } from "./reading.ts";
import { attempt, cellValue, listOfObjects, picked, writableColumn, writableIds } from "./write-values.ts";

const maxEdits = 500;

export const editCells: CapabilityDefinition = {
  key: "edit.cells",
  kind: "write",
  idempotent: true,
  mutates: true,
  families: ["editing"],
  dependsOn: ["rows.resolve"],
  summary: "Change cells of named rows.",
  summaryShort: "Edit cells",
  stages: true,
  wired: (table) => table.host.applyCells !== undefined || table.host.stageCells !== undefined,
  guide: (table) =>
    `edits is a list of { column, value } with the row's rowKey, or its position in a scope. Writable: ${toldIds(
      writableIds(table),
    )}. Number columns take numbers, dates are YYYY-MM-DD. ${
      table.policy.commit === "stage"
        ? "The reader sees the edits unsaved and saves them."
        : "Rows are saved one by one; results lists those that failed."
    }`,
  input: (table, narrow) =>
    objectOf(
      {
        edits: listOf(
          objectOf(
            {
              column: nameOf(narrow ? writableIds(table) : null, "column id"),
              value: { description: "the new value, of the column's type" },
              ...rowReference(table, narrow),
            },
            ["column", "value"],
          ),
          maxEdits,
        ),
      },
      ["edits"],
    ),
  output: writeResult,
  lenient(args) {
    const batch = batched(args, "edits", ["column", "value"]);
    return Array.isArray(batch.edits) ? { ...batch, edits: batch.edits.map(editAsKnown) } : batch;
  },
  async plan(args, { table, revision }) {
    const rows = new Map<string, HostRow>();
    const edits: CellEdit[] = [];
    for (const given of listOfObjects(args.edits)) {
      const { column: name, value = null, ...reference } = given;
      const column = writableColumn(table, String(name));
      const { row } = await findRow(table, revision, reference);
      if (edits.some((edit) => edit.rowKey === row.rowKey && edit.column === column.id)) {
        throw new Refusal("invalid-arguments", `"${column.id}" of row "${row.rowKey}" is edited twice`);
      }
      rows.set(row.rowKey, row);
      edits.push({ rowKey: row.rowKey, column: column.id, value: cellValue(table, column, value) });
    }
    const before = (edit: CellEdit): Json | undefined => {
      const row = rows.get(edit.rowKey);
      return row === undefined ? undefined : own(readableCells(table, row, [edit.column]), edit.column);
    };
    const staged = table.policy.commit === "stage";
    return {
      type: "rows",
      title: `Change ${counted(edits.length, "cell")}`,
      done: (count) => `${staged ? "Staged" : "Changed"} ${counted(count, "cell")}`,
      staged,
      proposals: edits.map((edit) => proposal(edit, before(edit))),
      words: edits.map((edit) => editWords(table, rows.get(edit.rowKey), edit, before(edit))),
      run: (approved, signal) =>
        staged ? stage(table, picked(edits, approved), signal) : save(table, picked(edits, approved), signal),
    };
  },
};

function editAsKnown(edit: Json): Json {
  if (typeof edit !== "object" || edit === null || Array.isArray(edit)) return edit;
  return renamed(
    renamed(renamed(edit, ["field"], "column"), ["key", "id", "row"], "rowKey"),
    ["to", "newValue"],
    "value",
  );
}

function proposal(edit: CellEdit, before: Json | undefined): Proposal {
  return {
    rowKey: edit.rowKey,
    column: edit.column,
    ...(before === undefined ? {} : { before }),
    after: edit.value,
  };
}

function editWords(table: LiveTable, row: HostRow | undefined, edit: CellEdit, before: Json | undefined) {
  const label = `${table.label(edit.column)} of ${row === undefined ? edit.rowKey : rowLabel(table, row)}`;
  const readable = table.column(edit.column)?.readable === true;
  return {
    label,
    ...(readable ? { before: cellWords(table, edit.column, before) } : {}),
    after: cellWords(table, edit.column, edit.value),
  };
}

async function stage(table: LiveTable, edits: CellEdit[], signal: AbortSignal): Promise<Outcome[]> {
  const { host } = table;
  const all = (outcome: { ok: boolean; error?: string }) =>
    edits.map(({ rowKey, column }) => ({ rowKey, column, ...outcome }));
  if (host.stageCells === undefined)
    return all({ ok: false, error: "this table has nowhere to stage edits" });
  return all(await attempt(() => host.stageCells?.(edits, { signal })));
}

/** Row by row: a row that fails leaves the later ones to be tried. */
async function save(table: LiveTable, edits: CellEdit[], signal: AbortSignal): Promise<Outcome[]> {
  const byRow = new Map<string, JsonObject>();
  for (const { rowKey, column, value } of edits) byRow.set(rowKey, { ...byRow.get(rowKey), [column]: value });
  const outcomes = new Map<string, { ok: boolean; error?: string }>();
  for (const [rowKey, cells] of byRow) {
    outcomes.set(
      rowKey,
      signal.aborted
        ? { ok: false, error: "cancelled" }
        : await attempt(() => table.host.applyCells?.(rowKey, cells, { signal })),
    );
  }
  return edits.map(({ rowKey, column }) => ({ rowKey, column, ok: false, ...outcomes.get(rowKey) }));
}
