import jsonPatch from "fast-json-patch";
import type {
  Decision,
  Interrupt,
  Json,
  JsonObject,
  Message,
  TurnFailure,
  TurnFailureCode,
  TurnRequest,
} from "../../turn/index.ts";
import type { DeepAgent } from "../authoring/deep-agent.ts";
import { inputProblem } from "../authoring/tool.ts";
import { fitsSchema } from "./fits-schema.ts";
import { importMessages, strayResult } from "./import-messages.ts";
import { clientCalls, finishCall, mainFrame, type SessionStore } from "./session-store.ts";
import { maxStateChars, withKey } from "./state-editor.ts";

/** What becomes of a request on a durable session. */
export type Admission =
  /** Taken in. `known`: the session had messages before. `spoke`: the user said something. */
  | { kind: "admitted"; known: boolean; spoke: boolean }
  /** It brings nothing the session does not know: nothing is to be done, and it is told how things stand. */
  | { kind: "repeated" }
  | { kind: "refused"; failure: TurnFailure };

/** Longest decision taken, characters of its JSON: what it edits or says is kept in one row. */
const maxDecisionChars = 200_000;

/** Result of a client tool's call that the user left unanswered. */
const unanswered = "The user went on without a result for this call.";

/**
 * Takes a request into a durable session that is in no turn: decisions first, then messages, then state. Refuses before
 * it changes anything. The session's record wins: messages it knows are skipped, and so are a client's copies of
 * assistant messages. A request that brings nothing new tries a turn again that failed. `told` is the editable state as
 * the client was last told it; `mintId` makes ids for results that have to be written.
 */
export function admitTurn(
  agent: DeepAgent,
  request: TurnRequest,
  store: SessionStore,
  mintId: (prefix: string) => string,
  told: JsonObject,
): Admission {
  const known = store.lastMessage(mainFrame) !== undefined;
  const news = newsIn(request.messages, store, known);
  const asks = known && request.snapshot && news.length + request.resume.length === 0;
  // A page that was reloaded is shown again what it has to decide.
  if (asks && store.pendingInterrupts().length > 0) return { kind: "repeated" };
  const wrong = resumeProblem(agent, request, store);
  if (wrong !== null) return refused(...wrong);
  const stray = known ? unknownResult(news, store) : strayResult(news);
  if (stray !== undefined) {
    const call = JSON.stringify(stray);
    return refused("invalid_messages", `The tool result for ${call} answers no call of this session.`);
  }
  const decided = request.resume.filter(
    ({ interruptId }) => store.interrupt(interruptId)?.status === "pending",
  );
  if (news.length + decided.length === 0 && !awaitsAnswer(store)) {
    if (asks || request.resume.length > 0) return { kind: "repeated" };
    return refused("invalid_messages", "There is no new message to answer.");
  }
  if (!known && news.at(-1)?.role === "assistant") {
    return refused(
      "invalid_messages",
      "The newest message is the assistant's own; there is nothing to answer.",
    );
  }

  for (const { interruptId, decision } of decided) store.decide(interruptId, decision, "wire");
  if (known) takeNews(news, store, mintId);
  else importMessages(news, store);
  takeState(agent, request.state, told, store);
  return { kind: "admitted", known, spoke: news.some(({ role }) => role === "user") };
}

/** Whether a request only repeats what the session has taken in, as a client does that lost its connection. */
export function isRepeat(request: TurnRequest, store: SessionStore): boolean {
  const { resume, messages } = request;
  return (
    resume.length + messages.length > 0 &&
    resume.every(({ interruptId, decision }) => {
      const stored = store.interrupt(interruptId);
      return stored?.status === "decided" && isSame(stored.decision, decision);
    }) &&
    newsIn(messages, store, true).length === 0
  );
}

/** Why the decisions of a request, or their absence, cannot be taken. */
function resumeProblem(
  agent: DeepAgent,
  { resume }: TurnRequest,
  store: SessionStore,
): [TurnFailureCode, string] | null {
  const pending = store.pendingInterrupts();
  if (resume.length === 0) {
    if (pending.length === 0) return null;
    return [
      "approval_pending",
      "A tool approval is pending for this session — decide it before sending a new message.",
    ];
  }
  const ids = new Set(resume.map(({ interruptId }) => interruptId));
  if (ids.size < resume.length) return ["invalid_resume", "The resume answers one interrupt twice."];
  for (const { interruptId, decision } of resume) {
    const id = JSON.stringify(interruptId);
    const stored = store.interrupt(interruptId);
    if (stored === undefined) return ["unknown_interrupt", `There is no interrupt ${id} in this thread.`];
    if (stored.status === "cancelled") {
      return ["unknown_interrupt", `The interrupt ${id} cannot be decided any more: its turn failed.`];
    }
    if (stored.status === "decided") {
      if (isSame(stored.decision, decision)) continue;
      return [
        "unknown_interrupt",
        `The interrupt ${id} was decided before, in another way; the first decision holds.`,
      ];
    }
    const wrong = wrongDecision(agent, stored.interrupt, decision);
    if (wrong !== null) return ["invalid_resume", wrong];
  }
  const missing = pending.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  if (missing.length === 0) return null;
  return [
    "incomplete_resume",
    `The resume must answer every open interrupt; missing: ${missing.join(", ")}.`,
  ];
}

/**
 * Why a decision cannot be taken for an interrupt, or `null`: a kind that is not offered, arguments the tool refuses, or
 * more than can be kept.
 */
export function wrongDecision(agent: DeepAgent, interrupt: Interrupt, decision: Decision): string | null {
  const { id, tool: name, allowedDecisions, subagent } = interrupt;
  if (!allowedDecisions.includes(decision.kind)) {
    return `The interrupt ${JSON.stringify(id)} cannot be answered with ${decision.kind}; it takes ${allowedDecisions.join(", ")}.`;
  }
  if (JSON.stringify(decision).length > maxDecisionChars)
    return `A decision can have ${maxDecisionChars} characters.`;
  if (decision.kind !== "edit") return null;
  const tools =
    subagent === undefined
      ? agent.tools
      : (agent.subagents.find((one) => one.name === subagent)?.tools ?? []);
  const tool = tools.find((one) => one.name === name);
  const problem = tool === undefined ? null : inputProblem(tool, decision.args);
  return problem === null ? null : `The edited arguments of ${name} cannot be used: ${problem}`;
}

/** Whether two decisions, or any two values, are equal, in whatever order their members are. */
export function isSame(one: Json | Decision, other: Json | Decision): boolean {
  return jsonPatch.compare([one], [other]).length === 0;
}

/**
 * The messages that are news. Where the session knows some of a request's messages, what follows the last of them is
 * new. A wire without message ids mints them, so a client of it that replays its transcript is known by the assistant
 * messages in it: what follows the last of them is new. A result is new while its call waits for it, wherever it stands.
 */
function newsIn(messages: readonly Message[], store: SessionStore, known: boolean): Message[] {
  const seen = new Set<string>();
  const once = messages.filter(({ id }) => !seen.has(id) && seen.add(id));
  if (!known) return once;
  // Instructions have the same id on every request.
  const lastKnown = once.findLastIndex(({ role, id }) => role !== "system" && store.hasMessage(id));
  const last = lastKnown >= 0 ? lastKnown : once.findLastIndex(({ role }) => role === "assistant");
  const open = new Set(clientCalls(store).map(({ callId }) => callId));
  return once.filter((message, at) => {
    if (message.role === "assistant") return false;
    if (message.role === "tool")
      return open.has(message.callId) || (at > last && store.call(message.callId) === undefined);
    // Of what follows the last known message only instructions were not looked up.
    return at > last && !(message.role === "system" && store.hasMessage(message.id));
  });
}

/** Call id of a result for a call the session does not have. */
function unknownResult(news: readonly Message[], store: SessionStore): string | undefined {
  for (const message of news)
    if (message.role === "tool" && store.call(message.callId) === undefined) return message.callId;
  return undefined;
}

/** Whether the conversation ends with something that nobody answered, as a turn that failed leaves it. */
function awaitsAnswer(store: SessionStore): boolean {
  const last = store.lastMessage(mainFrame);
  return last !== undefined && last.role !== "assistant" && store.openCalls(mainFrame).length === 0;
}

function takeNews(news: readonly Message[], store: SessionStore, mintId: (prefix: string) => string): void {
  for (const message of news) {
    if (message.role !== "tool" || store.call(message.callId)?.status !== "client") continue;
    const { id, callId, content, isError } = message;
    const messageId = store.hasMessage(id) ? mintId("msg_") : id;
    finishCall(store, { callId, frame: mainFrame }, { messageId, content, isError });
  }
  for (const message of news) {
    if (message.role === "tool") continue;
    if (message.role === "user") closeClientCalls(store, mintId);
    store.append(mainFrame, message);
  }
}

/** A call without a result is refused by providers, so a user who moves on closes those the client left open. */
function closeClientCalls(store: SessionStore, mintId: (prefix: string) => string): void {
  for (const call of clientCalls(store))
    finishCall(store, call, { messageId: mintId("msg_"), content: unanswered, isError: true });
}

/**
 * Sets the keys a client may set, to values that fit or to `null`, and leaves the others be without a word: clients echo
 * their whole state. For the same reason a value that the client was told is no wish of its own: it may be old by now.
 */
function takeState(agent: DeepAgent, state: JsonObject | null, told: JsonObject, store: SessionStore): void {
  const before = store.state();
  let after = before;
  for (const [key, value] of Object.entries(state ?? {})) {
    const schema = Object.hasOwn(agent.editableState, key) ? agent.editableState[key] : undefined;
    if (schema === undefined || (value !== null && !fitsSchema(schema, value))) continue;
    if (Object.hasOwn(told, key) && isSame(told[key] ?? null, value)) continue;
    after = withKey(after, key, value);
  }
  if (!isSame(before, after) && JSON.stringify(after).length <= maxStateChars) store.setState(after);
}

function refused(code: TurnFailureCode, message: string): Extract<Admission, { kind: "refused" }> {
  return { kind: "refused", failure: { code, message, retryable: false } };
}
