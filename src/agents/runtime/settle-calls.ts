import type { Decision, Interrupt, Json, JsonObject } from "../../turn/index.ts";
import { inputProblem, type ToolContext } from "../authoring/tool.ts";
import { type AgentFrame, frameOfSubagent } from "./agent-frame.ts";
import { gateOf } from "./gate.ts";
import { subagentOf, type TurnRun } from "./run-turn.ts";
import { finishCall, type StoredCall } from "./session-store.ts";
import { stateEditor } from "./state-editor.ts";
import { taskToolName } from "./task-tool.ts";
import { TurnFailedError } from "./turn-failed.ts";

/** Longest tool result kept, characters; the rest is cut with a mark, so that no result fills a prompt. */
const maxResultChars = 200_000;

/** Result of a call that was running when the runtime stopped. */
export const interruptedResult =
  "This call was interrupted and its outcome is not known: it may or may not have taken effect. It was not run again.";

/**
 * Brings the open calls of an answer as far as they go: those that need nobody are run, side by side; those that need a
 * person get their interrupt; those the client runs stay open. True when something waits.
 */
export async function settleCalls(turn: TurnRun, frame: AgentFrame, open: StoredCall[]): Promise<boolean> {
  const { store, announcePause } = turn.deps;
  const ready: StoredCall[] = [];
  const gated: { call: StoredCall; interrupt: Interrupt }[] = [];
  for (const call of open) {
    if (call.status === "running" && call.name !== taskToolName)
      end(turn, frame, call, interruptedResult, true);
    else if (call.status === "running" || call.status === "decided") ready.push(call);
    else if (call.status === "new") {
      const sorted = sortNew(turn, frame, call);
      if (sorted === "run") ready.push(call);
      else if (sorted !== "settled") gated.push({ call, interrupt: sorted });
    }
  }
  if (gated.length > 0 && announcePause === undefined) {
    const { name } = gated[0]?.call ?? { name: "" };
    throw new TurnFailedError(
      "session_required",
      `The tool ${name} needs a person's approval, and a stateless turn cannot wait for one. Send the header x-stackbone-session with a key of your choice.`,
    );
  }
  for (const { call, interrupt } of gated) {
    store.addInterrupt(interrupt);
    store.setCall(call.callId, { status: "waiting" });
  }
  const tasks = ready.filter(({ name }) => name === taskToolName);
  await Promise.all(
    ready.filter(({ name }) => name !== taskToolName).map((call) => runCall(turn, frame, call)),
  );
  // Subagents one after another: each tells its own story on the stream.
  for (const call of tasks) await runCall(turn, frame, call);
  return store.openCalls(frame.id).length > 0;
}

/** What becomes of a call the model has just made. */
function sortNew(turn: TurnRun, frame: AgentFrame, call: StoredCall): "run" | "settled" | Interrupt {
  const { store, mintId, timing } = turn.deps;
  const { callId, name } = call;
  if (call.invalid !== null) {
    end(turn, frame, call, call.invalid, true);
    return "settled";
  }
  const tool = frame.tools.find((one) => one.name === name);
  if (tool === undefined && !(name === taskToolName && frame.subagents.length > 0)) {
    if (frame.subagent === undefined && turn.settings.clientTools.some((one) => one.name === name)) {
      store.setCall(callId, { status: "client" });
      return "settled";
    }
    const names = frame.offeredTools(turn.settings.clientTools).map((one) => one.name);
    end(turn, frame, call, `There is no tool "${name}". There is: ${names.join(", ") || "none"}.`, true);
    return "settled";
  }
  if (tool !== undefined) {
    const refused = inputProblem(tool, call.args);
    if (refused !== null) {
      end(turn, frame, call, refused, true);
      return "settled";
    }
  }
  const gate = gateOf(frame, call, store.state());
  if (gate === null) return "run";
  return {
    id: mintId("int_"),
    callId,
    tool: name,
    args: call.args,
    message: gate.message,
    allowedDecisions: gate.allowedDecisions,
    argsSchema: tool?.parameters ?? {},
    createdAt: new Date(timing.now()).toISOString(),
    ...(frame.subagent === undefined ? {} : { subagent: frame.subagent.name }),
  };
}

async function runCall(turn: TurnRun, frame: AgentFrame, call: StoredCall): Promise<void> {
  const { store } = turn.deps;
  const decision = store.interruptOfCall(call.callId)?.decision ?? null;
  if (decision?.kind === "reject") return end(turn, frame, call, rejectionText(call.name, decision), true);
  const args = decision?.kind === "edit" ? decision.args : call.args;
  if (call.name === taskToolName && frame.subagents.length > 0) return runTask(turn, frame, call, args);
  const tool = frame.tools.find((one) => one.name === call.name);
  if (tool === undefined) return end(turn, frame, call, `The tool ${call.name} is no longer there.`, true);
  const refused = inputProblem(tool, args);
  if (refused !== null) return end(turn, frame, call, refused, true);
  store.setCall(call.callId, { status: "running", args });
  try {
    const result = await tool.run(args, toolContext(turn, call.callId));
    end(turn, frame, call, textOf(result), false);
  } catch (error) {
    if (turn.deps.signal.aborted) throw error;
    end(turn, frame, call, error instanceof Error ? error.message : String(error), true);
  }
}

async function runTask(turn: TurnRun, frame: AgentFrame, call: StoredCall, args: JsonObject): Promise<void> {
  const { store, emit, mintId } = turn.deps;
  const subagent = frame.subagents.find(({ name }) => name === args.subagent);
  const { description } = args;
  if (subagent === undefined || typeof description !== "string") {
    const names = frame.subagents.map(({ name }) => name).join(", ");
    return end(turn, frame, call, `task needs "subagent", one of ${names}, and "description", a text.`, true);
  }
  const child = frameOfSubagent(turn.agent, subagent, call.callId);
  if (call.status !== "running") {
    store.setCall(call.callId, { status: "running", args });
    store.append(child.id, {
      role: "user",
      id: mintId("msg_"),
      parts: [{ type: "text", text: description }],
    });
  }
  const step = { subagent: { id: call.callId, name: subagent.name }, parentCallId: call.callId };
  emit({ type: "step-start", ...step });
  try {
    const ended = await turn.runFrame(child);
    if (ended.type === "replied") end(turn, frame, call, ended.text, false);
  } finally {
    emit({ type: "step-end", ...step });
  }
}

function end(turn: TurnRun, frame: AgentFrame, call: StoredCall, content: string, isError: boolean): void {
  const result = { messageId: turn.deps.mintId("msg_"), content: cut(content), isError };
  finishCall(turn.deps.store, call, result);
  turn.deps.emit({ type: "call-result", callId: call.callId, ...result, ...subagentOf(frame) });
}

function toolContext(turn: TurnRun, callId: string): ToolContext {
  const { store, signal, emit } = turn.deps;
  const { session, runId, forwarded } = turn.settings;
  return {
    sessionId: session,
    runId,
    callId,
    signal,
    state: stateEditor(store),
    forwarded,
    emit: (name, value) => emit({ type: "custom", name, value }),
  };
}

/** What the model reads when a person refused a call. */
function rejectionText(tool: string, decision: Extract<Decision, { kind: "reject" }>): string {
  const reason = decision.reason === undefined || decision.reason === "" ? "" : ` Reason: ${decision.reason}`;
  return `A person refused this call of ${tool}; it was not run.${reason}`;
}

function textOf(result: Json): string {
  return typeof result === "string" ? result : JSON.stringify(result);
}

function cut(text: string): string {
  if (text.length <= maxResultChars) return text;
  return `${text.slice(0, maxResultChars)}\n[cut: ${text.length - maxResultChars} more characters]`;
}
