import type { Json } from "../../turn/json.ts";

const longest = 80;

/** A value in a sentence: numbers and plain words as they are, other text in quotes, the rest as JSON, cut when long. */
export function show(value: Json | undefined): string {
  if (value === undefined) return "missing";
  if (typeof value === "string" && /^[\p{L}\p{N}][\p{L}\p{N}_.:@/-]*$/u.test(value)) return cut(value);
  return cut(JSON.stringify(value));
}

/** Text cut to a length that fits a sentence. */
export function cut(text: string, limit = longest): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}
