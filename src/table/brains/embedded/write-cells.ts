import type { Json } from "../../../turn/json.ts";
import { addDays, addMonths, isDay } from "./calendar.ts";
import type { Clause } from "./clause.ts";
import { type Context, demandWrite } from "./context.ts";
import type { Draft } from "./draft.ts";
import { type Field, optionLabel } from "./field.ts";
import { ownValue } from "./own-value.ts";
import { Refusal } from "./pause.ts";
import { usable } from "./pick-field.ts";
import { rowName } from "./row-names.ts";
import type { Row } from "./rows.ts";
import { findTarget } from "./target.ts";
import { cellText, countText, listText } from "./wording.ts";

/** What a cell becomes: a value, or its own value changed by so much. */
export type Change =
  | { value: Json }
  | { times: number }
  | { plus: number }
  | { later: { count: number; months: boolean } };

/** Puts the edits of the rows a clause is about into the plan. Cells that are so already are left out. */
export function writeCells(
  context: Context,
  draft: Draft,
  field: Field,
  about: Clause,
  change: Change,
): void {
  demandWrite(context, "edit.cells", `change ${field.label}`);
  usable([field], "edit");
  const target = findTarget(context, about, draft, field.column?.readable ? [field.id] : []);
  if (target.position !== undefined) {
    if (!("value" in change))
      throw new Refusal("Name the row: I have to know its value to change it by so much.");
    draft.edits.unshift({
      position: target.position,
      scope: "visible",
      column: field.id,
      value: change.value,
    });
    draft.doing.push(
      `asking to set ${field.label} of row ${target.position} to ${shown(field, change.value)}`,
    );
    return;
  }
  draft.rows = target.rows;
  draft.edited = target.rows;
  const told: string[] = [];
  const already: Row[] = [];
  for (const row of target.rows) {
    const before = ownValue(row.cells, field.id);
    const value = changed(before, change, field, rowName(context, row));
    if (value === before && field.column?.readable) {
      already.push(row);
      continue;
    }
    draft.edits.push({ rowKey: row.key, column: field.id, value });
    told.push(`${rowName(context, row)} (${shown(field, before)} to ${shown(field, value)})`);
  }
  const count = told.length > 3 ? ` in ${countText(told.length)}: ` : " of ";
  if (told.length > 0) draft.doing.push(`asking to change ${field.label}${count}${listText(told, 6)}`);
  const [same] = already;
  if (same !== undefined) {
    const whose = already.length === 1 ? rowName(context, same) : countText(already.length);
    draft.told.push(`${field.label} of ${whose} is so already.`);
  }
}

function shown(field: Field, value: Json): string {
  return field.options.some((option) => option.value === value) ? optionLabel(field, value) : cellText(value);
}

/** A changed number keeps at most two decimals. */
function changed(before: Json, change: Change, field: Field, name: string): Json {
  if ("value" in change) return change.value;
  if ("later" in change) return laterDay(before, change.later, field, name);
  const number =
    typeof before === "number"
      ? before
      : typeof before === "string" && before.trim() !== ""
        ? Number(before)
        : Number.NaN;
  if (!Number.isFinite(number))
    throw new Refusal(`${field.label} of ${name} is no number, so it cannot be changed by so much.`);
  const after = "times" in change ? number * change.times : number + change.plus;
  return Math.round(after * 100) / 100;
}

function laterDay(
  before: Json,
  { count, months }: { count: number; months: boolean },
  field: Field,
  name: string,
): string {
  const day = typeof before === "string" ? before.slice(0, 10) : "";
  if (!isDay(day))
    throw new Refusal(`${field.label} of ${name} is no day, so it cannot be moved by so much.`);
  return months ? addMonths(day, count) : addDays(day, count);
}
