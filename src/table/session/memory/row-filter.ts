import type { Json, JsonObject } from "../../../turn/json.ts";
import { own } from "../../protocol/own.ts";
import { type Condition, conditionsOf } from "../filter-bag.ts";
import type { PermittedFilter } from "../filters.ts";
import { relativeDays } from "./relative-days.ts";

export type CellTest = (cells: JsonObject) => boolean;

/** Tests that a row must pass, one for each filter in force. `today` is `YYYY-MM-DD`. */
export function rowTests(bag: JsonObject, filters: readonly PermittedFilter[], today: string): CellTest[] {
  const byKey = new Map(filters.map((filter) => [filter.id, filter]));
  return conditionsOf(bag, filters).flatMap((condition) => {
    const filter = byKey.get(condition.key);
    if (filter === undefined) return [];
    const test = valueTest(filter, condition, today);
    const { column } = filter;
    return [(cells: JsonObject) => test(own(cells, column))];
  });
}

type ValueTest = (value: Json | undefined) => boolean;

function valueTest(filter: PermittedFilter, condition: Condition, today: string): ValueTest {
  if (condition.op === "empty") return isEmpty;
  if (condition.op === "notEmpty") return (value) => !isEmpty(value);
  switch (filter.type) {
    case "text":
      return textTest(condition);
    case "numberRange":
      return numberTest(condition);
    case "dateRange":
      return dayTest(condition, today);
    default:
      return choiceTest(condition);
  }
}

function isEmpty(value: Json | undefined): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

function textTest({ op, value }: Condition): ValueTest {
  const wanted = String(value).toLowerCase();
  const text = (cell: Json | undefined) => (isEmpty(cell) ? "" : String(cell).toLowerCase());
  switch (op) {
    case "eq":
      return (cell) => text(cell) === wanted;
    case "neq":
      return (cell) => text(cell) !== wanted;
    case "notContains":
      return (cell) => !text(cell).includes(wanted);
    case "startsWith":
      return (cell) => text(cell).startsWith(wanted);
    case "endsWith":
      return (cell) => text(cell).endsWith(wanted);
    default:
      return (cell) => text(cell).includes(wanted);
  }
}

function numberTest({ op, value }: Condition): ValueTest {
  const numbers = (Array.isArray(value) ? value : [value]).map(Number);
  const [first = Number.NaN, second = Number.NaN] = numbers;
  const among = new Set(numbers);
  const where = (test: (number: number) => boolean, otherwise = false): ValueTest => {
    return (cell) => (typeof cell === "number" ? test(cell) : otherwise);
  };
  switch (op) {
    case "eq":
      return where((number) => number === first);
    case "neq":
      return where((number) => number !== first, true);
    case "gt":
      return where((number) => number > first);
    case "lt":
      return where((number) => number < first);
    case "lte":
      return where((number) => number <= first);
    case "between":
      return where((number) => number >= first && number <= second);
    case "in":
      return where((number) => among.has(number));
    case "notIn":
      return where((number) => !among.has(number), true);
    default:
      return where((number) => number >= first);
  }
}

/** Days compare as texts. */
function dayTest({ op, value }: Condition, today: string): ValueTest {
  const days = (Array.isArray(value) ? value : [value]).map(String);
  const [first = "", second = ""] = days;
  const where = (test: (day: string) => boolean): ValueTest => {
    return (cell) => typeof cell === "string" && cell !== "" && test(cell.slice(0, 10));
  };
  switch (op) {
    case "before":
      return where((day) => day < first);
    case "after":
      return where((day) => day > first);
    case "gte":
      return where((day) => day >= first);
    case "lte":
      return where((day) => day <= first);
    case "between":
      return where((day) => day >= first && day <= second);
    case "relative": {
      const span = relativeDays(first, today);
      return where((day) => span !== undefined && day >= span.from && day <= span.to);
    }
    default:
      return where((day) => day === first);
  }
}

/** A cell that holds a list matches when one of it does. */
function choiceTest({ op, value }: Condition): ValueTest {
  const wanted = new Set((Array.isArray(value) ? value : [value]).map(String));
  const negated = op === "neq" || op === "notIn";
  return (cell) => {
    const held = Array.isArray(cell)
      ? cell.some((item) => wanted.has(String(item)))
      : wanted.has(String(cell));
    return held !== negated;
  };
}
