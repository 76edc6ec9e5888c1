import type { Json, JsonObject } from "../../turn/json.ts";
import { nearest } from "../text/nearest.ts";
import { describe, type Holey } from "./check-shape.ts";
import { emptyTree, learn } from "./field-tree.ts";
import { isList, isMapping, written } from "./forms.ts";
import { inside, keysInOrder, type Place } from "./place.ts";
import { oneOf, type ProblemList } from "./problem-list.ts";
import { readRows } from "./read-rows.ts";
import type { TableInfo } from "./references.ts";
import type { TableSource } from "./source/world.ts";
import type { Table } from "./types.ts";

/** A table with its rows, before the fields that tools and tasks add are known. */
export interface OpenTable {
  info: TableInfo;
  table: Omit<Table, "fields">;
}

/** Compiles one table and reads its rows. A mistaken row is reported and left out. */
export function compileTable(
  name: string,
  source: Holey<TableSource> | undefined,
  place: Place,
  files: ReadonlyMap<string, string>,
  problems: ProblemList,
): OpenTable {
  const key = source?.key ?? "";
  // Without a key nothing is known of the table but its name.
  const fields = emptyTree(source?.key === undefined);
  const declared = source?.fields?.filter((field) => field !== undefined);
  learn(fields, { [key]: "" });
  for (const field of declared ?? []) learn(fields, { [field]: null });
  const info: TableInfo = {
    name,
    key,
    fields,
    declared: declared !== undefined,
    rowKeys: new Set(),
    rowsKnown: false,
    created: false,
  };
  const problemsBefore = problems.count;
  const rows = source?.key === undefined ? [] : [...writtenRows(source, key, place, problems)];
  const kept = rows.flatMap((row) => (addRow(info, row, problems) ? [row.row] : []));
  if (source?.rows_from !== undefined && source.key !== undefined) {
    const path = `world/${source.rows_from}`;
    const text = files.get(path);
    if (text === undefined)
      reportMissing(path, source.rows_from, inside(place, "rows_from"), files, problems);
    else for (const row of readRows(path, text, info, problems)) kept.push(row);
  }
  info.rowsKnown = rowsWhole(source) && problems.count === problemsBefore;
  const table = {
    name,
    key,
    noun: source?.noun ?? name,
    newKey: newKey(name, source, place, problems),
    rows: kept,
  };
  return { info, table };
}

/** Whether nothing about the rows was cut out as mistaken. */
function rowsWhole(source: Holey<TableSource> | undefined): boolean {
  if (source?.key === undefined) return false;
  const { rows } = source;
  if (["rows", "rows_from"].some((key) => written(source, key) && source[key as "rows"] === undefined))
    return false;
  return rows === undefined || Object.values(rows).every((row) => row !== undefined);
}

interface WrittenRow {
  key: string;
  row: JsonObject;
  place: Place;
}

function* writtenRows(
  source: Holey<TableSource>,
  keyField: string,
  table: Place,
  problems: ProblemList,
): Iterable<WrittenRow> {
  const place = inside(table, "rows");
  if (isList(source.rows)) {
    for (const [index, row] of source.rows.entries()) {
      if (row === undefined) continue;
      const key = row[keyField];
      const there = inside(place, index);
      if (typeof key === "string" && key !== "") yield { key, row: asJson(row), place: there };
      else reportKey(key, keyField, there, problems);
    }
  } else if (source.rows !== undefined) {
    for (const key of keysInOrder(place)) {
      const row = source.rows[key];
      if (row === undefined) continue;
      const there = inside(place, key);
      const inner = row[keyField];
      if (inner !== undefined && inner !== key) {
        const message = `the row stands under "${key}", so its ${keyField} cannot be ${describe(inner)}`;
        problems.at(inside(there, keyField), message);
      }
      yield { key, row: { [keyField]: key, ...asJson(row) }, place: there };
    }
  }
}

/** Rows come from a document, which holds nothing but JSON. */
function asJson(row: Record<string, unknown>): JsonObject {
  return row as Record<string, Json>;
}

function reportKey(key: unknown, keyField: string, place: Place, problems: ProblemList): void {
  if (key === undefined) problems.at(place, `the row has no ${keyField}, the key of its table`);
  else {
    const quote = typeof key === "number" ? "; put it in quotes" : "";
    problems.at(
      inside(place, keyField),
      `${keyField} is the key; expected a string, not ${describe(key)}${quote}`,
    );
  }
}

function addRow(info: TableInfo, { key, row, place }: WrittenRow, problems: ProblemList): boolean {
  checkDeclared(info, row, place, problems);
  learn(info.fields, row);
  if (info.rowKeys.has(key)) {
    problems.at(place, `a second row of ${info.name} with ${info.key} "${key}"`);
    return false;
  }
  info.rowKeys.add(key);
  return true;
}

/** Reports the fields of a row, or of what a task gives, that a table with listed fields does not have. */
export function checkDeclared(
  info: TableInfo,
  row: Record<string, unknown>,
  place: Place,
  problems: ProblemList,
): void {
  if (!info.declared) return;
  for (const field of Object.keys(row)) {
    if (info.fields.children.has(field)) continue;
    const known = info.fields.children.keys();
    problems.unknown(inside(place, field), "key", { what: "field", name: field, of: info.name, known });
  }
}

function reportMissing(
  path: string,
  name: string,
  place: Place,
  files: ReadonlyMap<string, string>,
  problems: ProblemList,
): void {
  const known = [...files.keys()]
    .filter((file) => file.startsWith("world/") && !file.endsWith(".yaml"))
    .map((file) => file.slice("world/".length));
  problems.at(
    place,
    `there is no file ${path}; ${known.length === 0 ? "the folder world has no rows file" : oneOf(known)}`,
    nearest(name, known),
  );
}

function newKey(
  name: string,
  source: Holey<TableSource> | undefined,
  place: Place,
  problems: ProblemList,
): { pattern: string; start: number } {
  const written = source?.new_key;
  const pattern = isMapping(written) ? written.pattern : written;
  const start = isMapping(written) ? written.start : undefined;
  if (pattern !== undefined && pattern.split("{n}").length !== 2) {
    const there = inside(place, "new_key");
    problems.at(
      isMapping(written) ? inside(there, "pattern") : there,
      `${describe(pattern)} must hold {n} once`,
    );
  }
  return { pattern: pattern ?? `${name}-{n}`, start: start ?? 1 };
}
