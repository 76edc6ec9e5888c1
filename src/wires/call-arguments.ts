import type { JsonObject } from "../turn/index.ts";

/**
 * The arguments of a call as its wire spells them. What is no JSON object counts as no arguments: a model may have
 * written it, was told so, and the conversation goes on.
 */
export function parseArguments(text: string): JsonObject {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
