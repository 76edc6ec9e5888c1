import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startAgent } from "./agent-process.ts";
import type { Bench } from "./bench.ts";
import { startBenchEngine } from "./engine.ts";
import { startWorkerdFloor } from "./floor.ts";
import { type MemoryResult, measureMemory } from "./memory.ts";
import { printMemory, printRates, printWorld } from "./print.ts";
import { measureRate, type RateCase, type RateResult, warmUp } from "./rate.ts";
import { measureTable, printTable, type TablePlan, type TableResult } from "./table.ts";
import { measureWorkflows, printWorkflows, type WorkflowPlan, type WorkflowsResult } from "./workflows.ts";
import { measureWorld, type WorldResult } from "./world.ts";

/** Where Linux keeps files in memory. */
const ramFolder = "/dev/shm";

const parts = ["rate", "memory", "world", "table", "workflows", "serving"] as const;
type Part = (typeof parts)[number];

interface Plan {
  warmUpTrials: number;
  rounds: number;
  cases: RateCase[];
  memoryTrials: number;
  worldRounds: number;
  table: TablePlan;
  workflows: WorkflowPlan;
}

interface Results {
  rate?: RateResult[];
  memory?: MemoryResult;
  world?: WorldResult;
  table?: TableResult;
  workflows?: WorkflowsResult;
}

const full: Plan = {
  warmUpTrials: 150,
  rounds: 5,
  cases: [
    { task: "calls", concurrency: 1, delayMs: 0, trials: 100 },
    { task: "calls", concurrency: 4, delayMs: 0, trials: 200 },
    { task: "calls", concurrency: 16, delayMs: 0, trials: 200 },
    { task: "calls", concurrency: 4, delayMs: 0, trials: 200, inRam: true },
    { task: "talk", concurrency: 4, delayMs: 0, trials: 200 },
    { task: "talk", concurrency: 16, delayMs: 0, trials: 200 },
    { task: "calls", concurrency: 4, delayMs: 20, trials: 40 },
    { task: "calls", concurrency: 16, delayMs: 20, trials: 80 },
  ],
  memoryTrials: 3_000,
  worldRounds: 4,
  table: { lanes: 16, rounds: 5, ms: 4_000, warmUpMs: 2_000 },
  workflows: { rounds: 7, runs: 24, atOnce: [1, 8], warmUpRuns: 16 },
};

const quick: Plan = {
  warmUpTrials: 40,
  rounds: 1,
  cases: [
    { task: "calls", concurrency: 1, delayMs: 0, trials: 40 },
    { task: "calls", concurrency: 4, delayMs: 0, trials: 80 },
    { task: "calls", concurrency: 4, delayMs: 0, trials: 80, inRam: true },
    { task: "talk", concurrency: 4, delayMs: 0, trials: 80 },
  ],
  memoryTrials: 0,
  worldRounds: 1,
  table: { lanes: 16, rounds: 1, ms: 1_500, warmUpMs: 500 },
  workflows: { rounds: 2, runs: 8, atOnce: [1, 8], warmUpRuns: 8 },
};

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  console.log(`npm run bench -- [--quick] [--only ${parts.join("|")}]...`);
} else {
  const wrong = values.only.find((part) => !parts.some((known) => known === part));
  if (wrong !== undefined) throw new Error(`--only ${wrong}: there is ${parts.join(", ")}`);
  const wanted = parts.filter((part) => values.only.length === 0 || values.only.includes(part));
  const here = wanted.filter((part) => part !== "serving");
  if (here.length > 0) await run(values.quick ? quick : full, here);
  if (wanted.includes("serving")) process.exitCode = await serve(values.quick);
}

/** Measures served turns, in a process of its own; returns its exit code. */
function serve(quickly: boolean): Promise<number> {
  const script = fileURLToPath(new URL("./serving/run.ts", import.meta.url));
  const child = spawn(process.execPath, [script, ...(quickly ? ["--quick"] : [])], { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

async function run(plan: Plan, wanted: Part[]): Promise<void> {
  const machine = machineOf();
  say(`commit ${machine.commit}${machine.changed ? " with changes" : ""}; ${machine.cpus} x ${machine.cpu}`);
  say(`Node ${machine.node}, workerd ${machine.workerd}; state in ${tmpdir()}; load ${machine.load}\n`);
  const results: Results = {};
  if (wanted.includes("table")) {
    results.table = await measureTable(plan.table, say);
    say(`${printTable(results.table)}\n`);
  }
  if (wanted.includes("workflows")) {
    results.workflows = await measureWorkflows(plan.workflows, say);
    say(`${printWorkflows(results.workflows)}\n`);
  }
  if (wanted.some((part) => part !== "table" && part !== "workflows"))
    await measureTrials(plan, wanted, results);
  say(`written to ${await store({ at: new Date().toISOString(), machine, ...results })}`);
}

async function measureTrials(plan: Plan, wanted: Part[], results: Results): Promise<void> {
  const agent = await startAgent();
  try {
    const engine = await startBenchEngine(agent.url, tmpdir(), () => say("building the engine\n"));
    const floor = await startWorkerdFloor();
    const engineInRam = existsSync(ramFolder) ? await startBenchEngine(agent.url, ramFolder) : null;
    try {
      const bench: Bench = { agent, engine, engineInRam, floor };
      if (wanted.includes("rate")) {
        await warmUp(bench, plan.warmUpTrials);
        results.rate = [];
        for (const order of plan.cases) {
          const result = await measureRate(bench, order, plan.rounds);
          if (result !== null) results.rate.push(result);
        }
        say(`${printRates(results.rate)}\n`);
      }
      if (wanted.includes("world")) {
        results.world = await measureWorld(bench, { small: 100, large: 100_000 }, plan.worldRounds);
        say(`${printWorld(results.world)}\n`);
      }
    } finally {
      await floor.close();
      await engine.close();
      await engineInRam?.close();
    }
    if (wanted.includes("memory") && plan.memoryTrials > 0) {
      const memory = await measureMemory(agent, tmpdir(), plan.memoryTrials, 4);
      if (memory === null) say("memory: this system does not tell that of another process\n");
      else {
        results.memory = memory;
        say(`${printMemory(memory)}\n`);
      }
    }
  } finally {
    agent.close();
  }
}

function machineOf() {
  const git = (...args: string[]) =>
    execFileSync("git", args, { encoding: "utf8", cwd: fileURLToPath(new URL(".", import.meta.url)) }).trim();
  const { version } = createRequire(import.meta.url)("workerd/package.json") as { version: string };
  return {
    commit: git("rev-parse", "--short=12", "HEAD"),
    changed: git("status", "--porcelain") !== "",
    cpu: cpus()[0]?.model ?? "unknown",
    cpus: availableParallelism(),
    node: process.version,
    workerd: version,
    load: loadavg()
      .map((load) => load.toFixed(1))
      .join(" "),
  };
}

async function store(result: { at: string; machine: { commit: string } }): Promise<string> {
  const folder = fileURLToPath(new URL("./results/", import.meta.url));
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${result.at.replace(/[-:]|\.\d+/g, "")}-${result.machine.commit}.json`);
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
  return path.relative(process.cwd(), file);
}

function say(text: string): void {
  console.log(text);
}
