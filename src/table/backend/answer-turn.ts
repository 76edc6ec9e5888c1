import type { BrainOptions, BrainReply, BrainRound } from "../brains/brain.ts";
import type { TableView } from "../protocol/contract.ts";
import { AGENT_HTTP_LIMITS, schemaVersion } from "../protocol/limits.ts";
import type { AgentHttpRequest, AgentHttpResponse, ConversationLine } from "../protocol/messages.ts";
import { given } from "../protocol/shape.ts";
import { replyFaults, wantsResults } from "./check-reply.ts";
import { numberCalls } from "./number-calls.ts";
import { maxSaidChars, type SaidTurn } from "./pin-store.ts";
import { acknowledge, findPin, keepPin, type PinnedDoc, pinLost, pinnedDoc } from "./pinned-contract.ts";
import { StreamedAnswer } from "./streamed-answer.ts";
import type { AnswerOptions, TableAnswer, TableDeps } from "./table-deps.ts";
import { asTableError, TableError } from "./table-error.ts";

/** What is told of pins beside a turn's answer; `stream` is false where the client must be told. */
interface Footing {
  doc: PinnedDoc;
  head: AgentHttpResponse;
  said: SaidTurn[];
  stream: boolean;
}

/** Answers a turn. See `answerTableRequest`. */
export async function answerTurn(
  request: AgentHttpRequest,
  deps: TableDeps,
  options: AnswerOptions,
): Promise<TableAnswer> {
  const footing = await footingOf(request, deps, options.stream);
  if (footing === null) return { kind: "json", body: pinLost(request.sessionId) };
  const end = endOf(request, footing, deps, options.signal);
  try {
    return await answerOn(footing, end, request, deps, options);
  } catch (error) {
    end(error);
    throw error;
  }
}

/** Tells once how the request ended; with an error, that it failed or was given up. */
function endOf(
  { tableId, turnId }: AgentHttpRequest,
  { head: { sessionId } }: Footing,
  { ended }: TableDeps,
  signal: AbortSignal,
): (error?: unknown) => void {
  const about = { tableId, ...given("turnId", turnId), ...given("sessionId", sessionId) };
  let told = false;
  return (error) => {
    if (told) return;
    told = true;
    if (error === undefined) ended?.({ ...about, type: "done" });
    else if (signal.aborted || isAbort(error)) ended?.({ ...about, type: "cancelled" });
    else ended?.({ ...about, type: "failed", error });
  };
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

async function answerOn(
  { doc, head, said, stream }: Footing,
  end: (error?: unknown) => void,
  request: AgentHttpRequest,
  deps: TableDeps,
  options: AnswerOptions,
): Promise<TableAnswer> {
  const transcript =
    request.audio === undefined ? undefined : await hear(request.audio, deps, options.signal);
  const heard = { ...head, ...given("transcript", transcript) };
  if (transcript === "") {
    end();
    const text = "No words could be made out in the recording. Please say it again.";
    return { kind: "json", body: { ...heard, text } };
  }
  const round = roundOf(request, doc, said, transcript ?? request.message ?? "", deps.today());
  const play = async (ways: BrainOptions): Promise<AgentHttpResponse> => {
    try {
      const body = replyOf(request, round, await deps.brain.answer(round, ways), heard);
      ways.signal.throwIfAborted();
      remember(request, round, body, deps);
      end();
      return body;
    } catch (error) {
      end(error);
      options.signal.throwIfAborted();
      throw asTableError(error);
    }
  };
  if (stream) return StreamedAnswer.open(play, options.signal, deps.report);
  return { kind: "json", body: await play({ signal: options.signal }) };
}

async function footingOf(
  request: AgentHttpRequest,
  deps: TableDeps,
  wantsStream: boolean,
): Promise<Footing | null> {
  const { pins } = deps;
  const { sessionId, turnId } = request;
  const brought = pinnedDoc(request);
  if (brought === null) {
    const found = await findPin(request, pins);
    if (found !== null && sessionId !== undefined)
      return { ...found, head: acknowledge(sessionId, found.doc.contractVersion), stream: wantsStream };
    if (turnId !== undefined) await pins.noteLoss(turnId);
    return null;
  }
  // A stream cannot tell of a pin or a session. A client that has no session and lost none takes no pin, so nothing is kept.
  if (wantsStream && sessionId === undefined && !(turnId !== undefined && (await pins.wasLost(turnId))))
    return { doc: brought, head: { schemaVersion }, said: [], stream: true };
  const kept = await keepPin(request, brought, deps);
  const head = acknowledge(kept.sessionId, brought.contractVersion);
  return { doc: brought, head, said: kept.said, stream: wantsStream && kept.known };
}

async function hear(
  clip: NonNullable<AgentHttpRequest["audio"]>,
  { transcribe }: TableDeps,
  signal: AbortSignal,
): Promise<string> {
  if (typeof transcribe === "string") throw new TableError(501, transcribe);
  if (!isBase64(clip.base64)) throw new TableError(400, "agent HTTP audio.base64 is not base64");
  try {
    return (await transcribe(clip, signal)).trim();
  } catch (error) {
    throw asTableError(error);
  }
}

/** Whether `atob` takes it: padded, or not at all. */
function isBase64(text: string): boolean {
  const padding = /^[A-Za-z0-9+/]+(={0,2})$/.exec(text)?.[1];
  return padding !== undefined && (padding === "" ? text.length % 4 !== 1 : text.length % 4 === 0);
}

function roundOf(
  request: AgentHttpRequest,
  { contract, catalog, left }: PinnedDoc,
  said: SaidTurn[],
  message: string,
  today: string,
): BrainRound {
  return {
    contract,
    catalog,
    view: request.view ?? unknownView(request),
    message,
    conversation: request.conversation ?? linesOf(said, request.turnId),
    phaseId: request.phaseId ?? 0,
    toolResults: request.toolResults ?? [],
    pendingCalls: request.pendingCalls ?? [],
    today,
    ...given("left", left),
  };
}

/** What was said before this turn. */
function linesOf(said: SaidTurn[], turnId: string | undefined): ConversationLine[] {
  return said
    .filter((turn) => turn.turnId !== turnId)
    .flatMap(({ message, reply }) => [
      { role: "user" as const, text: message },
      ...(reply === "" ? [] : [{ role: "assistant" as const, text: reply }]),
    ]);
}

/**
 * Remembers the words of a turn for the ones after it. A client that sends the conversation itself, or has no session, is
 * remembered nothing of.
 */
function remember(
  { conversation, tableId, turnId = crypto.randomUUID() }: AgentHttpRequest,
  { message }: BrainRound,
  { sessionId, text = "" }: AgentHttpResponse,
  { pins, report, later = () => undefined }: TableDeps,
): void {
  if (conversation !== undefined || sessionId === undefined) return;
  const turn = {
    turnId: turnId.slice(0, maxSaidChars),
    message: message.slice(0, maxSaidChars),
    reply: text.slice(0, maxSaidChars),
  };
  later(pins.say(sessionId, tableId, turn).catch(report));
}

/** The view of a request that names none: it says so, rather than standing for an older one. */
function unknownView({ viewRevision, manifest }: AgentHttpRequest): TableView {
  const revision = viewRevision ?? manifest?.viewRevision ?? 0;
  return { revision, page: 1, limit: 10, search: "", unknown: ["page", "limit", "search"] };
}

/** A brain's answer as the reply that leaves. Throws `TableError` when it must not leave. */
function replyOf(
  request: AgentHttpRequest,
  { contract }: BrainRound,
  reply: BrainReply,
  head: AgentHttpResponse,
): AgentHttpResponse {
  const faults = replyFaults(contract, reply);
  if (faults.length > 0) throw new TableError(502, `The agent's answer was refused. ${faults.join(" ")}`);
  const { toolCalls, askUser } = numberCalls(request, reply);
  const body: AgentHttpResponse = {
    ...head,
    ...given("text", reply.text === "" ? undefined : reply.text),
    ...given("toolCalls", toolCalls.length === 0 ? undefined : toolCalls),
    ...given("askUser", askUser),
    ...(wantsResults(toolCalls) ? { continueWithResults: true } : {}),
  };
  const { maxResponseBytes } = AGENT_HTTP_LIMITS;
  if (new TextEncoder().encode(JSON.stringify(body)).length >= maxResponseBytes)
    throw new TableError(502, `The agent's answer is larger than ${maxResponseBytes} bytes.`);
  return body;
}
