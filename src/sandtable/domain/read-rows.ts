import type { Json, JsonObject } from "../../turn/json.ts";
import { nearest } from "../text/nearest.ts";
import { describe } from "./check-shape.ts";
import { learn } from "./field-tree.ts";
import { isMapping } from "./forms.ts";
import { oneOf, type ProblemList } from "./problem-list.ts";
import type { TableInfo } from "./references.ts";

/** Characters of one rows file. */
const maxRowsLength = 64 * 1024 * 1024;
/** Collections inside collections, as in YAML. */
const maxDepth = 64;
/** Mistakes shown of one rows file: the rest mostly repeat the first. */
const shownProblems = 10;

/**
 * Reads a file with one JSON row a line, adds the keys and fields to what is known of the table, and returns the rows.
 * Empty lines are passed over. Mistaken rows are reported by line and left out. No positions are kept: one pass of
 * JSON.parse, so 100,000 rows take well under a second.
 */
export function readRows(file: string, text: string, table: TableInfo, problems: ProblemList): JsonObject[] {
  if (text.length > maxRowsLength) {
    problems.inFile(file, 1, 1, `the file has ${text.length} characters; expected at most ${maxRowsLength}`);
    return [];
  }
  // Only a file that spells it, plainly or in escapes, can hold the key.
  const suspicious = text.includes("__proto__") || text.includes("\\u");
  const longNumbers = /\d{16}/.test(text);
  const rows: JsonObject[] = [];
  let wrong = 0;
  const report = (line: number, message: string, column = 1, suggestion?: string): void => {
    wrong++;
    if (wrong <= shownProblems) problems.inFile(file, line, column, message, suggestion);
  };
  for (const [index, written] of text.split("\n").entries()) {
    if (written.trim() === "") continue;
    const line = index + 1;
    const row = parse(written);
    if (row instanceof WrongLine) report(line, row.message, row.column);
    else if (suspicious && holdsProto(row)) report(line, 'the key "__proto__" is not allowed');
    else if (longNumbers && losesDigits(row)) report(line, "a number has too many digits; put it in quotes");
    else if (addRow(table, row, (message, suggestion) => report(line, message, 1, suggestion)))
      rows.push(row);
  }
  if (wrong > shownProblems) {
    problems.inFile(file, 1, 1, `${wrong - shownProblems} more lines are wrong`);
  }
  return rows;
}

class WrongLine {
  readonly message: string;
  readonly column: number;

  constructor(message: string, column = 1) {
    this.message = message;
    this.column = column;
  }
}

function parse(line: string): JsonObject | WrongLine {
  let value: Json;
  try {
    value = JSON.parse(line);
  } catch (error) {
    // The engine's message ends with a position, and counts lines in what is one line here.
    const [what = "", position] =
      error instanceof Error ? error.message.split(/ in JSON at position | \(line /) : [];
    const column = /^\d+/.exec(position ?? "")?.[0];
    return new WrongLine(`not valid JSON: ${what}`, column === undefined ? 1 : Number(column) + 1);
  }
  if (mayBeDeep(line) && isDeeper(value, maxDepth)) {
    return new WrongLine(`nested too deep; expected at most ${maxDepth} levels`);
  }
  return isMapping(value)
    ? value
    : new WrongLine(`expected one row as a JSON object, not ${describe(value)}`);
}

/** Whether a line has brackets enough to nest too deep: only then it is walked. */
function mayBeDeep(line: string): boolean {
  return line.split(/[[{]/, maxDepth + 2).length > maxDepth + 1;
}

function isDeeper(value: Json, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function addRow(
  table: TableInfo,
  row: JsonObject,
  report: (message: string, suggestion?: string) => void,
): boolean {
  const key = Object.hasOwn(row, table.key) ? row[table.key] : undefined;
  if (typeof key !== "string" || key === "") {
    report(`${table.key} is the key; expected a string, not ${describe(key)}`);
    return false;
  }
  if (table.rowKeys.has(key)) {
    report(`a second row of ${table.name} with ${table.key} "${key}"`);
    return false;
  }
  table.rowKeys.add(key);
  if (table.declared) {
    const known = table.fields.children;
    for (const field of Object.keys(row)) {
      if (known.has(field)) continue;
      const words = [...known.keys()];
      report(
        `unknown field "${field}" of ${table.name}; ${oneOf(words)}`,
        nearest(field.slice(0, 100), words),
      );
    }
  }
  learn(table.fields, row);
  return true;
}

function losesDigits(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return value !== null && typeof value === "object" && Object.values(value).some(losesDigits);
}

function holdsProto(value: Json): boolean {
  if (Array.isArray(value)) return value.some(holdsProto);
  if (value === null || typeof value !== "object") return false;
  return Object.keys(value).some((key) => key === "__proto__" || holdsProto(value[key] ?? null));
}
