import type { DeepAgent } from "../agents/authoring/deep-agent.ts";
import { findAgent } from "../agents/registry.ts";
import { frameOfAgent, isServerTool } from "../agents/runtime/agent-frame.ts";
import { mintId } from "../agents/runtime/mint-id.ts";
import { type StartedTurn, startTurn, type TurnContext } from "../agents/runtime/start-turn.ts";
import { HttpError } from "../http/errors.ts";
import type { Message, TurnEvent, TurnRequest } from "../turn/index.ts";
import { noUsage } from "../wires/collect-turn.ts";

/**
 * Starts a turn for a vendor's wire. Its clients see the calls that ran here beside those they are to run, and their
 * tool loops answer both: a call of a tool they do not have with an error. Where that is all a request brings, the
 * reply is what the agent said after those calls, and no model is asked. Throws `HttpError` 400 when the client insists
 * on a tool that is not there. `whole`: the client waits for the end.
 */
export async function startVendorTurn(
  context: TurnContext,
  request: TurnRequest,
  options: { whole: boolean },
): Promise<StartedTurn> {
  const agent = findAgent(request.agent);
  if (agent === undefined) return startTurn(context, request, options);
  refuseUnknownChoice(agent, request);
  const answered = answeredHere(agent, request.messages);
  // A stateless conversation may be of anyone's making, with results to go by.
  if (answered !== null && request.session === null && answered.results.every(isAboutUnknownTool)) {
    return { ok: true, events: saidAgain(answered.text, request) };
  }
  const started = await startTurn(context, request, options);
  // The session knows the calls as answered, and so takes none of the results.
  if (!started.ok && started.failure.code === "invalid_messages" && answered !== null) {
    return { ok: true, events: saidAgain(answered.text, request) };
  }
  return started;
}

interface Result {
  tool: string;
  content: string;
}

/** The agent's newest words and what the client answers, when all it answers are calls of the agent's own tools. */
function answeredHere(agent: DeepAgent, messages: Message[]): { text: string; results: Result[] } | null {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const newest = messages[at];
  const answers = messages.slice(at + 1);
  if (newest?.role !== "assistant" || answers.length === 0) return null;
  const text = newest.blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  if (text === "") return null;
  const frame = frameOfAgent(agent);
  const results: Result[] = [];
  for (const answer of answers) {
    if (answer.role !== "tool") return null;
    const call = newest.blocks.find((block) => block.type === "call" && block.callId === answer.callId);
    if (call?.type !== "call" || !isServerTool(frame, call.name)) return null;
    results.push({ tool: call.name, content: answer.content });
  }
  return { text, results };
}

/** How the tool loops of clients in use answer a call of a tool they do not have: by name. */
function isAboutUnknownTool({ tool, content }: Result): boolean {
  return (
    content.includes(tool) &&
    /\b(?:unavailable|unknown|invalid|no such|not (?:a valid|found|available|exist))\b|NoSuchTool/i.test(
      content,
    )
  );
}

async function* saidAgain(text: string, { runId, session }: TurnRequest): AsyncGenerator<TurnEvent[]> {
  const messageId = mintId("msg_");
  yield [
    { type: "turn-start", runId, session, model: "none", scripted: false },
    { type: "text-start", messageId },
    { type: "text-delta", messageId, delta: text },
    { type: "text-end", messageId },
    { type: "usage", usage: noUsage },
    {
      type: "turn-end",
      outcome: { type: "success", finish: { unified: "stop", raw: null }, pendingCallIds: [] },
    },
  ];
}

function refuseUnknownChoice(agent: DeepAgent, { sampling, clientTools }: TurnRequest): void {
  const { toolChoice } = sampling;
  if (toolChoice?.type !== "tool") return;
  const offered = frameOfAgent(agent).offeredTools(clientTools);
  if (offered.some(({ name }) => name === toolChoice.name)) return;
  throw new HttpError(
    "invalid_request",
    `tool_choice names ${JSON.stringify(toolChoice.name)}, which is not among the tools.`,
    { details: { param: "tool_choice" } },
  );
}
