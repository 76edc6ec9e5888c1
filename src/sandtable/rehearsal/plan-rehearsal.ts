import { agentNames, findAgent } from "../../agents/registry.ts";
import { builtinAgent, builtinNames } from "../agents/builtin-agent.ts";
import { domainDigest } from "../domain/digest.ts";
import type { Domain } from "../domain/types.ts";
import type { AgentLabel } from "../report/results.ts";
import type { AgentTarget } from "../trial/plan.ts";
import { idleTasks } from "../verdict/do-nothing.ts";
import { GateError, parseGates } from "../verdict/gates.ts";
import { SelectionError, selectTasks } from "../verdict/select-tasks.ts";
import type { RehearsalSpec } from "./spec.ts";
import { maxPlanned, type StartRequest } from "./start-request.ts";

/** Turns a request for a rehearsal into its plan. An unknown task, tag or agent and a bad gate are an error text. */
export async function planRehearsal(
  domain: Domain,
  asked: StartRequest,
  run: Pick<RehearsalSpec, "runId" | "owner" | "outbound" | "startedAt">,
): Promise<{ ok: true; spec: RehearsalSpec } | { ok: false; message: string }> {
  try {
    const { trials, concurrency, seed, maxSteps, stepTimeoutMs } = asked;
    const tasks = selectTasks(domain.tasks, { tasks: asked.tasks, tags: asked.tags });
    const gates = parseGates({ failUnder: asked.failUnder, floor: asked.floors }, { tasks, trials });
    if (tasks.length * trials > maxPlanned) {
      return {
        ok: false,
        message: `${tasks.length} tasks with ${trials} trials each are more than ${maxPlanned} trials`,
      };
    }
    const agent = agentOf(asked.agent);
    if (agent === null) return { ok: false, message: unknownAgent(asked.agent) };
    const { name, description, policy, clock, tools, rules } = domain;
    const tables = domain.tables.map(({ rows: _rows, ...shape }) => shape);
    return {
      ok: true,
      spec: {
        ...run,
        domain: { name, description, policy, clock, tools, rules, tables },
        digest: await domainDigest(domain),
        tasks,
        doNothing: idleTasks(domain, tasks),
        ...agent,
        options: { trials, concurrency, seed, tasks: asked.tasks, tags: asked.tags, maxSteps, stepTimeoutMs },
        gates,
      },
    };
  } catch (error) {
    if (error instanceof GateError || error instanceof SelectionError)
      return { ok: false, message: error.message };
    throw error;
  }
}

function agentOf(asked: StartRequest["agent"]): { agent: AgentTarget; label: AgentLabel } | null {
  if (asked.kind === "builtin") {
    const { name } = asked;
    return builtinAgent(name) === undefined
      ? null
      : { agent: { kind: "builtin", name }, label: { kind: "builtin", name } };
  }
  if (asked.kind === "agent") {
    const { name } = asked;
    return findAgent(name) === undefined
      ? null
      : { agent: { kind: "agent", name }, label: { kind: "agent", name } };
  }
  const { url, headers } = asked;
  return {
    agent: { kind: "http", url, headers },
    label: asked.label ?? { kind: "http", name: withoutSecrets(url) },
  };
}

function unknownAgent(asked: StartRequest["agent"]): string {
  if (asked.kind === "http") return "the agent has no address";
  return asked.kind === "builtin"
    ? `there is no builtin agent "${asked.name}"; there is ${builtinNames.join(", ")}`
    : `this Worker serves no agent "${asked.name}"; it serves ${agentNames.join(", ")}`;
}

/** The address for reports: a query can carry a key. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
