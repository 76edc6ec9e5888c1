import type { Operation } from "fast-json-patch";
import * as z from "zod";
import type { Json, JsonObject } from "../../turn/json.ts";
import { callerActs } from "../domain/types.ts";
import type { Results } from "./results.ts";

// Read from JSON, these are values of any depth already; a record of zod's would leave out a key named `__proto__`.
const json = z.custom<Json>((value) => value !== undefined, { error: "expected a value" });
const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "expected an object" },
);
const usage = z.object({ inputTokens: z.number(), outputTokens: z.number(), costUsd: z.number().nullable() });
const severity = z.enum(["hard", "soft"]);

const operation = z.custom<Operation>((value) => patchOperation.safeParse(value).success, {
  error: "expected a JSON Patch operation",
});
const patchOperation = z.discriminatedUnion("op", [
  z.object({ op: z.enum(["add", "replace", "test"]), path: z.string(), value: json }),
  z.object({ op: z.literal("remove"), path: z.string() }),
  z.object({ op: z.enum(["move", "copy"]), path: z.string(), from: z.string() }),
]);

const ruleOutcome = z.object({
  rule: z.string(),
  outcome: z.enum(["kept", "broken", "unchecked"]),
  message: z.string().exactOptional(),
  evidence: jsonObject.exactOptional(),
});

const entry = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("caller"),
    turn: z.number(),
    text: z.string(),
    act: z.enum(callerActs).exactOptional(),
  }),
  z.object({
    kind: z.literal("agent"),
    turn: z.number(),
    text: z.string(),
    rules: z.array(ruleOutcome),
    by: z.literal("runner").exactOptional(),
  }),
  z.object({
    kind: z.literal("call"),
    turn: z.number(),
    round: z.number(),
    id: z.string(),
    tool: z.string(),
    args: jsonObject,
    ok: z.boolean(),
    result: json.exactOptional(),
    error: z.string().exactOptional(),
    rules: z.array(ruleOutcome),
    changes: z.array(operation),
  }),
  z.object({
    kind: z.literal("note"),
    turn: z.number(),
    text: z.string(),
    about: z.enum(["ignored_calls", "step_budget"]).exactOptional(),
  }),
]);

const reason = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("rule"),
    rule: z.string(),
    severity,
    quote: z.string().exactOptional(),
    message: z.string(),
    entry: z.number(),
  }),
  z.object({
    kind: z.enum(["called", "not_called", "state", "say", "not_say"]),
    message: z.string(),
    entry: z.number().exactOptional(),
  }),
  z.object({
    kind: z.literal("runtime"),
    message: z.string(),
    status: z.number().exactOptional(),
    body: z.string().exactOptional(),
    entry: z.number().exactOptional(),
  }),
  z.object({ kind: z.literal("note"), message: z.string(), entry: z.number() }),
  z.object({ kind: z.literal("errored"), message: z.string(), entry: z.number().exactOptional() }),
]);

const trial = z.object({
  taskId: z.string(),
  trial: z.number(),
  sessionId: z.string(),
  verdict: z.enum(["passed", "failed", "errored", "cancelled"]),
  why: z.array(reason),
  endedBy: z.enum([
    "caller_hung_up",
    "patience",
    "max_turns",
    "agent_error",
    "killed",
    "caller_error",
    "cancelled",
  ]),
  turns: z.number(),
  steps: z.number(),
  transcript: z.array(entry),
  stateChanges: z.array(operation),
  callerUsage: usage,
  startedAt: z.string(),
  endedAt: z.string(),
  agentMs: z.number(),
});

const resultsSchema = z.object({
  format: z.literal("greenroom.results"),
  version: z.literal(1),
  greenroom: z.object({ version: z.string() }),
  runId: z.string(),
  domain: z.object({ name: z.string(), description: z.string(), digest: z.string() }),
  agent: z.object({ kind: z.enum(["http", "module", "agent", "builtin"]), name: z.string() }),
  options: z.object({
    trials: z.number(),
    concurrency: z.number(),
    seed: z.number(),
    tasks: z.array(z.string()),
    tags: z.array(z.string()),
    maxSteps: z.number(),
    stepTimeoutMs: z.number().nullable(),
  }),
  status: z.enum(["running", "finished", "cancelled"]),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  summary: z.object({
    trials: z.object({
      planned: z.number(),
      passed: z.number(),
      failed: z.number(),
      errored: z.number(),
      cancelled: z.number(),
    }),
    tasks: z.object({
      passed: z.number(),
      failed: z.number(),
      flaky: z.number(),
      errored: z.number(),
      skipped: z.number(),
    }),
    passHatK: z.array(z.number()),
    doNothing: z.object({ score: z.number(), tasks: z.array(z.string()) }),
    callerUsage: usage,
    agentNeverAnswered: z.boolean(),
  }),
  gates: z.array(
    z.object({ name: z.string(), held: z.boolean(), actual: z.number().nullable(), required: z.number() }),
  ),
  tasks: z.array(
    z.object({
      id: z.string(),
      description: z.string().exactOptional(),
      tags: z.array(z.string()),
      critical: z.boolean(),
      verdict: z.enum(["passed", "failed", "flaky", "errored", "skipped"]),
      passed: z.number(),
      graded: z.number(),
      errored: z.number(),
      passHatK: z.array(z.number()),
      passesDoingNothing: z.boolean(),
    }),
  ),
  rules: z.array(
    z.object({
      id: z.string(),
      severity,
      description: z.string().exactOptional(),
      quote: z.string().exactOptional(),
      inPlay: z.number(),
      broken: z.number(),
      caught: z.number(),
    }),
  ),
  trials: z.array(trial),
});

/**
 * Reads the text of a results.json. What is not one, or is one of another version, gives an error that says which
 * member is wrong. Members this version does not know are ignored.
 */
export function readResults(text: string): { ok: true; results: Results } | { ok: false; message: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const head = z.looseObject({ format: z.unknown(), version: z.unknown() }).safeParse(value);
  if (!head.success || head.data.format !== "greenroom.results") {
    return { ok: false, message: 'not a results.json: its "format" is not "greenroom.results"' };
  }
  if (head.data.version !== 1) {
    return {
      ok: false,
      message: `version ${String(head.data.version)} of results.json; this command reads version 1`,
    };
  }
  const parsed = resultsSchema.safeParse(value);
  if (parsed.success) return { ok: true, results: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, message: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not as expected"}` };
}
