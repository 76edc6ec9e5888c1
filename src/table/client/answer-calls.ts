import type { Json } from "../../turn/json.ts";
import { describeArgs, describeCall, readArgs, rowsReadArgs } from "../protocol/asking-calls.ts";
import { AGENT_HTTP_LIMITS } from "../protocol/limits.ts";
import type { ToolCall, ToolResult } from "../protocol/messages.ts";
import { given } from "../protocol/shape.ts";
import { AgentHttpError } from "./errors.ts";
import type { Guide, TableSessionPort } from "./session-port.ts";

/** Answers what a backend asks within one phase. */
export interface CallAnswers {
  /**
   * An answer for each call under its id. What cannot be answered is an error for that call and never throws; what a
   * phase gathers beyond `AGENT_HTTP_LIMITS.maxDiscoveryBytes` throws `payload-too-large`.
   */
  answer(calls: ToolCall[]): Promise<ToolResult[]>;
  /** Keys asked for by `describe`, and `read` calls, so far. */
  counts(): { describe: number; read: number };
}

/** Nothing gathered yet. `keep` gets the guides that were given. */
export function callAnswers(
  session: TableSessionPort,
  phase: { turnId: string; phaseId: number },
  signal: AbortSignal,
  keep: (guides: Guide[]) => void,
): CallAnswers {
  const counts = { describe: 0, read: 0 };
  let gathered = 0;
  // Counted through the phase and not the reply: two rounds that read at the same revision are two reads.
  let reads = 0;

  function described(call: ToolCall): ToolResult {
    const request = describeArgs(call.args);
    counts.describe += request.keys?.length ?? 0;
    const { guides, unavailable, deferred } = session.describe(request);
    keep(guides);
    return {
      id: call.id,
      result: {
        guides: guides.map(guideJson),
        unavailable,
        ...given("deferred", deferred?.length ? deferred : undefined),
      },
    };
  }

  async function read(call: ToolCall): Promise<ToolResult> {
    counts.read++;
    const revision = session.view().revision;
    const { turnId, phaseId } = phase;
    const { ok, result, error } = await session.execute({
      key: "rows.read",
      args: rowsReadArgs(readArgs(call.args)),
      expectedRevision: revision,
      idempotencyKey: `http-read:${JSON.stringify({ turnId, phaseId, revision, index: reads++ })}`,
      signal,
    });
    if (ok) return { id: call.id, result: result ?? null };
    return { id: call.id, error: error ?? { code: "read-failed", message: "The rows could not be read." } };
  }

  return {
    counts: () => counts,
    async answer(calls) {
      const answers: ToolResult[] = [];
      for (const call of calls) {
        const answer = call.name === describeCall ? described(call) : await read(call);
        gathered += new TextEncoder().encode(JSON.stringify(answer)).length;
        if (gathered > AGENT_HTTP_LIMITS.maxDiscoveryBytes)
          throw new AgentHttpError(
            "payload-too-large",
            `The backend asked for more than ${AGENT_HTTP_LIMITS.maxDiscoveryBytes} bytes of guides and rows.`,
          );
        answers.push(answer);
      }
      return answers;
    },
  };
}

function guideJson({ schemaVersion, key, guide, short, input, output }: Guide): Json {
  return { schemaVersion, key, guide, ...given("short", short), input, output };
}
