import * as z from "zod";
import { forms, has, isBoolean, isList, isMapping, isNull, isNumber, isText, strict } from "../forms.ts";
import { operators } from "../types.ts";

/** Shapes that every part of a domain shares. A schema's description is what an editor shows. */

export const text = z.string().min(1);

/** Begins with a letter; then letters, digits, `_` and `-`. Names of tables. */
export const tableName = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
    "is no name for a table; use letters, digits, _ and -, at most 64",
  );

/** What model providers accept as the name of a tool. `agent` and `caller` are steps of a reference path. */
export const toolName = z.string().regex(/^(?!(?:agent|caller)$)[A-Za-z_][A-Za-z0-9_-]{0,63}$/, {
  error: (issue) =>
    issue.input === "agent" || issue.input === "caller"
      ? "cannot name a tool; it names a line of a reference path"
      : "is no name for a tool; use letters, digits, _ and -, at most 64",
});

/** CEL reads arguments as `args.name`. */
export const paramName = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
    "is no name for an argument; use letters, digits and _, at most 64",
  );

/** Ids stand in session ids and reports: no slash, no `#`, no space. */
export const id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "is no id; use letters, digits, `.`, _ and -, at most 100");

export const cel = text.meta({ description: "A CEL expression, such as args.rate <= 5000." });

export const anything = z.unknown().meta({
  id: "value",
  description:
    "Any value. $name is the argument of the call, $$ begins a text with a dollar, { cel: ... } computes.",
});

export const table = text.meta({ description: "A table of the world." });

export const path = text.meta({ description: "A field; dotted for a nested one, such as origin.city." });

/** Condition on an object: a mapping of dotted field path to value or operators, or a list of such mappings. */
export type WhereSource = WhereMap | WhereMap[];
export type WhereMap = { [path: string]: unknown };

const celValue = strict({ cel: cel });

const oneOfValues = forms(
  "a list of values, $argument or { cel: ... }",
  [isList, z.array(anything).min(1)],
  [isText, z.string()],
  [has("cel"), celValue],
);

/** Operators with the shape of what they compare with. */
const operand = (name: (typeof operators)[number]) => {
  if (name === "in" || name === "not_in") return oneOfValues;
  return name === "exists" ? z.boolean() : anything;
};

const describeOperator: Record<(typeof operators)[number] | "any", string> = {
  eq: "Equal. Numbers compare by value.",
  ne: "Not equal.",
  gt: "Greater than.",
  gte: "At least.",
  lt: "Less than.",
  lte: "At most.",
  in: "One of these values.",
  not_in: "None of these values.",
  contains: "The text contains this, whatever the case, or the list has this element.",
  not_contains: "Opposite of contains.",
  starts_with: "The text starts with this, whatever the case.",
  ends_with: "The text ends with this, whatever the case.",
  exists: "true: the field has a value; false: it has none.",
  any: "Some element of the list meets this condition.",
};

const operatorsMap: z.ZodType<WhereMap, WhereMap> = strict(
  {
    ...Object.fromEntries(
      operators.map((name) => [name, operand(name).optional().meta({ description: describeOperator[name] })]),
    ),
    get any() {
      return where.optional().meta({ description: describeOperator.any });
    },
  },
  "operator",
);

const condition = forms(
  (value) =>
    isList(value)
      ? "a list needs an operator; write in: [...] for any of these values, eq: [...] for exactly this list"
      : "expected a value or operators",
  [has("cel"), celValue],
  [isMapping, operatorsMap],
  [isText, z.string()],
  [isNumber, z.number()],
  [isBoolean, z.boolean()],
  [isNull, z.null()],
).meta({
  id: "condition",
  description: "A value the field equals, or operators such as { gte: 5 }; all must hold.",
});

const whereMap = z.record(z.string(), condition);

export const where: z.ZodType<WhereSource, WhereSource> = forms(
  "a mapping of field to value, or a list of such mappings",
  [isList, z.array(whereMap).min(1)],
  [isMapping, whereMap],
).meta({
  id: "where",
  description:
    "Field (dotted for nested fields) to value or operators. A list of such mappings: any of them.",
});

/** Operators without a path, for an amount. */
export const amountTest = operatorsMap;

/** Picks the row with a key. */
export const key = anything.meta({ description: "Key of the row, mostly $argument." });
