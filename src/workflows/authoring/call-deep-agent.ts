import { mintId } from "../../agents/runtime/mint-id.ts";
import type { Message, TurnEvent, TurnFailure } from "../../turn/index.ts";
import { type StepOps, stepOps } from "../runtime/scope.ts";
import type { RunHappening } from "../runtime/types.ts";
import { FatalError } from "./errors.ts";
import { maxProgressBytes } from "./progress.ts";

/** What an agent is asked: one message, or a conversation. */
export type AgentInput =
  | string
  | { messages: readonly { role: "system" | "user" | "assistant"; content: string }[] };

/**
 * Runs one turn of an agent, in a step, and comes back with what it answered. The whole turn is the step: an attempt
 * after a fault runs it again. Throws when the turn fails; a tool that waits for a person cannot, and fails it with
 * `session_required`.
 */
export function callDeepAgent(name: string, input: AgentInput): Promise<{ text: string }> {
  return runAgent(
    stepOps("callDeepAgent()"),
    name,
    input,
    (event) => event.type === "turn-start" || event.type === "turn-end",
  );
}

/**
 * As `callDeepAgent`, with everything that happens in the turn told to whoever watches the run, as it happens; but for
 * what has more than 256 KiB of JSON, such as a large result of a tool.
 */
export function streamDeepAgent(name: string, input: AgentInput): Promise<{ text: string }> {
  return runAgent(stepOps("streamDeepAgent()"), name, input, () => true);
}

async function runAgent(
  ops: StepOps,
  agent: string,
  input: AgentInput,
  told: (event: TurnEvent) => boolean,
): Promise<{ text: string }> {
  const { services, conversation, runId, stepId } = ops;
  const started = await services.startTurn({
    agent,
    wire: "workflow",
    runId: mintId("turn_"),
    session: null,
    conversation: conversation ?? runId,
    messages: messagesOf(input),
    clientTools: [],
    state: null,
    resume: [],
    sampling: {},
    snapshot: false,
    context: [],
    forwarded: null,
  });
  if (!started.ok) throw agentFailure(agent, started.failure);
  const answers = new Map<string, string>();
  let end: Extract<TurnEvent, { type: "turn-end" }> | null = null;
  for await (const events of started.events) {
    const shown: RunHappening[] = events
      .filter((event) => told(event) && JSON.stringify(event).length <= maxProgressBytes)
      .map((event) => ({ type: "agent", step: stepId, agent, event }));
    if (shown.length > 0) await ops.append(shown);
    for (const event of events) {
      if (event.type === "text-delta" && event.subagent === undefined)
        answers.set(event.messageId, (answers.get(event.messageId) ?? "") + event.delta);
      if (event.type === "turn-end") end = event;
    }
  }
  if (end === null) throw new Error(`the turn of the agent "${agent}" broke off`);
  const { outcome } = end;
  if (outcome.type === "failed") throw agentFailure(agent, outcome.failure);
  if (outcome.type !== "success")
    throw new Error(`the turn of the agent "${agent}" ended as ${outcome.type}`);
  return { text: [...answers.values()].at(-1) ?? "" };
}

function messagesOf(input: AgentInput): Message[] {
  const messages = typeof input === "string" ? [{ role: "user" as const, content: input }] : input.messages;
  if (messages.length === 0) throw new FatalError("callDeepAgent(): there is no message");
  return messages.map(({ role, content }, at): Message => {
    const id = `m${at + 1}`;
    if (role === "system") return { role, id, text: content };
    if (role === "user") return { role, id, parts: [{ type: "text", text: content }] };
    return { role, id, blocks: [{ type: "text", text: content }] };
  });
}

/** A failure that trying again cannot help fails the step for good. */
function agentFailure(agent: string, { code, message, retryable }: TurnFailure): Error {
  const text =
    code === "session_required"
      ? `The agent "${agent}" called a tool that waits for a person, which it cannot in a step: ask with requestApproval() in the workflow's body, or give the agent tools that need nobody.`
      : `The agent "${agent}" failed: ${message}`;
  return retryable ? Object.assign(new Error(text), { code }) : new FatalError(text, { code });
}
