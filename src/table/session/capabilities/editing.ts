import type { Json, JsonObject } from "../../../turn/json.ts";
import type { CapabilityDefinition, Outcome } from "../capability.ts";
import { batched, isObject, renamed } from "../lenient.ts";
import type { LiveTable } from "../live-table.ts";
import { Refusal } from "../refusal.ts";
import { findRow, readableCells, rowLabel } from "../rows.ts";
import { listOf, nameOf, objectOf, writeResult } from "../schemas.ts";
import type { Proposal } from "../session-types.ts";
import type { CellEdit, HostRow } from "../table-host.ts";
import { counted, toldIds, wordsOf } from "../words.ts";
import { rowReference } from "./reading.ts";
import { attempt, cellValue, writableColumn } from "./write-values.ts";

const maxEdits = 500;
const maxRows = 200;
/** Columns of a row that stands in a proposal: enough to know it by. */
const maxShown = 8;

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
      return row === undefined ? undefined : readableCells(table, row, [edit.column])[edit.column];
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
  return { label, ...(readable ? { before: wordsOf(before) } : {}), after: wordsOf(edit.value) };
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

export const rowsAdd: CapabilityDefinition = {
  key: "rows.add",
  kind: "write",
  idempotent: false,
  mutates: true,
  families: ["editing"],
  summary: "Add rows.",
  summaryShort: "Add rows",
  wired: (table) => table.host.addRow !== undefined,
  guide: (table) =>
    `rows is a list of objects of column id to value. Writable: ${toldIds(writableIds(table))}.`,
  input: (table, narrow) =>
    objectOf(
      {
        rows: listOf(
          narrow
            ? objectOf(Object.fromEntries(writableIds(table).map((id) => [id, {}])))
            : { type: "object" },
          maxRows,
        ),
      },
      ["rows"],
    ),
  output: writeResult,
  lenient: (args) => batched(renamed(args, ["row"], "rows"), "rows", []),
  plan(args, { table }) {
    const added = listOfObjects(args.rows).map((row) => {
      const cells: JsonObject = {};
      for (const [name, value] of Object.entries(row)) {
        const column = writableColumn(table, name);
        if (Object.hasOwn(cells, column.id))
          throw new Refusal("invalid-arguments", `"${column.id}" is given twice`);
        cells[column.id] = cellValue(table, column, value);
      }
      if (Object.keys(cells).length === 0) throw new Refusal("invalid-arguments", "a new row needs a value");
      return cells;
    });
    return {
      type: "rows",
      title: `Add ${counted(added.length, "row")}`,
      done: (count) => `Added ${counted(count, "row")}`,
      staged: false,
      proposals: added.map((cells, at) => ({ rowKey: `new:${at + 1}`, after: cells })),
      words: added.map((cells) => ({ label: "New row", after: cellsWords(table, cells) })),
      async run(approved, signal) {
        const outcomes: Outcome[] = [];
        for (const at of approved) {
          const cells = added[at] ?? {};
          let rowKey = `new:${at + 1}`;
          const outcome = signal.aborted
            ? { ok: false, error: "cancelled" }
            : await attempt(async () => {
                rowKey = (await table.host.addRow?.(cells, { signal })) ?? rowKey;
              });
          outcomes.push({ rowKey, ...outcome });
        }
        return outcomes;
      },
    };
  },
};

export const rowsDelete: CapabilityDefinition = {
  key: "rows.delete",
  kind: "destructive",
  idempotent: true,
  mutates: true,
  families: ["editing"],
  dependsOn: ["rows.resolve"],
  summary: "Delete named rows.",
  summaryShort: "Delete rows",
  wired: (table) => table.host.deleteRow !== undefined,
  guide: () => "rows is a list of { rowKey }, or { position } in a scope. Deleted rows do not come back.",
  input: (table, narrow) =>
    objectOf({ rows: listOf(objectOf(rowReference(table, narrow)), maxRows) }, ["rows"]),
  output: writeResult,
  lenient(args) {
    const batch = batched(renamed(args, ["rowKeys", "keys"], "rows"), "rows", ["rowKey", "position"]);
    if (!Array.isArray(batch.rows)) return batch;
    return { ...batch, rows: batch.rows.map((row) => (typeof row === "string" ? { rowKey: row } : row)) };
  },
  async plan(args, { table, revision }) {
    const rows: HostRow[] = [];
    for (const reference of listOfObjects(args.rows)) {
      const { row } = await findRow(table, revision, reference);
      if (!rows.some((other) => other.rowKey === row.rowKey)) rows.push(row);
    }
    const shown = shownColumns(table);
    return {
      type: "rows",
      title: `Delete ${counted(rows.length, "row")}`,
      done: (count) => `Deleted ${counted(count, "row")}`,
      staged: false,
      proposals: rows.map((row) => ({ rowKey: row.rowKey, before: readableCells(table, row, shown) })),
      words: rows.map((row) => ({
        label: rowLabel(table, row),
        before: cellsWords(table, readableCells(table, row, shown)),
      })),
      async run(approved, signal) {
        const outcomes: Outcome[] = [];
        for (const { rowKey } of picked(rows, approved)) {
          const outcome = signal.aborted
            ? { ok: false, error: "cancelled" }
            : await attempt(() => table.host.deleteRow?.(rowKey, { signal }));
          outcomes.push({ rowKey, ...outcome });
        }
        return outcomes;
      },
    };
  },
};

export const rowsReorder: CapabilityDefinition = {
  key: "rows.reorder",
  kind: "write",
  idempotent: false,
  mutates: true,
  families: ["editing"],
  dependsOn: ["rows.resolve"],
  summary: "Move a row to where another stands.",
  summaryShort: "Move row",
  wired: (table) => table.host.reorderRow !== undefined,
  guide: () => "fromKey is the row that moves, toKey the row whose place it takes.",
  input: () => objectOf({ fromKey: { type: "string" }, toKey: { type: "string" } }, ["fromKey", "toKey"]),
  output: { type: "object", properties: { ran: { type: "boolean" }, approval: { type: "string" } } },
  lenient: (args) => renamed(renamed(args, ["from", "rowKey"], "fromKey"), ["to", "before"], "toKey"),
  async plan(args, { table, revision }) {
    const { row: from } = await findRow(table, revision, { rowKey: args.fromKey ?? "" });
    const { row: to } = await findRow(table, revision, { rowKey: args.toKey ?? "" });
    const [moved, place] = [rowLabel(table, from), rowLabel(table, to)];
    return {
      type: "operation",
      title: `Move ${moved} to the place of ${place}`,
      done: `Moved ${moved} to the place of ${place}`,
      arguments: { fromKey: from.rowKey, toKey: to.rowKey },
      run: (signal) => table.host.reorderRow?.(from.rowKey, to.rowKey, { signal }),
      result: {},
    };
  },
};

function writableIds(table: LiveTable): string[] {
  return table.columns.filter((column) => column.writable).map((column) => column.id);
}

function shownColumns(table: LiveTable): string[] {
  return table.order
    .filter((id) => table.column(id)?.visible === true && table.column(id)?.readable === true)
    .slice(0, maxShown);
}

function cellsWords(table: LiveTable, cells: JsonObject): string {
  const words = Object.entries(cells).map(([id, value]) => `${table.label(id)} ${wordsOf(value)}`);
  return words.length > 5 ? `${words.slice(0, 4).join(", ")} and ${words.length - 4} more` : words.join(", ");
}

function picked<T>(items: readonly T[], positions: number[]): T[] {
  return items.filter((_item, at) => positions.includes(at));
}

function listOfObjects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
}
