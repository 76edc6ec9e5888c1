import type { CapabilityDefinition } from "../capability.ts";
import { renamed } from "../lenient.ts";
import type { LiveTable } from "../live-table.ts";
import { matchName } from "../match-name.ts";
import { Refusal } from "../refusal.ts";
import { findRow, rowLabel } from "../rows.ts";
import { listOf, nameOf, objectOf, operationResult, viewResult } from "../schemas.ts";
import type { HostAction } from "../table-host.ts";
import { counted } from "../words.ts";

const maxSelected = 10_000;

export const viewsApply: CapabilityDefinition = {
  key: "views.apply",
  kind: "view",
  idempotent: true,
  mutates: true,
  summary: "Bring back a saved view.",
  summaryShort: "Saved view",
  wired: (table) => table.host.applySavedView !== undefined && savedViews(table).length > 0,
  guide: (table) =>
    `viewId is one of ${savedViews(table)
      .map((saved) => `${saved.id} (${saved.label})`)
      .join(", ")}.`,
  input: (table, narrow) =>
    objectOf({ viewId: nameOf(narrow ? savedViews(table).map((saved) => saved.id) : null, "saved view") }, [
      "viewId",
    ]),
  output: viewResult({ viewId: { type: "string" } }),
  lenient: (args) => renamed(args, ["id", "view", "name"], "viewId"),
  plan(args, { table }) {
    const saved = matchName(String(args.viewId), savedViews(table));
    if (saved === undefined) {
      const known = savedViews(table).map((view) => view.id);
      throw new Refusal(
        "invalid-arguments",
        `there is no saved view "${args.viewId}": there are ${known.join(", ")}`,
      );
    }
    return {
      type: "view",
      apply: () => table.host.applySavedView?.(saved.id),
      result: () => ({ viewId: saved.id }),
      text: () => `Opened the view ${saved.label}`,
    };
  },
};

function savedViews(table: LiveTable): { id: string; label: string }[] {
  return table.host.savedViews?.() ?? [];
}

export const exportRun: CapabilityDefinition = {
  key: "export.run",
  kind: "view",
  idempotent: true,
  mutates: true,
  summary: "Give the reader a file of the rows.",
  summaryShort: "Export",
  wired: (table) => table.host.exportRows !== undefined && formats(table).length > 0,
  guide: (table) =>
    `format is one of ${formats(table).join(", ")}. The reader gets the file (${table.source.exportScope}); its rows do not come back to you.`,
  input: (table, narrow) =>
    objectOf({ format: nameOf(narrow ? formats(table) : null, "file format") }, ["format"]),
  output: { type: "object" },
  lenient: (args) => renamed(args, ["type", "as"], "format"),
  plan(args, { table, signal }) {
    const format = formats(table).find((known) => known.toLowerCase() === String(args.format).toLowerCase());
    if (format === undefined) {
      throw new Refusal("invalid-arguments", `format must be one of ${formats(table).join(", ")}`);
    }
    const hidden = new Set(table.view.hiddenColumns);
    const columns = table.order.filter((id) => table.column(id)?.readable === true && !hidden.has(id));
    let answer = {};
    return {
      type: "view",
      apply: async () => {
        answer = (await table.host.exportRows?.({ format, columns }, { signal })) ?? {};
      },
      result: () => answer,
      text: () => `Exported as ${format}`,
    };
  },
};

function formats(table: LiveTable): string[] {
  return table.host.exportFormats?.() ?? [];
}

/** The capability an action of the host is offered as. */
export function actionCapability(action: HostAction): CapabilityDefinition {
  const base = {
    kind: action.kind,
    idempotent: false,
    mutates: true,
    summaryShort: action.label,
    stages: action.stages ?? false,
    wired: () => true,
    output: operationResult,
  };
  return action.scope === "row"
    ? {
        ...base,
        key: `rowAction.${action.key}`,
        dependsOn: ["rows.resolve"],
        summary: action.description ?? `${action.label} (one row).`,
        guide: () => `${action.description ?? action.label}. Name the row by its rowKey.`,
        input: () => objectOf({ rowKey: { type: "string" } }, ["rowKey"]),
        lenient: (args) => renamed(args, ["key", "id"], "rowKey"),
        async plan(args, { table, revision }) {
          const { row } = await findRow(table, revision, { rowKey: args.rowKey ?? "" });
          return operation(action, [row.rowKey], rowLabel(table, row));
        },
      }
    : {
        ...base,
        key: `bulkAction.${action.key}`,
        dependsOn: ["view.setSelection"],
        summary: action.description ?? `${action.label} (the selected rows).`,
        guide: () =>
          `${action.description ?? action.label}. rowKeys repeats the current selection exactly, so that it is done to the rows the reader sees selected.`,
        input: () => objectOf({ rowKeys: listOf({ type: "string" }, maxSelected) }, ["rowKeys"]),
        lenient: (args) => renamed(args, ["ids", "keys"], "rowKeys"),
        plan(args, { table }) {
          const given = new Set(Array.isArray(args.rowKeys) ? args.rowKeys.map(String) : []);
          const selected = table.view.selection ?? [];
          if (given.size !== selected.length || !selected.every((key) => given.has(key))) {
            throw new Refusal(
              "invalid-arguments",
              `rowKeys must be the current selection exactly: ${counted(selected.length, "row")} are selected`,
            );
          }
          return operation(action, [...selected], counted(selected.length, "row"));
        },
      };
}

function operation(action: HostAction, rowKeys: string[], subject: string) {
  return {
    type: "operation" as const,
    title: `${action.label}: ${subject}`,
    done: `${action.label}: ${subject}`,
    arguments: action.scope === "row" ? { rowKey: rowKeys[0] ?? "" } : { rowKeys },
    run: (signal: AbortSignal) => action.run(rowKeys, { signal }),
    result: {},
  };
}
