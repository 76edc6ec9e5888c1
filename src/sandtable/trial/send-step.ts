import type { Fetch } from "../../http/guarded-fetch.ts";
import { guardedFetch, OutboundError } from "../../http/guarded-fetch.ts";
import type { JsonObject } from "../../turn/json.ts";
import { builtinAgent } from "../agents/builtin-agent.ts";
import { type AgentAnswer, readAgentAnswer } from "./agent-answer.ts";
import { stepHeaders } from "./agent-headers.ts";
import type { TrialPlan } from "./plan.ts";
import type { StepRequest } from "./step-protocol.ts";

/** Largest answer of an agent to one step, in bytes. */
const maxAnswerBytes = 1_048_576;

type SendStep = (request: StepRequest, state: JsonObject | null) => Promise<AgentAnswer>;

/** How a trial reaches its agent: one POST a step, never repeated; an agent of this Worker; or one that ships with Greenroom. */
export function agentSender(
  plan: Pick<TrialPlan, "agent" | "outbound" | "stepTimeoutMs">,
  deps: {
    fetch: Fetch;
    signal: AbortSignal;
    askAgent(name: string, request: StepRequest): Promise<AgentAnswer>;
  },
): SendStep {
  const { agent } = plan;
  if (agent.kind === "builtin") return (request, state) => builtinStep(agent.name, request, state);
  if (agent.kind === "agent") return (request) => deps.askAgent(agent.name, request);
  return (request) => postStep(plan, agent, request, deps);
}

async function builtinStep(
  name: string,
  request: StepRequest,
  state: JsonObject | null,
): Promise<AgentAnswer> {
  const agent = builtinAgent(name);
  if (agent === undefined) return { kind: "failure", message: `there is no builtin agent "${name}"` };
  const step = agent.step(state ?? agent.start(), request);
  return { kind: "response", response: step.response, state: step.state };
}

async function postStep(
  plan: Pick<TrialPlan, "outbound" | "stepTimeoutMs">,
  agent: { url: string; headers: Record<string, string> },
  request: StepRequest,
  { fetch, signal }: { fetch: Fetch; signal: AbortSignal },
): Promise<AgentAnswer> {
  const { outbound, stepTimeoutMs } = plan;
  try {
    const reply = await guardedFetch(
      fetch,
      agent.url,
      {
        method: "POST",
        headers: stepHeaders(agent.headers),
        body: JSON.stringify(request),
        signal,
      },
      outbound,
      { maxBytes: maxAnswerBytes, timeoutMs: stepTimeoutMs },
    );
    if (!reply.truncated) return readAgentAnswer(reply.status, reply.text);
    return {
      kind: "failure",
      message: `agent answered with more than ${maxAnswerBytes} bytes`,
      status: reply.status,
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const limit = error.kind === "timeout" ? " (a limit set for this run)" : "";
    const message = `${plainly(error)}${limit}`;
    const { status } = error;
    return { kind: "failure", message, ...(status === undefined ? {} : { status }) };
  }
}

/** The runtime calls a host name that does not resolve an internal error, under a number that differs every time. */
function plainly({ kind, message }: OutboundError): string {
  const why = kind === "unreachable" ? "; does its host exist?" : "";
  return message.replace(/: internal error; reference = \w+\.?$/, why).replace(/\.$/, "");
}
