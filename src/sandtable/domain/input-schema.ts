import type { JsonObject } from "../../turn/json.ts";
import type { StepTool } from "../trial/step-protocol.ts";
import type { Domain, NamedParam, Param } from "./types.ts";

/**
 * The JSON Schema of a call's arguments: `type: "object"`, `properties`, `required` in the order declared (`[]` when
 * there is none) and `additionalProperties: false`, nested objects likewise. An object without declared properties
 * takes any.
 */
export function inputSchema(params: readonly NamedParam[]): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries(params.map((param) => [param.name, schemaOf(param)])),
    required: params.filter((param) => !param.optional).map((param) => param.name),
    additionalProperties: false,
  };
}

/** The domain's tools as the agent under test is told them. */
export function stepTools(domain: Pick<Domain, "tools">): StepTool[] {
  return domain.tools.map(({ name, description, params }) => ({
    name,
    description,
    input_schema: inputSchema(params),
  }));
}

/** The default system prompt: the domain's description, an empty line, its policy. */
export function systemPrompt(domain: Pick<Domain, "description" | "policy">): string {
  return `${domain.description}\n\n${domain.policy}`;
}

const limits = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"] as const;

function schemaOf(param: Param): JsonObject {
  const schema: JsonObject = { type: param.type === "list" ? "array" : param.type };
  if (param.description !== undefined) schema.description = param.description;
  if (param.enum !== undefined) schema.enum = param.enum;
  for (const limit of limits) {
    const value = param[limit];
    if (value !== undefined) schema[limit] = value;
  }
  if (param.items !== undefined) schema.items = schemaOf(param.items);
  return param.properties === undefined ? schema : { ...schema, ...inputSchema(param.properties) };
}
