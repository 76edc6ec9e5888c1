import { mintId } from "../../agents/runtime/mint-id.ts";
import { type OwnedContext, param } from "../../http/context.ts";
import { presentedCredentials } from "../../http/credentials.ts";
import { failureLine, secretsOf } from "../../http/log.ts";
import type { Route } from "../../http/route.ts";
import { answerTableRequest } from "../../table/backend/answer-request.ts";
import type { TableAnswer, TableDeps } from "../../table/backend/table-deps.ts";
import { TableError } from "../../table/backend/table-error.ts";
import { errorReply } from "../../wires/adapttable/errors.ts";
import { readTableRequest } from "../../wires/adapttable/read-request.ts";
import { tableRequestSchema, tableResponseSchema } from "../../wires/adapttable/schema.ts";
import { sessionKeys } from "../../wires/session-headers.ts";
import { sseResponse } from "../../wires/sse.ts";
import { chooseBrain } from "./choose-brain.ts";
import { chooseTranscriber } from "./choose-transcriber.ts";
import { objectPins } from "./object-pins.ts";
import { recordRound } from "./record-round.ts";

/** The agent that answers `POST /agent`. */
const defaultAgent = "table";

/** The agents that answer tables. */
const tableAgents = [defaultAgent];

/** The AdaptTable wire of an agent: the one the path names, or the default one. */
export function tableRoute(named: boolean): Route {
  return {
    access: "credential",
    // A page on one's own machine has no token to send.
    loopbackWithout: true,
    summary: named ? "Answer a table as the named agent." : "Answer a table as the default table agent.",
    description:
      "The backend side of adapttable.agent.v1: a live table sends what it permits and what its reader said, and runs the calls that come back. With `Accept: text/event-stream` an ordinary turn comes as events.",
    ...(named ? { capability: "table.answer" } : {}),
    wire: "adapttable.agent.v1",
    request: tableRequestSchema,
    responses: {
      200: { description: "A reply, or a stream of it.", schema: tableResponseSchema },
    },
    async handle(context) {
      try {
        if (named) findAgent(param(context, "name"));
        return await answer(context);
      } catch (error) {
        if (!(error instanceof TableError)) throw error;
        return errorReply(error.status, error.message);
      }
    },
  };
}

function findAgent(name: string): void {
  if (tableAgents.includes(name)) return;
  throw new TableError(
    404,
    `There is no table agent ${JSON.stringify(name.slice(0, 80))}. There is: ${tableAgents.join(", ")}.`,
  );
}

async function answer(context: OwnedContext): Promise<Response> {
  const startedAt = new Date().toISOString();
  const { conversation } = sessionKeys(context.request.headers);
  const { brain, id, usage } = chooseBrain({ ...context.env }, fetch);
  const request = await readTableRequest(context);
  const deps: TableDeps = {
    brain,
    pins: objectPins(context.env, context.owner),
    transcribe: chooseTranscriber(context.env, fetch),
    today: () => new Date().toISOString().slice(0, 10),
    mintSessionId: () => mintId("sess_"),
    ended: (end) =>
      context.ctx.waitUntil(
        recordRound(context, end, {
          agent: defaultAgent,
          model: id,
          startedAt,
          conversation,
          usage: usage(),
        }),
      ),
    later: (work) => context.ctx.waitUntil(work),
    report: (error) => report(context, error),
  };
  const stream = (context.request.headers.get("accept") ?? "").toLowerCase().includes("text/event-stream");
  const answered = await answerTableRequest(request, deps, { signal: context.request.signal, stream });
  const headers = { "x-greenroom-model": id };
  return toResponse(answered, context.config.heartbeatMs, headers);
}

function toResponse(
  answered: TableAnswer,
  heartbeatMs: number,
  headers: { [name: string]: string },
): Response {
  if (answered.kind === "json") return Response.json(answered.body, { headers });
  return sseResponse(answered.frames, { heartbeat: ": ping\n\n", heartbeatMs, headers });
}

/** One log line about what failed once the reply had begun. */
function report({ request, requestId, env }: OwnedContext, error: unknown): void {
  if (request.signal.aborted) return;
  const secrets = secretsOf(env, presentedCredentials(request.headers));
  console.error(failureLine(error, { requestId, method: request.method, route: "/agent" }, secrets));
}
