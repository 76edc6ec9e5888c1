import type { Json, JsonObject } from "../../../src/turn/json.ts";

/** What is wrong at one place of a value. `path` is written with dots; empty for the value itself. */
export interface FormIssue {
  path: string;
  message: string;
}

/** How a form shows a schema. `json`: as text, because no simpler control would tell the truth. */
export type SchemaKind = "object" | "array" | "text" | "number" | "integer" | "boolean" | "choice" | "json";

/** The schema a `$ref` inside `root` names, or the schema itself; null leaves of an `anyOf` are dropped. */
export function resolveSchema(
  schema: Json | undefined,
  root: JsonObject,
): { schema: JsonObject; nullable: boolean } {
  let current = isObject(schema) ? schema : {};
  let nullable = false;
  // A chain of references is short; one that goes round ends here.
  for (let step = 0; step < 16; step += 1) {
    const ref = current.$ref;
    if (typeof ref === "string") {
      current = { ...followRef(ref, root), ...without(current, "$ref") };
      continue;
    }
    const options = [current.anyOf, current.oneOf].find(Array.isArray);
    const real = options?.filter((option) => !(isObject(option) && option.type === "null"));
    if (options !== undefined && real?.length === 1 && isObject(real[0])) {
      nullable ||= real.length < options.length;
      current = { ...without(without(current, "anyOf"), "oneOf"), ...real[0] };
      continue;
    }
    break;
  }
  const type = current.type;
  if (Array.isArray(type) && type.includes("null")) {
    const rest = type.filter((one) => one !== "null");
    return { schema: { ...current, type: rest.length === 1 ? (rest[0] ?? "string") : rest }, nullable: true };
  }
  return { schema: current, nullable };
}

export function kindOf(schema: JsonObject): SchemaKind {
  const choices = choicesOf(schema);
  if (choices !== null) return "choice";
  switch (schema.type) {
    case "object":
      return isObject(schema.properties) && Object.keys(schema.properties).length > 0 ? "object" : "json";
    case "array":
      return isObject(schema.items) ? "array" : "json";
    case "string":
      return "text";
    case "number":
      return "number";
    case "integer":
      return "integer";
    case "boolean":
      return "boolean";
    default:
      return "json";
  }
}

/** The values a schema allows when it names them all. */
export function choicesOf(schema: JsonObject): Json[] | null {
  if (Array.isArray(schema.enum)) return schema.enum;
  if ("const" in schema && schema.const !== undefined) return [schema.const];
  const options = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (options === undefined || options.length === 0) return null;
  const values = options.map((option) => (isObject(option) ? option.const : undefined));
  return values.every((value) => value !== undefined) ? values : null;
}

/** A value to start from: what the schema gives as default, and the parts it requires left empty. */
export function startingValue(given: Json | undefined, root: JsonObject): Json {
  const { schema, nullable } = resolveSchema(given, root);
  const preset = schema.default;
  if (preset !== undefined) return preset;
  const kind = kindOf(schema);
  if (kind === "object") {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    return Object.fromEntries(
      Object.entries(properties).flatMap(([name, one]) => {
        const { schema: member } = resolveSchema(one, root);
        if (!required.has(name) && member.default === undefined) return [];
        return [[name, startingValue(one, root)]];
      }),
    );
  }
  if (nullable) return null;
  if (kind === "array") return [];
  if (kind === "boolean") return false;
  if (kind === "choice") return choicesOf(schema)?.[0] ?? null;
  return kind === "json" ? {} : "";
}

/**
 * What a person can be told before the Worker checks the value: what is missing, of the wrong type or out of bounds.
 * The Worker's own check stays the one that counts.
 */
export function checkValue(
  value: Json | undefined,
  given: Json | undefined,
  root: JsonObject,
  path = "",
): FormIssue[] {
  const { schema, nullable } = resolveSchema(given, root);
  if (value === null && nullable) return [];
  const issue = (message: string): FormIssue[] => [{ path, message }];
  switch (kindOf(schema)) {
    case "object": {
      if (!isObject(value)) return issue("Expected an object.");
      const properties = isObject(schema.properties) ? schema.properties : {};
      const required = new Set(Array.isArray(schema.required) ? schema.required : []);
      return Object.entries(properties).flatMap(([name, one]) => {
        const at = path === "" ? name : `${path}.${name}`;
        const member = value[name];
        if (member === undefined) return required.has(name) ? [{ path: at, message: "Needed." }] : [];
        return checkValue(member, one, root, at);
      });
    }
    case "array": {
      if (!Array.isArray(value)) return issue("Expected a list.");
      const least = numberOf(schema.minItems);
      if (least !== null && value.length < least) return issue(`At least ${least}.`);
      return value.flatMap((one, index) => checkValue(one, schema.items, root, `${path}.${index}`));
    }
    case "text":
      return typeof value === "string" ? textIssue(value, schema, issue) : issue("Expected a text.");
    case "number":
    case "integer":
      return numberIssue(value, schema, issue);
    default:
      return [];
  }
}

function textIssue(value: string, schema: JsonObject, issue: (message: string) => FormIssue[]): FormIssue[] {
  const least = numberOf(schema.minLength);
  const most = numberOf(schema.maxLength);
  if (least !== null && value.length < least)
    return issue(least === 1 ? "Needed." : `At least ${least} characters.`);
  if (most !== null && value.length > most) return issue(`At most ${most} characters.`);
  return [];
}

function numberIssue(
  value: Json | undefined,
  schema: JsonObject,
  issue: (message: string) => FormIssue[],
): FormIssue[] {
  if (value === "" || value === undefined) return issue("Needed.");
  if (typeof value !== "number") return issue("Expected a number.");
  if (schema.type === "integer" && !Number.isInteger(value)) return issue("Expected a whole number.");
  const least = numberOf(schema.minimum);
  const most = numberOf(schema.maximum);
  const above = numberOf(schema.exclusiveMinimum);
  const below = numberOf(schema.exclusiveMaximum);
  if (least !== null && value < least) return issue(`At least ${least}.`);
  if (above !== null && value <= above) return issue(`More than ${above}.`);
  if (most !== null && value > most) return issue(`At most ${most}.`);
  if (below !== null && value >= below) return issue(`Less than ${below}.`);
  return [];
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null;
}

function without(schema: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = schema;
  return rest;
}

function followRef(ref: string, root: JsonObject): JsonObject {
  if (!ref.startsWith("#")) return {};
  let at: Json | undefined = root;
  for (const segment of ref.slice(1).split("/").slice(1)) {
    const name = decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
    at = isObject(at) ? at[name] : Array.isArray(at) ? at[Number(name)] : undefined;
  }
  return isObject(at) ? at : {};
}
