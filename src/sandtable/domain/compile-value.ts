import type { Json } from "../../turn/json.ts";
import { describe } from "./check-shape.ts";
import { isList, isMapping } from "./forms.ts";
import { inside, type Place } from "./place.ts";
import { type Compilation, checkedCel, findPath, type Scope } from "./references.ts";
import type { Value } from "./types.ts";

/** Compiles a value written in a domain. `undefined`: it is mistaken, and that is reported. */
export function compileValue(c: Compilation, raw: unknown, place: Place, scope: Scope): Value | undefined {
  if (typeof raw === "string") return compileText(c, raw, place, scope);
  if (isList(raw)) return compileList(c, raw, place, scope);
  if (isMapping(raw)) {
    return Object.hasOwn(raw, "cel") ? compileCel(c, raw, place, scope) : compileObject(c, raw, place, scope);
  }
  return typeof raw === "number" || typeof raw === "boolean" ? literal(raw) : literal(null);
}

function literal(value: Json): Value {
  return { kind: "literal", value };
}

function compileText(c: Compilation, raw: string, place: Place, scope: Scope): Value | undefined {
  if (!raw.startsWith("$")) return literal(raw);
  if (raw.startsWith("$$")) return literal(raw.slice(1));
  const dotted = raw.slice(1);
  if (!/^[A-Za-z_][\w-]*(\.[\w-]+)*$/.test(dotted)) {
    c.problems.at(place, `${describe(raw)} is no argument; a text that begins with a dollar is written $$`);
    return undefined;
  }
  if (scope.none !== "") {
    c.problems.at(place, `${raw} stands for an argument of a call, and ${scope.none}`);
    return undefined;
  }
  const found = findPath(c, dotted, place, "value", scope.subjects);
  return found && { kind: "arg", path: found.path };
}

function compileCel(
  c: Compilation,
  raw: Record<string, unknown>,
  place: Place,
  scope: Scope,
): Value | undefined {
  const other = Object.keys(raw).find((key) => key !== "cel");
  if (other !== undefined) {
    c.problems.atKey(inside(place, other), `unknown key "${other}"; cel stands alone in its mapping`);
    return undefined;
  }
  if (typeof raw.cel !== "string" || raw.cel === "") {
    c.problems.at(inside(place, "cel"), `expected a CEL expression, not ${describe(raw.cel)}`);
    return undefined;
  }
  const source = checkedCel(c, raw.cel, inside(place, "cel"), scope, "any");
  return source === undefined ? undefined : { kind: "cel", source };
}

function compileList(c: Compilation, raw: unknown[], place: Place, scope: Scope): Value | undefined {
  const items = raw.map((item, index) => compileValue(c, item, inside(place, index), scope));
  const good = items.filter((item) => item !== undefined);
  if (good.length < items.length) return undefined;
  const values = literals(good);
  return values === undefined ? { kind: "list", items: good } : literal(values);
}

function compileObject(
  c: Compilation,
  raw: Record<string, unknown>,
  place: Place,
  scope: Scope,
): Value | undefined {
  const names = Object.keys(raw);
  const values = names.map((name) => compileValue(c, raw[name], inside(place, name), scope));
  const entries = names.flatMap((name, index) => {
    const value = values[index];
    return value === undefined ? [] : [{ name, value }];
  });
  if (entries.length < names.length) return undefined;
  const plain = literals(entries.map((entry) => entry.value));
  if (plain === undefined) return { kind: "object", entries };
  return literal(Object.fromEntries(plain.map((value, index) => [names[index] ?? "", value])));
}

/** The values of literals; `undefined` when one of them is no literal. */
function literals(values: readonly Value[]): Json[] | undefined {
  const plain: Json[] = [];
  for (const value of values) {
    if (value.kind !== "literal") return undefined;
    plain.push(value.value);
  }
  return plain;
}
