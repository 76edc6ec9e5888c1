import * as z from "zod";
// Through `z.core` the bundler would keep every locale of zod: 330 KB.
import { $constructor } from "zod/v4/core";

/** One way to write something: the values it is meant for, and their schema. */
export type Form = readonly [meant: (value: unknown) => boolean, schema: z.ZodType];

/** What any of the forms `F` accepts. */
type Accepted<F extends readonly Form[]> = z.input<F[number][1]>;

interface FormsDef extends z.core.$ZodUnionDef {
  forms: readonly Form[];
  expected: string | ((value: unknown) => string);
}

interface Forms extends z.ZodUnion {
  _zod: z.ZodUnion["_zod"] & { def: FormsDef };
}

/**
 * A union that knows which form a value was meant as: the first whose test holds is the one that is checked, so
 * every issue speaks about that form. To JSON Schema it is an ordinary union.
 */
const Forms = $constructor<Forms, FormsDef>("Forms", (inst, def) => {
  z.ZodUnion.init(inst, def);
  inst._zod.parse = (payload, context) => {
    const form = def.forms.find(([meant]) => meant(payload.value));
    if (form !== undefined) return form[1]._zod.run(payload, context);
    const { expected } = def;
    const message = typeof expected === "string" ? `expected ${expected}` : expected(payload.value);
    payload.issues.push({ code: "custom", input: payload.value, inst, message });
    return payload;
  };
});

/**
 * A value that can be written in several forms. `expected` completes "expected ..." when no form is meant,
 * or makes the whole message.
 */
export function forms<const F extends readonly Form[]>(
  expected: string | ((value: unknown) => string),
  ...list: F
): z.ZodType<Accepted<F>, Accepted<F>> {
  const options = list.map(([, schema]) => schema);
  return new Forms({ type: "union", options, forms: list, expected }) as z.ZodType<Accepted<F>, Accepted<F>>;
}

/** A mapping that has only the keys of `shape`; `what` is how a message calls such a key. */
export function strict<Shape extends z.ZodRawShape>(
  shape: Shape,
  what = "key",
): z.ZodObject<Shape, z.core.$strict> {
  // The message carries the right words to `checkShape`, which makes one problem of each wrong key.
  const words = [what, ...Object.keys(shape)].join(wordSeparator);
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? words : undefined),
  });
}

/** Stands between the words in the message of an `unrecognized_keys` issue: what a key is called, then the right ones. */
export const wordSeparator = " ";

/** One thing or a list of them. */
export function oneOrMany<Source>(
  schema: z.ZodType<Source, Source>,
): z.ZodType<Source | Source[], Source | Source[]> {
  return forms("one or a list", [isList, z.array(schema).min(1)], [always, schema]);
}

/** What `oneOrMany` accepted, as a list, with each element's path below the whole. */
export function eachOf<T>(value: T | readonly T[]): { value: T; path: number[] }[] {
  if (!isListOf(value)) return [{ value, path: [] }];
  return value.map((item, index) => ({ value: item, path: [index] }));
}

function isListOf<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** Whether a source has a key, though what stands there may be mistaken and cut out. */
export function written(source: object, key: string): boolean {
  return Object.hasOwn(source, key);
}

export const always = (): boolean => true;
export const isText = (value: unknown): value is string => typeof value === "string";
export const isNumber = (value: unknown): value is number => typeof value === "number";
export const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
export const isNull = (value: unknown): value is null => value === null;
export const isList = (value: unknown): value is unknown[] => Array.isArray(value);
export const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** A mapping that has one of `keys`. */
export const has =
  (...keys: string[]) =>
  (value: unknown): value is Record<string, unknown> =>
    isMapping(value) && keys.some((key) => Object.hasOwn(value, key));
