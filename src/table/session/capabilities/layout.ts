import type { CapabilityDefinition } from "../capability.ts";
import { renamed } from "../lenient.ts";
import type { LiveTable } from "../live-table.ts";
import { Refusal } from "../refusal.ts";
import { findRow, rowLabel } from "../rows.ts";
import { listOf, nameOf, objectOf, viewResult } from "../schemas.ts";
import { counted } from "../words.ts";
import { rowReference } from "./reading.ts";

const maxSelected = 1_000;

export const pinColumn: CapabilityDefinition = {
  key: "view.pinColumn",
  kind: "view",
  idempotent: true,
  mutates: true,
  families: ["view"],
  summary: "Keep a column in sight at the start, or let it scroll again.",
  summaryShort: "Pin column",
  wired: (table) => table.columns.some((column) => column.pinnable),
  guide: () => 'side "start" pins the column, null unpins it. Columns are not pinned at the end.',
  input: (table, narrow) =>
    objectOf(
      {
        key: nameOf(narrow ? idsThat(table, "pinnable") : null, "column id"),
        side: { type: ["string", "null"], enum: narrow ? ["start", null] : ["start", "end", null] },
      },
      ["key", "side"],
    ),
  output: viewResult(),
  lenient: (args) => renamed(renamed(args, ["column", "field", "id"], "key"), ["edge", "position"], "side"),
  plan(args, { table }) {
    const { id } = table.columnThat(String(args.key), (column) => column.pinnable, "pinned");
    if (args.side === "end") throw new Refusal("invalid-arguments", 'columns are pinned at the "start" only');
    const pinned = table.view.pinnedColumns ?? { start: [], end: [] };
    const start = pinned.start.filter((other) => other !== id);
    const end = pinned.end.filter((other) => other !== id);
    const pins = args.side === "start";
    const already = pins && pinned.start.includes(id);
    return {
      type: "view",
      apply: () =>
        already ? undefined : table.host.setPinnedColumns?.({ start: pins ? [...start, id] : start, end }),
      result: () => ({}),
      text: () => `${pins ? "Pinned" : "Unpinned"} ${table.label(id)}`,
    };
  },
};

function idsThat(table: LiveTable, may: "pinnable" | "hideable"): string[] {
  return table.columns.filter((column) => column[may]).map((column) => column.id);
}

export const hideColumn: CapabilityDefinition = {
  key: "view.hideColumn",
  kind: "view",
  idempotent: true,
  mutates: true,
  families: ["view"],
  summary: "Hide a column, or show it again.",
  summaryShort: "Hide column",
  wired: (table) => table.columns.some((column) => column.hideable),
  guide: () => "hidden is true unless given; false shows the column again. One column always stays.",
  input: (table, narrow) =>
    objectOf(
      {
        key: nameOf(narrow ? idsThat(table, "hideable") : null, "column id"),
        hidden: { type: "boolean", description: "true unless given" },
      },
      ["key"],
    ),
  output: viewResult({ key: { type: "string" }, hidden: { type: "boolean" } }),
  lenient: (args) => renamed(args, ["column", "field", "id"], "key"),
  plan(args, { table }) {
    const hidden = args.hidden !== false;
    const { id } = table.columnThat(
      String(args.key),
      (column) => column.hideable,
      hidden ? "hidden" : "shown",
    );
    const others = (table.view.hiddenColumns ?? []).filter((other) => other !== id);
    const stays = table.columns.some((column) => column.visible && column.id !== id);
    if (hidden && !stays) throw new Refusal("invalid-arguments", "the last visible column cannot be hidden");
    const already = (table.column(id)?.visible === false) === hidden;
    return {
      type: "view",
      apply: () => (already ? undefined : table.host.setHiddenColumns?.(hidden ? [...others, id] : others)),
      result: () => ({ key: id, hidden }),
      text: () => `${hidden ? "Hid" : "Showed"} ${table.label(id)}`,
    };
  },
};

export const setColumnOrder: CapabilityDefinition = {
  key: "view.setColumnOrder",
  kind: "view",
  idempotent: true,
  mutates: true,
  families: ["view"],
  summary: "Move a column, or set the order of all columns.",
  summaryShort: "Order columns",
  wired: (table) => table.host.setColumnOrder !== undefined,
  guide: () =>
    "Either { key, index } moves one column to that place (0 is the first), or { order } lists every column's id once.",
  input: (table, narrow) => {
    const ids = narrow ? table.columns.map((column) => column.id) : null;
    return objectOf({
      key: nameOf(ids, "column id"),
      index: { type: "integer", minimum: 0, description: "0 is the first" },
      order: { type: "array", items: nameOf(ids, "column id") },
    });
  },
  output: viewResult({ order: { type: "array", items: { type: "string" } } }),
  lenient: (args) =>
    renamed(
      renamed(renamed(args, ["column", "field", "id"], "key"), ["columns", "columnOrder"], "order"),
      ["to"],
      "index",
    ),
  plan(args, { table }) {
    const order = newOrder(args.key, args.index, args.order, table);
    return {
      type: "view",
      apply: () => table.host.setColumnOrder?.(order),
      result: () => ({ order }),
      text: () =>
        typeof args.key === "string"
          ? `Moved ${table.columnNamed(args.key).label} to place ${Number(args.index) + 1}`
          : "Columns put in order",
    };
  },
};

function newOrder(key: unknown, index: unknown, order: unknown, table: LiveTable): string[] {
  if (Array.isArray(order) && key === undefined && index === undefined) {
    const ids = order.map((name) => table.columnNamed(String(name)).id);
    if (new Set(ids).size === ids.length && ids.length === table.columns.length) return ids;
    throw new Refusal(
      "invalid-arguments",
      `order must hold each of the ${table.columns.length} columns once; to move one use { key, index }`,
    );
  }
  if (typeof key !== "string" || typeof index !== "number" || order !== undefined) {
    throw new Refusal("invalid-arguments", "give either key and index, or order");
  }
  const { id } = table.columnNamed(key);
  const rest = table.order.filter((other) => other !== id);
  if (index > rest.length) throw new Refusal("invalid-arguments", `index must be at most ${rest.length}`);
  return [...rest.slice(0, index), id, ...rest.slice(index)];
}

export const pinRow: CapabilityDefinition = {
  key: "view.pinRow",
  kind: "view",
  idempotent: true,
  mutates: true,
  families: ["view"],
  dependsOn: ["rows.resolve"],
  summary: "Keep a row in sight at the top or bottom, or let it go.",
  summaryShort: "Pin row",
  wired: (table) => table.host.setPinnedRows !== undefined,
  guide: () => 'side is "top", "bottom" or null to unpin. Name the row by rowKey, or by position and scope.',
  input: (table, narrow) =>
    objectOf(
      {
        side: { type: ["string", "null"], enum: ["top", "bottom", null] },
        ...rowReference(table, narrow),
        expectedRevision: { type: "integer", description: "revision the position was seen at" },
      },
      ["side"],
    ),
  output: viewResult({ rowKey: { type: "string" } }),
  lenient: (args) => renamed(renamed(args, ["key"], "rowKey"), ["edge"], "side"),
  async plan(args, { table, revision }) {
    const { row } = await findRow(table, revision, args);
    const pinned = table.view.pinnedRows ?? { top: [], bottom: [] };
    const side = args.side === "top" || args.side === "bottom" ? args.side : null;
    const without = (keys: string[]) => keys.filter((key) => key !== row.rowKey);
    const next = { top: without(pinned.top), bottom: without(pinned.bottom) };
    if (side !== null)
      next[side] = pinned[side].includes(row.rowKey) ? pinned[side] : [...next[side], row.rowKey];
    return {
      type: "view",
      apply: () => table.host.setPinnedRows?.(next),
      result: () => ({ rowKey: row.rowKey }),
      text: () =>
        side === null ? `Unpinned ${rowLabel(table, row)}` : `Pinned ${rowLabel(table, row)} to the ${side}`,
    };
  },
};

export const setSelection: CapabilityDefinition = {
  key: "view.setSelection",
  kind: "view",
  idempotent: true,
  mutates: true,
  summary: "Select exactly these rows, or none.",
  summaryShort: "Select rows",
  dependsOn: ["rows.resolve"],
  wired: (table) => table.host.setSelection !== undefined,
  guide: (table) =>
    `ids are row keys and replace the selection; without ids it is cleared.${
      table.source.selectAcrossPages ? "" : " Only rows of this page can be selected."
    }`,
  input: () => objectOf({ ids: { ...listOf({ type: "string" }, maxSelected), minItems: 0 } }),
  output: viewResult({ selected: { type: "integer" } }),
  lenient: (args) => {
    const named = renamed(args, ["rowKeys", "keys", "rowKey", "id"], "ids");
    return typeof named.ids === "string" ? { ...named, ids: [named.ids] } : named;
  },
  async plan(args, { table }) {
    const ids = [...new Set(Array.isArray(args.ids) ? args.ids.map(String) : [])];
    await mustExist(table, ids);
    return {
      type: "view",
      apply: () => table.host.setSelection?.(ids),
      result: () => ({ selected: ids.length }),
      text: () => (ids.length === 0 ? "Selection cleared" : `Selected ${counted(ids.length, "row")}`),
    };
  },
};

async function mustExist(table: LiveTable, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  if (table.source.selectAcrossPages) {
    for (const id of ids) {
      if ((await table.host.findRow(id)) === undefined)
        throw new Refusal("unknown-row", `there is no row "${id}"`);
    }
    return;
  }
  const page = await table.host.rows({ scope: "page", offset: 0, limit: table.pageMax, columns: [] });
  const keys = new Set(page.rows.map((row) => row.rowKey));
  const missing = ids.find((id) => !keys.has(id));
  if (missing !== undefined) throw new Refusal("unknown-row", `row "${missing}" is not on this page`);
}
