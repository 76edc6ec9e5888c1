import type { Json } from "../../turn/json.ts";
import { isDate } from "./columns.ts";
import { isChoice, takesList } from "./filter-bag.ts";
import type { PermittedFilter } from "./filters.ts";
import { matchName } from "./match-name.ts";
import { relativeToken } from "./operators.ts";
import { Refusal } from "./refusal.ts";

const stock = new Set(["text", "select", "multiSelect", "checklist", "boolean", "dateRange", "numberRange"]);

/** Whether a filter's type is one whose values are known here, rather than a host's own. */
export function isStock(filter: PermittedFilter): boolean {
  return stock.has(filter.type);
}

/**
 * The value as a bag holds it: a text, or a list of texts for operators that take several. Throws `invalid-arguments`
 * with what the filter takes.
 */
export function readValue(filter: PermittedFilter, op: string, value: Json): Json {
  if (!isStock(filter)) return value;
  if (op === "between") {
    if (!Array.isArray(value) || value.length !== 2) {
      throw invalid(`filter "${filter.id}" with between needs a list of two values, the lower first`);
    }
    return value.map((item) => readScalar(filter, op, item));
  }
  const items = Array.isArray(value) ? value : [value];
  if (takesList(filter, op)) {
    if (items.length === 0) throw invalid(`filter "${filter.id}" with ${op} needs at least one value`);
    return items.map((item) => readScalar(filter, op, item));
  }
  const [only] = items;
  if (items.length !== 1 || only === undefined) {
    throw invalid(`filter "${filter.id}" with ${op} takes one value, not ${items.length}`);
  }
  return readScalar(filter, op, only);
}

function readScalar(filter: PermittedFilter, op: string, value: Json): string {
  if (value === null || typeof value === "object")
    throw invalid(`filter "${filter.id}" takes texts and numbers`);
  const text = String(value).trim();
  if (isChoice(filter)) return optionNamed(filter, text);
  switch (filter.type) {
    case "numberRange":
      if (typeof value === "boolean" || text === "" || !Number.isFinite(Number(text))) {
        throw invalid(`filter "${filter.id}" takes numbers, not "${text}"`);
      }
      return String(Number(text));
    case "dateRange":
      return readDay(filter, op, text);
    case "boolean": {
      const said = text.toLowerCase();
      if (said === "true" || said === "yes" || said === "1") return "true";
      if (said === "false" || said === "no" || said === "0") return "false";
      throw invalid(`filter "${filter.id}" takes "true" or "false", not "${text}"`);
    }
    default:
      // A space before a part of a text says where a word begins.
      return text !== "" && partOps.has(op) ? String(value).trimEnd() : text;
  }
}

/** Operators that look for a part of a text. */
const partOps: ReadonlySet<string> = new Set(["contains", "notContains", "startsWith", "endsWith"]);

function readDay(filter: PermittedFilter, op: string, text: string): string {
  if (op === "relative") {
    const token = relativeToken(text);
    if (token !== undefined) return token;
    throw invalid(
      `filter "${filter.id}" with relative takes today, yesterday, tomorrow, thisWeek, thisMonth, previousMonth, last:N or next:N, not "${text}"`,
    );
  }
  if (isDate(text)) return text.slice(0, 10);
  throw invalid(`filter "${filter.id}" takes days as YYYY-MM-DD, not "${text}"`);
}

/** The option's value for what someone calls it. A list of options that is not known takes any text. */
function optionNamed(filter: PermittedFilter, text: string): string {
  if (filter.options === undefined) return text;
  const options = filter.options.map(({ value, label }) => ({ id: String(value), label }));
  const option = matchName(text, options);
  if (option !== undefined) return option.id;
  const shown = options.slice(0, 12).map((item) => item.id);
  const more = options.length > shown.length ? ` and ${options.length - shown.length} more` : "";
  throw invalid(`filter "${filter.id}" has no option "${text}": it has ${shown.join(", ")}${more}`);
}

function invalid(message: string): Refusal {
  return new Refusal("invalid-arguments", message);
}
