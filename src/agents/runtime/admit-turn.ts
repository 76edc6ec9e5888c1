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
import { finishCall, mainFrame, type SessionStore } from "./session-store.ts";
import { withKey } from "./state-editor.ts";

/** What becomes of a request on a durable session. */
export type Admission =
  /** Taken in; `known` says the session had messages before. */
  | { kind: "admitted"; known: boolean }
  /** Every decision it brings was made before, the same way: nothing is to be done, and it is told what came of it. */
  | { kind: "repeated" }
  | { kind: "refused"; failure: TurnFailure };

/** Result of a client tool's call that the user left unanswered. */
const unanswered = "The user went on without a result for this call.";
/** Result of a call that a failed turn left open. */
const unfinished = "The turn ended before this call had a result.";

/**
 * Takes a request into a durable session: decisions first, then messages, then state. Refuses before it changes
 * anything. The session's record wins: messages whose ids it knows are skipped, and so are a client's copies of
 * assistant messages. `mintId` makes ids for results it has to write.
 */
export function admitTurn(
  agent: DeepAgent,
  request: TurnRequest,
  store: SessionStore,
  mintId: (prefix: string) => string,
): Admission {
  const known = store.lastMessage(mainFrame) !== undefined;
  const resumed = checkResume(agent, request, store);
  if (resumed.kind === "refused") return resumed;
  const fresh = freshMessages(request.messages, store, known);
  const stray = fresh.find(
    (message) =>
      message.role === "tool" &&
      store.call(message.callId) === undefined &&
      !importsCall(fresh, message.callId),
  );
  if (stray?.role === "tool") {
    return refused(
      "invalid_messages",
      `The tool result for ${JSON.stringify(stray.callId)} answers no call of this session.`,
    );
  }
  const answers = fresh.filter(
    (message) => message.role !== "tool" || store.call(message.callId)?.status !== "done",
  );
  if (resumed.kind === "repeated" && answers.length === 0) return resumed;
  if (answers.length === 0 && request.resume.length === 0) {
    return refused(
      "invalid_messages",
      "There is no new message to answer: the session knows every one that was sent.",
    );
  }

  for (const { interruptId, decision } of request.resume) {
    const stored = store.interrupt(interruptId);
    // One that was decided before has had its effect.
    if (stored?.status !== "pending") continue;
    store.decide(interruptId, decision);
    store.setCall(stored.interrupt.callId, { status: "decided" });
  }
  for (const message of answers) takeMessage(message, store, mintId);
  takeState(agent, request.state, store);
  return { kind: "admitted", known };
}

type Refusal = Extract<Admission, { kind: "refused" }>;

function checkResume(
  agent: DeepAgent,
  { resume }: TurnRequest,
  store: SessionStore,
): Admission | { kind: "fine" } {
  const pending = store.pendingInterrupts();
  if (resume.length === 0) {
    if (pending.length === 0) return { kind: "fine" };
    return refused(
      "approval_pending",
      "A tool approval is pending for this session — decide it before sending a new message.",
    );
  }
  const ids = resume.map(({ interruptId }) => interruptId);
  if (new Set(ids).size < ids.length)
    return refused("invalid_resume", "The resume answers one interrupt twice.");
  let repeated = 0;
  for (const { interruptId, decision } of resume) {
    const stored = store.interrupt(interruptId);
    if (stored === undefined)
      return refused(
        "unknown_interrupt",
        `There is no interrupt ${JSON.stringify(interruptId)} in this thread.`,
      );
    if (stored.status === "decided") {
      if (JSON.stringify(stored.decision) !== JSON.stringify(decision)) {
        return refused(
          "unknown_interrupt",
          `The interrupt ${JSON.stringify(interruptId)} was decided before, in another way; the first decision holds.`,
        );
      }
      repeated += 1;
      continue;
    }
    const wrong = wrongDecision(agent, stored.interrupt, decision);
    if (wrong !== null) return refused("invalid_resume", wrong);
  }
  if (pending.length === 0) return repeated === resume.length ? { kind: "repeated" } : { kind: "fine" };
  const missing = pending.filter(({ id }) => !ids.includes(id));
  if (missing.length > 0) {
    return refused(
      "incomplete_resume",
      `The resume must answer every open interrupt; missing: ${missing.map(({ id }) => id).join(", ")}.`,
    );
  }
  return { kind: "fine" };
}

/** Why a decision cannot be taken for an interrupt, or `null`: a kind that is not offered, or arguments the tool refuses. */
export function wrongDecision(agent: DeepAgent, interrupt: Interrupt, decision: Decision): string | null {
  const { id, tool: name, allowedDecisions, subagent } = interrupt;
  if (!allowedDecisions.includes(decision.kind)) {
    return `The interrupt ${JSON.stringify(id)} cannot be answered with ${decision.kind}; it takes ${allowedDecisions.join(", ")}.`;
  }
  if (decision.kind !== "edit") return null;
  const tools =
    subagent === undefined
      ? agent.tools
      : (agent.subagents.find((one) => one.name === subagent)?.tools ?? []);
  const tool = tools.find((one) => one.name === name);
  const problem = tool === undefined ? null : inputProblem(tool, decision.args);
  return problem === null ? null : `The edited arguments of ${name} cannot be used: ${problem}`;
}

/**
 * The messages that are news. A wire without message ids mints them, so a client of it that replays its transcript is
 * known by the assistant messages in it: what follows the last of them is new.
 */
function freshMessages(messages: Message[], store: SessionStore, known: boolean): Message[] {
  if (!known) return messages;
  const lastAssistant = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.filter(
    (message, at) =>
      message.role !== "assistant" &&
      !store.hasMessage(message.id) &&
      (at > lastAssistant || isOpenResult(message, store)),
  );
}

function isOpenResult(message: Message, store: SessionStore): boolean {
  return message.role === "tool" && store.call(message.callId)?.status === "client";
}

function importsCall(messages: Message[], callId: string): boolean {
  return messages.some(
    (message) =>
      message.role === "assistant" &&
      message.blocks.some((block) => block.type === "call" && block.callId === callId),
  );
}

function takeMessage(message: Message, store: SessionStore, mintId: (prefix: string) => string): void {
  if (message.role === "tool" && store.call(message.callId) !== undefined) {
    const { callId, content, isError } = message;
    const messageId = store.hasMessage(message.id) ? mintId("msg_") : message.id;
    if (store.call(callId)?.status === "client")
      finishCall(store, { callId, frame: mainFrame }, { messageId, content, isError });
    return;
  }
  if (message.role === "user") closeOpenCalls(store, mintId);
  store.append(mainFrame, message);
}

/** A transcript in which a call has no result is refused by providers, so a user who moves on closes what is open. */
function closeOpenCalls(store: SessionStore, mintId: (prefix: string) => string): void {
  for (const call of store.openCalls(mainFrame)) {
    // Decided in the same request: it runs first, wherever the message stands.
    if (call.status === "decided") continue;
    const content = call.status === "client" ? unanswered : unfinished;
    finishCall(store, call, { messageId: mintId("msg_"), content, isError: true });
  }
}

/** Sets the keys a client may set and leaves the others be, without a word: clients echo their whole state. */
function takeState(agent: DeepAgent, state: JsonObject | null, store: SessionStore): void {
  for (const [key, value] of Object.entries(state ?? {})) {
    const declared = Object.hasOwn(agent.editableState, key) ? agent.editableState[key] : undefined;
    if (declared === undefined || !hasType(value, declared.type)) continue;
    store.setState(withKey(store.state(), key, value));
  }
}

/** Whether a value has a JSON Schema type; `null` clears any key. */
export function hasType(value: Json, type: Json | undefined): boolean {
  if (typeof type !== "string" || value === null) return true;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && !Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function refused(code: TurnFailureCode, message: string): Refusal {
  return { kind: "refused", failure: { code, message, retryable: false } };
}
