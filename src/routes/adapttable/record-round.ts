import { mintId } from "../../agents/runtime/mint-id.ts";
import { modelFailure } from "../../agents/runtime/model-failure.ts";
import { TurnFailedError } from "../../agents/runtime/turn-failed.ts";
import type { OwnedContext } from "../../http/context.ts";
import { type AgentRun, putRound } from "../../store/agent-runs.ts";
import type { RoundEnd } from "../../table/backend/table-deps.ts";
import { TableError } from "../../table/backend/table-error.ts";
import { sha256 } from "../../table/protocol/sha256.ts";
import type { TurnFailure } from "../../turn/index.ts";

/** What a round was answered with. */
export type RoundSeen = Pick<AgentRun, "agent" | "model" | "startedAt" | "usage" | "conversation">;

/**
 * Keeps the record of a turn that a table's request was part of: one record a turn, however many requests it takes. Turns
 * that name no conversation are grouped by their table's session. Of what was said nothing is kept. That it
 * cannot be kept is told in the log: the client has its reply.
 */
export async function recordRound(context: OwnedContext, end: RoundEnd, seen: RoundSeen): Promise<void> {
  const { env, owner } = context;
  const { sessionId = null } = end;
  try {
    const run: AgentRun = {
      ...seen,
      runId: runIdOf(owner, end),
      wire: "adapttable",
      // Sessions of tables are no sessions of agents: nothing can be replayed or cancelled in them.
      session: null,
      conversation: seen.conversation ?? sessionId,
      status: end.type,
      endedAt: new Date().toISOString(),
      failure: end.type === "failed" ? failureOf(end.error) : null,
    };
    await putRound(env.DB, owner, run).run();
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    console.error(JSON.stringify({ level: "error", event: "run_not_recorded", error: said.slice(0, 300) }));
  }
}

/** The same for every request of a turn, and another for whoever else names a turn alike. */
function runIdOf(owner: string, { sessionId, tableId, turnId }: RoundEnd): string {
  if (turnId === undefined) return mintId("table_");
  return `table_${sha256(JSON.stringify([owner, sessionId ?? null, tableId, turnId])).slice(0, 32)}`;
}

const codes: { readonly [status: number]: TurnFailure["code"] } = {
  400: "invalid_messages",
  501: "model_not_configured",
};

function failureOf(error: unknown): TurnFailure {
  const told = modelFailure(error instanceof TableError ? error.cause : error);
  if (told instanceof TurnFailedError) return told.failure;
  if (!(error instanceof TableError))
    return { code: "internal_error", message: "Something went wrong on our side.", retryable: false };
  return { code: codes[error.status] ?? "model_failed", message: error.message, retryable: false };
}
