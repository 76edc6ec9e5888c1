import type { PermittedFilter } from "./filters.ts";
import { fold } from "./match-name.ts";
import { Refusal } from "./refusal.ts";

/** What people write for an operator, and the operators it may mean, the likeliest first. Words are folded. */
const meanings: [string[], string[]][] = [
  [
    ["=", "==", "===", "eq", "equal", "equals", "equalto", "is", "exactly"],
    ["eq", "on", "in"],
  ],
  [
    ["!=", "!==", "<>", "neq", "ne", "not", "isnot", "notequal", "notequals", "notequalto"],
    ["neq", "notIn"],
  ],
  [
    [">", "gt", "over", "above", "morethan", "greaterthan", "higherthan", "exceeds", "after", "laterthan"],
    ["gt", "after"],
  ],
  [
    [">=", "≥", "gte", "ge", "atleast", "from", "since", "onorafter", "min", "minimum", "greaterthanorequal"],
    ["gte"],
  ],
  [
    ["<", "lt", "under", "below", "lessthan", "lowerthan", "fewerthan", "before", "earlierthan"],
    ["lt", "before"],
  ],
  [
    [
      "<=",
      "≤",
      "lte",
      "le",
      "atmost",
      "until",
      "upto",
      "to",
      "onorbefore",
      "max",
      "maximum",
      "lessthanorequal",
    ],
    ["lte"],
  ],
  [["on"], ["on", "eq"]],
  [["contains", "includes", "like", "ilike", "has", "~"], ["contains"]],
  [["notcontains", "doesnotcontain", "excludes", "notlike", "!~"], ["notContains"]],
  [["startswith", "beginswith", "prefix", "^="], ["startsWith"]],
  [["endswith", "suffix", "$="], ["endsWith"]],
  [["between", "range", "within", "inrange"], ["between"]],
  [
    ["in", "oneof", "anyof", "isanyof", "isoneof"],
    ["in", "eq"],
  ],
  [
    ["notin", "nin", "noneof", "isnoneof"],
    ["notIn", "neq"],
  ],
  [["empty", "isempty", "null", "isnull", "blank", "missing"], ["empty"]],
  [["notempty", "isnotempty", "notnull", "isnotnull", "exists", "notblank"], ["notEmpty"]],
  [["relative"], ["relative"]],
];

/** The filter's operator someone means. Throws `invalid-arguments`, with those it has, when it has none of the kind. */
export function resolveOperator(wanted: string, filter: PermittedFilter): string {
  if (filter.operators.includes(wanted)) return wanted;
  const name = fold(wanted);
  const own = filter.operators.find((operator) => fold(operator) === name);
  if (own !== undefined) return own;
  const meant = meanings.find(([words]) => words.includes(name))?.[1] ?? [];
  const fitting = meant.find((operator) => filter.operators.includes(operator));
  if (fitting !== undefined) return fitting;
  throw new Refusal(
    "invalid-arguments",
    `filter "${filter.id}" has no operator "${wanted}": it has ${filter.operators.join(", ")}`,
  );
}

const relativeWords: Record<string, string> = {
  today: "today",
  yesterday: "yesterday",
  tomorrow: "tomorrow",
  thisweek: "thisWeek",
  thismonth: "thisMonth",
  previousmonth: "previousMonth",
  lastmonth: "previousMonth",
};

const maxRelativeDays = 36_600;

/**
 * The relative day or span a text names, as a bag holds it (`thisWeek`, `last:7`); undefined when it names none.
 * `last` and `next` count days, today among them.
 */
export function relativeToken(text: string): string | undefined {
  const name = fold(text);
  if (Object.hasOwn(relativeWords, name)) return relativeWords[name];
  const span = /^(last|past|previous|next):?(\d{1,5})(days?)?$/.exec(name);
  if (span === null) return undefined;
  const count = Number(span[2]);
  if (count < 1 || count > maxRelativeDays) return undefined;
  return `${span[1] === "next" ? "next" : "last"}:${count}`;
}
