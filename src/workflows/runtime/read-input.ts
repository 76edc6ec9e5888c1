import type * as z from "zod";
import { toDotPath } from "zod/v4/core";
import type { Json } from "../../turn/json.ts";
import type { WorkflowDefinition } from "./definition.ts";
import { jsonBytes, readJsonValue } from "./json-value.ts";
import type { InputIssue } from "./types.ts";

/** Largest input, output, step result and payload of a run, bytes of JSON: the engine takes no more. */
export const maxValueBytes = 1_048_576;

/** More issues than this help nobody. */
const maxIssues = 50;

/** zod's issues as replies carry them. */
export function issuesOf(error: z.ZodError): InputIssue[] {
  return error.issues
    .slice(0, maxIssues)
    .map(({ path, message }) => ({ path: path.length === 0 ? "" : toDotPath(path), message }));
}

/** The input of a run as its workflow's schema reads it, defaults filled in; without a schema it is taken as it is. */
export function readInput(
  { inputSchema }: Pick<WorkflowDefinition, "inputSchema">,
  input: Json,
): { ok: true; input: Json } | { ok: false; issues: InputIssue[] } {
  // As it came, too: a retry starts from that.
  if (isTooLarge(input)) return { ok: false, issues: [tooLarge] };
  let value: unknown = input;
  if (inputSchema !== undefined) {
    const read = inputSchema.safeParse(input);
    if (!read.success) return { ok: false, issues: issuesOf(read.error) };
    value = read.data;
  }
  const json = readJsonValue(value, "input");
  if (!json.ok) return { ok: false, issues: [{ path: "", message: json.message }] };
  if (isTooLarge(json.value)) return { ok: false, issues: [tooLarge] };
  return { ok: true, input: json.value };
}

const tooLarge: InputIssue = { path: "", message: `has more than ${maxValueBytes} bytes of JSON` };

function isTooLarge(value: Json): boolean {
  return jsonBytes(JSON.stringify(value)) > maxValueBytes;
}
