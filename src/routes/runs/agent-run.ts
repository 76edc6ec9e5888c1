import * as z from "zod";
import type { OwnedContext } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { type AgentRun, findAgentRun } from "../../store/agent-runs.ts";
import { inDatabase } from "../../store/in-database.ts";
import { sessionObject } from "../../store/objects.ts";

/** A turn of an agent, as its record tells it. */
export const agentRunSchema = z.looseObject({
  runId: z.string(),
  agent: z.string(),
  wire: z.enum(["openai", "anthropic", "agui", "adapttable", "step", "workflow"]),
  session: z.string().nullable(),
  conversation: z.string().nullable(),
  status: z.enum(["running", "done", "interrupted", "failed", "cancelled"]),
  model: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  usage: z.looseObject({ inputTokens: z.int(), outputTokens: z.int() }),
  failure: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
});

/** The caller's turn of an agent with that run id; `null`: there is none. */
export function agentRun(context: OwnedContext, runId: string): Promise<AgentRun | null> {
  return inDatabase(findAgentRun(context.env.DB, context.owner, runId));
}

/**
 * Cancels a turn that is under way or waits for people; its record as it then is. Cancelling one again changes nothing.
 * Throws 409 when it ended in another way, before or meanwhile.
 */
export async function cancelAgentRun(context: OwnedContext, run: AgentRun): Promise<AgentRun> {
  const { agent, session, runId } = run;
  if (session !== null && (run.status === "running" || run.status === "interrupted")) {
    await inDatabase(sessionObject(context.env, context.owner, agent, session).cancelTurn(runId));
  }
  const now = await agentRun(context, runId);
  if (now?.status === "cancelled") return now;
  throw new HttpError("conflict", `The run ${JSON.stringify(runId)} has ended: ${now?.status ?? "deleted"}.`);
}
