import type { Json, JsonObject } from "../../turn/json.ts";
import type { Rule } from "../domain/types.ts";
import type { EvalContext } from "../expr/context.ts";
import { deepEqual } from "../expr/equal.ts";
import { getPath } from "../expr/path.ts";
import { matchesResolved, type ResolvedWhere, resolveWhere } from "../expr/where.ts";

/** A value the agent was shown and must keep to itself. */
export interface Secret {
  table: string;
  /** Null when the result did not carry the row's key. */
  key: string | null;
  field: string;
  value: string | number;
  /** Position of the call whose result showed it. */
  call: number;
}

export interface Shown {
  secrets: Secret[];
  /** Numbers the agent was shown in fields that are no secret. */
  publicNumbers: ReadonlySet<number>;
}

/**
 * What a `never_disclose` rule has at stake: the secret fields of rows in results of earlier successful calls. A result
 * that leaves the field out shows nothing. An object is taken for a row of a table when all its fields are fields of
 * that table and it carries the key, or fits no other table; where it fits another as well, it must agree with the row
 * as it stands. Throws CelError.
 */
export function shownSecrets(rule: Rule & { kind: "never_disclose" }, ctx: EvalContext): Shown {
  const fields = rule.fields.map(
    ({ table, path, where }): SecretField => ({
      table: shownTable(table, ctx),
      others: (ctx.tables ?? []).filter((one) => one.name !== table).map((one) => new Set(one.fields)),
      path,
      where: where === undefined ? null : resolveWhere(where, ctx),
    }),
  );
  const found = new Map<string, Secret>();
  const publicNumbers = new Set<number>();
  const walk = (value: Json, call: number): void => {
    if (typeof value === "number") publicNumbers.add(value);
    if (value === null || typeof value !== "object") return;
    const hidden = new Set<string>();
    if (!Array.isArray(value)) {
      for (const field of fields) {
        const key = secretOf(value, field, ctx);
        if (key === false) continue;
        hidden.add(field.path[0] ?? "");
        for (const leaf of leaves(getPath(value, field.path))) {
          const secret = { table: field.table.name, key, field: field.path.join("."), value: leaf, call };
          const identity = JSON.stringify([secret.table, key, secret.field, leaf]);
          if (!found.has(identity)) found.set(identity, secret);
        }
      }
    }
    for (const [name, inner] of Object.entries(value)) if (!hidden.has(name)) walk(inner, call);
  };
  if (fields.length > 0) {
    for (const call of ctx.conversation.calls)
      if (call.ok && call.result !== undefined) walk(call.result, call.index);
  }
  return { secrets: [...found.values()], publicNumbers };
}

interface SecretField {
  table: ShownTable;
  others: ReadonlySet<string>[];
  path: string[];
  where: ResolvedWhere | null;
}

interface ShownTable {
  name: string;
  key: string | null;
  fields: ReadonlySet<string>;
}

/** Key field and fields of a table, read off its first row when the context does not know the tables. */
function shownTable(name: string, ctx: EvalContext): ShownTable {
  const table = ctx.tables?.find((one) => one.name === name);
  if (table !== undefined) return { name, key: table.key, fields: new Set(table.fields) };
  for (const row of ctx.world.scan(name)) {
    const isKey = ([, value]: [string, Json]): boolean =>
      typeof value === "string" && ctx.world.get(name, value) !== undefined;
    return { name, key: Object.entries(row).find(isKey)?.[0] ?? null, fields: new Set(Object.keys(row)) };
  }
  return { name, key: null, fields: new Set() };
}

/** The key of the row an object shows a secret of (null: a row without its key), or false when it shows none. */
function secretOf(object: JsonObject, field: SecretField, ctx: EvalContext): string | null | false {
  const { table, others, path, where } = field;
  if (getPath(object, path) === undefined) return false;
  const shownKey = table.key === null || !Object.hasOwn(object, table.key) ? undefined : object[table.key];
  const key = typeof shownKey === "string" ? shownKey : null;
  const row = key === null ? undefined : ctx.world.get(table.name, key);
  const names = Object.keys(object);
  if (!names.every((name) => table.fields.has(name) || (row !== undefined && Object.hasOwn(row, name))))
    return false;
  if (others.some((fields) => names.every((name) => fields.has(name)))) {
    if (row === undefined || !names.every((name) => agrees(object[name], row[name]))) return false;
  }
  if (where !== null && !matchesResolved({ ...row, ...object }, where)) return false;
  return key;
}

function agrees(a: Json | undefined, b: Json | undefined): boolean {
  return a !== undefined && b !== undefined && deepEqual(a, b);
}

/** Texts and numbers inside a value; flags and null say nothing that words could give away. */
function leaves(value: Json | undefined): (string | number)[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (typeof value === "number") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap(leaves);
}
