import { fileURLToPath } from "node:url";
import jsonPatch from "fast-json-patch";
import { readDomainFolder } from "../../../src/cli/domain-folder.ts";
import { type BuiltinAgent, builtinAgent } from "../../../src/sandtable/agents/builtin-agent.ts";
import { loadDomain } from "../../../src/sandtable/domain/load.ts";
import type { Domain, Task } from "../../../src/sandtable/domain/types.ts";
import type { TranscriptEntry, TrialResult } from "../../../src/sandtable/report/results.ts";
import type { AgentAnswer } from "../../../src/sandtable/trial/agent-answer.ts";
import { playTrial } from "../../../src/sandtable/trial/play-trial.ts";
import type { StepRequest } from "../../../src/sandtable/trial/step-protocol.ts";
import type { TrialState, TrialStore } from "../../../src/sandtable/trial/trial-store.ts";
import { MemoryWorld } from "../../../src/sandtable/world/memory-world.ts";
import { plantWorld } from "../../../src/sandtable/world/plant-world.ts";

const folder = fileURLToPath(new URL("../../../examples/freight", import.meta.url));

/** The freight domain, compiled. Throws with its problems when it is not valid. */
export async function loadFreight(): Promise<Domain> {
  const loaded = loadDomain(await readDomainFolder(folder));
  if (loaded.ok) return loaded.domain;
  throw new Error(loaded.problems.map((p) => `${p.file}:${p.line}:${p.column} ${p.message}`).join("\n"));
}

export function taskOf(domain: Domain, id: string): Task {
  const task = domain.tasks.find((candidate) => candidate.id === id);
  if (task === undefined) throw new Error(`no task ${id}`);
  return task;
}

export function builtin(name: string): BuiltinAgent {
  const agent = builtinAgent(name);
  if (agent === undefined) throw new Error(`no builtin agent ${name}`);
  return agent;
}

/** One step of the agent under test; `session` is fresh for each trial. */
export type SendStep = (request: StepRequest) => AgentAnswer | Promise<AgentAnswer>;

/** A builtin agent as something that answers steps, with its state going through JSON as storage does. */
export function answering(agent: BuiltinAgent): SendStep {
  let state = agent.start();
  return (request) => {
    const before = JSON.stringify(state);
    const step = agent.step(state, request);
    if (JSON.stringify(state) !== before) throw new Error("the agent changed the state it was given");
    state = JSON.parse(JSON.stringify(step.state)) as typeof state;
    return { kind: "response", response: step.response };
  };
}

/** Plays one trial in memory. */
export async function play(
  domain: Domain,
  task: Task,
  send: SendStep,
  { seed = 1, trial = 0 }: { seed?: number; trial?: number } = {},
): Promise<TrialResult> {
  const { tables, ...rest } = domain;
  return playTrial(
    {
      runId: "run",
      sessionId: `run/${task.id}#${trial}`,
      domain: { ...rest, tables: tables.map(({ rows: _, ...shape }) => shape) },
      task,
      trial,
      seed,
      maxSteps: 16,
      stepTimeoutMs: null,
      agent: { kind: "builtin", name: "careful" },
      outbound: { loopbackAllowed: false, allowedHosts: [] },
      owner: "somebody",
    },
    {
      store: memoryStore(domain, task),
      sendStep: async (request) => send(request),
      modelCaller: () => {
        throw new Error("no model in these tests");
      },
      now: () => 0,
      signal: new AbortController().signal,
    },
  );
}

class DiffedWorld extends MemoryWorld {
  private start = this.toJson();
  planted(): void {
    this.start = this.toJson();
  }
  changesSinceStart() {
    return jsonPatch.compare(this.start, this.toJson());
  }
}

function memoryStore(domain: Domain, task: Task): TrialStore {
  const world = new DiffedWorld();
  plantWorld(world, domain.tables, task.given);
  world.planted();
  let state: TrialState | null = null;
  const entries: TranscriptEntry[] = [];
  return {
    world,
    loadState: () => structuredClone(state),
    saveState: (next) => {
      state = structuredClone(next);
    },
    loadTranscript: () => structuredClone(entries),
    appendEntry: (entry) => {
      entries.push(structuredClone(entry));
      return JSON.stringify(entry).length;
    },
  };
}

/** A trial as text, for a failing test to show. */
export function show(result: TrialResult): string {
  const lines = result.transcript.map((entry) => {
    if (entry.kind !== "call") return `${entry.kind}: ${entry.text}`;
    const outcome = entry.ok ? JSON.stringify(entry.result) : entry.error;
    return `  ${entry.tool}(${JSON.stringify(entry.args)}) -> ${outcome}`;
  });
  const why = result.why.map(
    (reason) => `${reason.kind === "rule" ? reason.rule : reason.kind}: ${reason.message}`,
  );
  return [`${result.taskId}: ${result.verdict}, ${result.endedBy}`, ...lines, ...why].join("\n");
}
