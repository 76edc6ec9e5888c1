import * as z from "zod";
import { runFailure, runStatus, trigger } from "../workflows/schemas.ts";
import { agentRunSchema } from "./agent-run.ts";

/** A run of a workflow, as lists show it. */
const workflowRun = z.object({
  kind: z.literal("workflow"),
  runId: z.string(),
  workflowName: z.string(),
  trigger,
  status: runStatus,
  conversation: z.string().nullable(),
  parentRunId: z.string().nullable().describe("The run that started this one."),
  retryOf: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  failure: runFailure.nullable(),
});

const agentRun = agentRunSchema.extend({ kind: z.literal("agent") });

/** A run of a workflow, or a turn of an agent. */
export const runSchema = z.discriminatedUnion("kind", [workflowRun, agentRun]);

/** A run with everything that happened in it. */
export const runDetail = z.discriminatedUnion("kind", [
  workflowRun.extend({
    input: z.json(),
    output: z.json().describe("null until it is done."),
    steps: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        status: z.enum(["running", "retrying", "done", "failed", "interrupted"]),
        attempts: z.int(),
        startedAt: z.string(),
        endedAt: z.string().nullable(),
        durationMs: z.number().nullable(),
        retryAt: z.string().nullable(),
        output: z.json(),
        failure: runFailure.nullable(),
      }),
    ),
    waits: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(["sleep", "hook", "approval", "workflow"]),
        status: z.enum(["open", "settled"]),
        openedAt: z.string(),
        until: z.string().nullable(),
        settledAt: z.string().nullable(),
        token: z.string().nullable(),
      }),
    ),
    position: z.int().nullable().describe("Place in the line of a serial workflow; 1 is next."),
  }),
  agentRun,
]);
