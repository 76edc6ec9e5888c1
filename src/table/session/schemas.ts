import type { Json, JsonObject } from "../../turn/json.ts";

/** Schema of an object with exactly these properties. */
export function objectOf(properties: Record<string, JsonObject>, required: string[] = []): JsonObject {
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Schema of a list of at least one and at most `maxItems`. */
export function listOf(items: JsonObject, maxItems?: number): JsonObject {
  return { type: "array", items, minItems: 1, ...(maxItems === undefined ? {} : { maxItems }) };
}

/** Schema of a name: one of `ids` where they are told. `orNull` permits null as well. */
export function nameOf(ids: string[] | null, description: string, orNull = false): JsonObject {
  const choices: Json[] | null = ids === null ? null : orNull ? [...ids, null] : ids;
  return {
    type: orNull ? ["string", "null"] : "string",
    ...(choices === null ? {} : { enum: choices }),
    description,
  };
}

/** Schema of a number from 1 up. */
export function positiveInteger(description: string): JsonObject {
  return { type: "integer", minimum: 1, description };
}

/** Schema of what a view change answers. */
export function viewResult(properties: Record<string, JsonObject> = {}): JsonObject {
  return {
    type: "object",
    properties: { ok: { type: "boolean" }, revision: { type: "integer" }, ...properties },
    required: ["ok", "revision"],
  };
}

/** Schema of what a write answers. */
export const writeResult: JsonObject = {
  type: "object",
  properties: {
    proposals: {
      type: "array",
      items: {
        type: "object",
        properties: { rowKey: { type: "string" }, column: { type: "string" }, before: {}, after: {} },
        required: ["rowKey"],
      },
    },
    applied: { type: "boolean", description: "false: not done, or not all of it" },
    staged: { type: "boolean", description: "true: shown to the reader, not saved" },
    approval: {
      type: "string",
      enum: ["pending", "approved", "partial", "rejected", "cancelled", "not-required"],
    },
    approvalReason: { type: "string" },
    results: {
      type: "array",
      items: {
        type: "object",
        properties: {
          rowKey: { type: "string" },
          column: { type: "string" },
          ok: { type: "boolean" },
          error: { type: "string" },
        },
        required: ["rowKey", "ok"],
      },
    },
  },
  required: ["proposals", "applied", "approval"],
};

/** Schema of what an operation answers. */
export const operationResult: JsonObject = {
  type: "object",
  properties: {
    ran: { type: "boolean", description: "false: not done" },
    approval: { type: "string" },
    approvalReason: { type: "string" },
  },
  required: ["ran", "approval"],
};
