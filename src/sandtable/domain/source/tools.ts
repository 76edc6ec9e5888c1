import * as z from "zod";
import { always, forms, isList, isMapping, isNumber, isText, oneOrMany, strict } from "../forms.ts";
import { anything, cel, key, paramName, path, table, text, where } from "./value.ts";

const paramTypes = ["string", "number", "integer", "boolean", "object", "list"] as const;

export interface ParamObject {
  type?: (typeof paramTypes)[number] | undefined;
  description?: string | undefined;
  optional?: boolean | undefined;
  enum?: (string | number)[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  items?: ParamSource | undefined;
  properties?: { [name: string]: ParamSource } | undefined;
}
/** A type, a list of allowed values, or both and more in a mapping. */
export type ParamSource = (typeof paramTypes)[number] | (string | number)[] | ParamObject;

const allowed = z
  .array(forms("a string or a number", [isText, z.string()], [isNumber, z.number()]))
  .min(1)
  .meta({ description: "The only values allowed: all strings or all numbers." });

const count = z.int().min(0).optional();

const paramObject: z.ZodType<ParamObject, ParamObject> = strict({
  type: z
    .enum(paramTypes)
    .optional()
    .meta({ description: "Type of the argument. Can be left out beside enum." }),
  description: text.optional().meta({ description: "What the agent is told about the argument." }),
  optional: z
    .boolean()
    .optional()
    .meta({ description: "true: calls may leave the argument out. Default false." }),
  enum: allowed.optional(),
  minimum: z.number().optional().meta({ description: "Smallest number allowed." }),
  maximum: z.number().optional().meta({ description: "Largest number allowed." }),
  minLength: count.meta({ description: "Fewest characters of a string." }),
  maxLength: count.meta({ description: "Most characters of a string." }),
  minItems: count.meta({ description: "Fewest elements of a list." }),
  maxItems: count.meta({ description: "Most elements of a list." }),
  get items() {
    return param.optional().meta({ description: "What each element of the list is." });
  },
  get properties() {
    return params.optional().meta({ description: "What the object holds." });
  },
});

const param: z.ZodType<ParamSource, ParamSource> = forms(
  "a type such as string, a list of allowed values, or a mapping with type",
  [isText, z.enum(paramTypes)],
  [isList, allowed],
  [isMapping, paramObject],
).meta({ id: "param", description: "A type, a list of allowed values, or a mapping with type and limits." });

const params = z.record(paramName, param);

const selector = {
  table,
  key: key.optional(),
  where: where.optional().meta({ description: "Every row that matches, instead of a key." }),
};

const fields = z.array(path).min(1).optional().meta({ description: "The only fields the agent is shown." });

const assignments = z.record(text, anything);

const rowTest = strict({
  table,
  key: key.optional(),
  where: where
    .optional()
    .meta({ description: "Condition on the row. Without a key: on any row of the table." }),
});

const guardTest = forms("CEL, or a mapping with table", [isText, cel], [isMapping, rowTest]);

const guard = strict({
  if: guardTest.optional().meta({ description: "The call fails when this holds." }),
  unless: guardTest.optional().meta({ description: "The call fails when this does not hold." }),
  error: text.meta({ description: "What the agent is told. {argument} stands for an argument's value." }),
});

const create = strict({
  table,
  key: key.optional().meta({ description: "Key of the new row. Left out: made by the table's new_key." }),
  set: assignments.meta({ description: "Fields of the new row." }),
});

const update = strict({
  ...selector,
  set: assignments.optional().meta({ description: "Fields to set, dotted for nested ones." }),
  append: assignments.optional().meta({ description: "Lists and the element to put at their end." }),
  remove: assignments.optional().meta({ description: "Lists and the element to take out." }),
});

/** One tool of tools.yaml, or tools/NAME.yaml. */
export const tool = strict({
  description: text.meta({ description: "What the agent is told the tool does." }),
  params: params.optional().meta({ description: "Arguments by name, in the order the agent sees them." }),
  guard: oneOrMany(guard)
    .optional()
    .meta({ description: "Conditions that stop a call before it acts, in order." }),
  lookup: strict({
    ...selector,
    fields,
    error: text.optional().meta({ description: "What the agent is told when there is no such row." }),
  })
    .optional()
    .meta({ description: "Returns one row." }),
  search: strict({
    table,
    where: where.optional().meta({ description: "Which rows. Left out: all." }),
    sort: forms("a field or a list of fields", [isList, z.array(text).min(1)], [always, text])
      .optional()
      .meta({ description: "Field to sort by; -field for largest first." }),
    limit: z.int().min(1).optional().meta({ description: "Most rows returned." }),
    fields,
  })
    .optional()
    .meta({ description: "Returns a list of rows." }),
  create: oneOrMany(create).optional().meta({ description: "Adds a row." }),
  update: oneOrMany(update).optional().meta({ description: "Changes rows." }),
  delete: oneOrMany(strict(selector)).optional().meta({ description: "Removes rows." }),
  respond: anything.optional().meta({ description: "What the call returns instead of a row." }),
});
export type ToolSource = z.input<typeof tool>;
