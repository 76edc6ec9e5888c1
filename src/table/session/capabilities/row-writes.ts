import type { JsonObject } from "../../../turn/json.ts";
import { putOwn } from "../../protocol/own.ts";
import type { CapabilityDefinition, Outcome } from "../capability.ts";
import { batched, renamed } from "../lenient.ts";
import type { LiveTable } from "../live-table.ts";
import { Refusal } from "../refusal.ts";
import { findRow, readableCells, rowLabel } from "../rows.ts";
import { listOf, objectOf, operationResult, writeResult } from "../schemas.ts";
import type { HostRow } from "../table-host.ts";
import { cellWords, counted, toldIds } from "../words.ts";
import { rowReference } from "./reading.ts";
import { attempt, cellValue, listOfObjects, picked, writableColumn, writableIds } from "./write-values.ts";

const maxRows = 200;
/** Columns of a row that stands in a proposal: enough to know it by. */
const maxShown = 8;

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
        putOwn(cells, column.id, cellValue(table, column, value));
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
  output: operationResult,
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

function shownColumns(table: LiveTable): string[] {
  return table.order
    .filter((id) => table.column(id)?.visible === true && table.column(id)?.readable === true)
    .slice(0, maxShown);
}

function cellsWords(table: LiveTable, cells: JsonObject): string {
  const words = Object.entries(cells).map(
    ([id, value]) => `${table.label(id)} ${cellWords(table, id, value)}`,
  );
  return words.length > 5 ? `${words.slice(0, 4).join(", ")} and ${words.length - 4} more` : words.join(", ");
}
