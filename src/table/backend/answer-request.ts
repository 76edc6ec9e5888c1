import type { AgentHttpRequest, AgentHttpResponse } from "../protocol/messages.ts";
import { answerTurn } from "./answer-turn.ts";
import { acknowledge, keepPin, pinnedDoc } from "./pinned-contract.ts";
import type { AnswerOptions, TableAnswer, TableDeps } from "./table-deps.ts";
import { TableError } from "./table-error.ts";

/** Longest session id a client may send, characters. */
const maxSessionIdChars = 512;

/**
 * Answers one request of a table. `hello` and `schema` pin the contract and ask no model. A turn is answered from the
 * contract it carries, or else from the one pinned for its session and table, always with its own view; when there is
 * none the reply says that the pin is gone, and nothing is asked. A stream comes only where nothing is lost by it:
 * pins, sessions and results that should come back travel as JSON. Throws `TableError`, or the reason of the signal.
 */
export async function answerTableRequest(
  request: AgentHttpRequest,
  deps: TableDeps,
  options: AnswerOptions,
): Promise<TableAnswer> {
  if ((request.sessionId?.length ?? 0) > maxSessionIdChars)
    throw new TableError(400, `agent HTTP sessionId is longer than ${maxSessionIdChars} characters`);
  if (request.kind === "turn") return answerTurn(request, deps, options);
  return { kind: "json", body: await connect(request, deps) };
}

async function connect(request: AgentHttpRequest, deps: TableDeps): Promise<AgentHttpResponse> {
  const doc = pinnedDoc(request);
  if (doc === null)
    throw new TableError(
      400,
      `agent HTTP ${request.kind} requires the table's context: contract and selection`,
    );
  const { sessionId } = await keepPin(request, doc, deps);
  const count = doc.contract.capabilities.length;
  return {
    ...acknowledge(sessionId, doc.contractVersion),
    ok: true,
    text: `Connected: this table offers ${count === 1 ? "one capability" : `${count} capabilities`}.`,
  };
}
