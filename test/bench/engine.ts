import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { ApiClient, type StartBody } from "../../src/cli/api-client.ts";
import { childrenOf } from "../../src/cli/engine/processes.ts";
import { startEngine } from "../../src/cli/engine/start-engine.ts";
import { watch } from "../../src/cli/watch.ts";
import type { Results } from "../../src/sandtable/report/results.ts";
import type { Files } from "./domains.ts";

/** The embedded engine, as the command starts it, on a state folder of its own. */
export interface BenchEngine {
  /** Process of the runtime. */
  pid: number;
  stateDir: string;
  rehearse(order: Rehearsal): Promise<Rehearsed>;
  close(): Promise<void>;
}

interface Rehearsal {
  files: Files;
  agentUrl: string;
  task: string;
  trials: number;
  concurrency: number;
  maxSteps?: number;
  /** Told after each trial how many have ended in this rehearsal. */
  onTrial?: (finished: number) => void;
}

interface Rehearsed {
  trials: number;
  /** POSTs to the agent. */
  steps: number;
  /** From the moment the rehearsal had begun to the event of its end, ms. */
  wallMs: number;
  /** From the request that starts it to its being begun: the domain read, checked and handed over, ms. */
  startMs: number;
}

/** Starts it with its state in a new folder below `root`, which `close` removes. */
export async function startBenchEngine(
  agentUrl: string,
  root: string,
  onBuild: () => void = () => undefined,
): Promise<BenchEngine> {
  const stateDir = await mkdtemp(path.join(root, "greenroom-bench-"));
  const before = new Set(childrenOf(process.pid).map((child) => child.pid));
  const vars = { AGENT_ALLOWED_HOSTS: new URL(agentUrl).host, AGENT_MAX_DOMAIN: "64000000" };
  const engine = await startEngine({ stateDir, vars, onBuild });
  const host = childrenOf(process.pid).filter((child) => !before.has(child.pid));
  const runtime = host.flatMap((child) => childrenOf(child.pid, "workerd"))[0];
  if (runtime === undefined) throw new Error("the engine's runtime cannot be found");
  const api = new ApiClient(engine.url, engine.token);
  const lost = engine.lost.then((reason) => {
    throw new Error(reason);
  });
  // Whoever waits for it is told; while nobody does, it is not a fault of its own.
  lost.catch(() => undefined);
  return {
    pid: runtime.pid,
    stateDir,
    rehearse: (order) => Promise.race([rehearse(api, order), lost]),
    async close() {
      await engine.close();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

/** Runs a rehearsal the way the command does, watching its events. Throws when any trial does not pass. */
async function rehearse(api: ApiClient, order: Rehearsal): Promise<Rehearsed> {
  const body: StartBody = {
    domain: { files: order.files },
    agent: { kind: "http", url: order.agentUrl, headers: {} },
    trials: order.trials,
    concurrency: order.concurrency,
    tasks: [order.task],
    tags: [],
    seed: 1,
    maxSteps: order.maxSteps ?? 16,
    stepTimeoutMs: null,
    failUnder: [],
    floors: [],
  };
  const askedAt = performance.now();
  const { runId } = await api.start(body);
  const begunAt = performance.now();
  const wrong: string[] = [];
  await watch({
    api,
    runId,
    signal: new AbortController().signal,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    onEvent(event) {
      if (event.type !== "trial") return;
      if (event.verdict !== "passed") wrong.push(`trial ${event.trial} ${event.verdict}: ${event.why}`);
      order.onTrial?.(event.finished);
    },
  });
  const wallMs = performance.now() - begunAt;
  if (wrong.length > 0) throw new Error(`${wrong.length} trials did not pass: ${wrong[0]}`);
  const results = JSON.parse(await api.results(runId)) as Results;
  const steps = results.trials.reduce((sum, trial) => sum + trial.steps, 0);
  return { trials: results.trials.length, steps, wallMs, startMs: begunAt - askedAt };
}
