import type { Decision, Interrupt, Json, JsonObject } from "../../turn/index.ts";
import { inputProblem, type ToolContext } from "../authoring/tool.ts";
import { type AgentFrame, frameOfSubagent, isTask } from "./agent-frame.ts";
import { endCall, interruptedResult } from "./end-call.ts";
import { gateOf } from "./gate.ts";
import type { TurnRun } from "./run-turn.ts";
import type { StoredCall } from "./session-store.ts";
import { stateEditor } from "./state-editor.ts";
import { TurnFailedError } from "./turn-failed.ts";

/**
 * Brings the open calls of an answer as far as they go: those that need nobody are run, side by side; those that need a
 * person get their interrupt; those the client runs stay open. True when something waits. Throws what ended the turn:
 * a subagent that failed, once the others have had their turn, or the signal's reason.
 */
export async function settleCalls(turn: TurnRun, frame: AgentFrame, open: StoredCall[]): Promise<boolean> {
  const { store, announcePause, signal } = turn.deps;
  const ready: StoredCall[] = [];
  const gated: Interrupt[] = [];
  for (const call of open) {
    // A subagent goes on where it stood; what a tool did, nobody knows.
    if (call.status === "running" && !isTask(frame, call.name))
      end(turn, frame, call, interruptedResult, true);
    else if (call.status === "running" || call.status === "decided") ready.push(call);
    else if (call.status === "new") {
      const sorted = sortNew(turn, frame, call);
      if (sorted === "run") ready.push(call);
      else if (sorted !== "settled") gated.push(sorted);
    }
  }
  const [first] = gated;
  if (first !== undefined && announcePause === undefined) {
    throw new TurnFailedError(
      "session_required",
      `The tool ${first.tool} needs a person's approval, and a stateless turn cannot wait for one. Send the header x-stackbone-session with a key of your choice.`,
    );
  }
  for (const interrupt of gated) store.addInterrupt(interrupt);
  const tools = ready.filter(({ name }) => !isTask(frame, name));
  await untilAborted(Promise.all(tools.map((call) => runCall(turn, frame, call))), signal);
  // Subagents one after another: each tells its own story on the stream.
  const failures: unknown[] = [];
  for (const call of ready.filter(({ name }) => isTask(frame, name))) {
    try {
      await runCall(turn, frame, call);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return store.openCalls(frame.id).length > 0;
}

/** What becomes of a call the model has just made. */
function sortNew(turn: TurnRun, frame: AgentFrame, call: StoredCall): "run" | "settled" | Interrupt {
  const { store, mintId, timing } = turn.deps;
  const { clientTools } = turn.settings;
  const { callId, name, args } = call;
  const refuse = (why: string) => {
    end(turn, frame, call, why, true);
    return "settled" as const;
  };
  if (call.invalid !== null) return refuse(call.invalid);
  if (isTask(frame, name)) return "run";
  const tool = frame.tools.find((one) => one.name === name);
  if (tool === undefined) {
    const offered = frame.offeredTools(clientTools);
    if (!offered.some((one) => one.client && one.name === name)) {
      const names = offered.map((one) => one.name);
      return refuse(`There is no tool "${name}". There is: ${names.join(", ") || "none"}.`);
    }
    store.setCall(callId, { status: "client" });
    return "settled";
  }
  const gate = gateOf(frame, call, store.state());
  if (gate === null) return "run";
  // Nobody is asked about what cannot run. Without a gate the tool itself says so.
  const problem = inputProblem(tool, args);
  if (problem !== null) return refuse(problem);
  return {
    id: mintId("int_"),
    callId,
    tool: name,
    args,
    message: gate.message,
    allowedDecisions: gate.allowedDecisions,
    argsSchema: tool.parameters,
    createdAt: new Date(timing.now()).toISOString(),
    ...(frame.subagent === undefined ? {} : { subagent: frame.subagent.name }),
  };
}

async function runCall(turn: TurnRun, frame: AgentFrame, call: StoredCall): Promise<void> {
  const { store, signal } = turn.deps;
  const { callId, name } = call;
  const decision = call.status === "decided" ? (store.interruptOfCall(callId)?.decision ?? null) : null;
  if (decision?.kind === "reject") return end(turn, frame, call, rejectionText(name, decision), true);
  const args = decision?.kind === "edit" ? decision.args : call.args;
  if (isTask(frame, name)) return runTask(turn, frame, call, args);
  const tool = frame.tools.find((one) => one.name === name);
  if (tool === undefined) return end(turn, frame, call, `The tool ${name} is no longer there.`, true);
  store.setCall(callId, { status: "running", args });
  let result: { content: string; isError: boolean };
  try {
    result = { content: textOf(await tool.run(args, toolContext(turn, callId))), isError: false };
  } catch (error) {
    result = { content: error instanceof Error ? error.message : String(error), isError: true };
  }
  // The turn was given up meanwhile, and with it the conversation this would be written to.
  signal.throwIfAborted();
  end(turn, frame, call, result.content, result.isError);
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
  endCall(turn.deps, call, { content, isError, subagent: frame.subagent });
}

function toolContext(turn: TurnRun, callId: string): ToolContext {
  const { store, signal, emit } = turn.deps;
  const { session, runId, forwarded } = turn.settings;
  return {
    sessionId: session,
    runId,
    callId,
    signal,
    state: stateEditor(store, signal),
    forwarded,
    emit: (name, value) => {
      signal.throwIfAborted();
      emit({ type: "custom", name, value });
    },
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

/** Does not wait for what is done for a turn that is given up: a tool may not listen. */
function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(() => resolve(), reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
