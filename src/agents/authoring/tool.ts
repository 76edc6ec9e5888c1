import type { Operation } from "fast-json-patch";
import * as z from "zod";
import type { Json, JsonObject } from "../../turn/json.ts";

/** The shared state of a conversation, which clients see. */
interface SharedState {
  /** As it is now. A copy: changing it changes nothing. */
  get(): JsonObject;
  set(key: string, value: Json): void;
  delete(key: string): void;
  /** RFC 6902 operations, applied together or, when one does not apply, not at all: then it throws. */
  patch(operations: Operation[]): void;
}

/** What a tool is given beside its input. */
export interface ToolContext {
  /** The conversation's key; `null`: a stateless turn. */
  sessionId: string | null;
  runId: string;
  /** Unique in the session and the same when a call is made again after a fault: an idempotency key. */
  callId: string;
  /** Aborts when the turn is cancelled. */
  signal: AbortSignal;
  state: SharedState;
  /** What the client sent for tools to read; `null` when nothing. */
  forwarded: Json;
  /** Tells the client how far the tool is. Not kept in the conversation. */
  emit(name: string, value: Json): void;
}

/** A tool that runs on the server. */
export interface AgentTool {
  name: string;
  description: string;
  schema: z.ZodType;
  /** JSON Schema of the input, as the model sees it. */
  parameters: JsonObject;
  /** Checks the input and runs. Throws `ToolInputError` when the input does not fit, else what the tool throws. */
  run(input: unknown, context: ToolContext): Promise<Json>;
}

/** The input does not fit the tool's schema. The message says where and why, for the model to do better. */
export class ToolInputError extends Error {
  override readonly name = "ToolInputError";
}

interface ToolOptions<Schema extends z.ZodObject> {
  /** What the model calls it: 1 to 64 letters, digits, `_` and `-`. */
  name: string;
  description: string;
  /** A zod object. Its checks and defaults apply before the function is called. */
  schema: Schema;
}

/**
 * Makes a tool of a function. What it returns goes to the model as it is (a text) or as JSON; what it throws goes to
 * the model as an error result with the error's message, so a message must not hold a secret. A tool that changes
 * something outside should use `context.callId` as idempotency key.
 *
 * Throws when the name is not one that every provider takes, or the schema has no JSON Schema.
 */
export function tool<Schema extends z.ZodObject>(
  run: (input: z.output<Schema>, context: ToolContext) => Json | Promise<Json>,
  { name, description, schema }: ToolOptions<Schema>,
): AgentTool {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new Error(`${JSON.stringify(name)} is no name for a tool: 1 to 64 letters, digits, "_" and "-"`);
  }
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input" });
  return {
    name,
    description,
    schema,
    parameters: parameters as JsonObject,
    run: async (input, context) => {
      const read = schema.safeParse(input);
      if (!read.success) throw new ToolInputError(describeIssues(read.error));
      return (await run(read.data, context)) ?? null;
    },
  };
}

/** Why the tool would refuse this input; `null` when it would not. */
export function inputProblem(tool: AgentTool, input: unknown): string | null {
  const read = tool.schema.safeParse(input);
  return read.success ? null : describeIssues(read.error);
}

/** At most five issues: a model mends a few at a time. */
function describeIssues({ issues }: z.ZodError): string {
  const shown = issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  const more = issues.length > shown.length ? [`and ${issues.length - shown.length} more`] : [];
  return `invalid arguments: ${[...shown, ...more].join("; ")}`;
}
