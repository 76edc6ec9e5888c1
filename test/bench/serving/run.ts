import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { modelLabel } from "../../../src/models/language-model.ts";
import { fixedModel } from "./fixed-model.ts";
import { type LongSessionResult, measureLongSession } from "./long-session.ts";
import { startModel } from "./model-process.ts";
import { installPeers } from "./peers.ts";
import { printLongSession, printSizes, printStarts, printTurns } from "./print.ts";
import { measureSizes, type SizeResult } from "./size.ts";
import { asksModel, type KindName, kindNames, kinds } from "./stacks.ts";
import { measureStarts, type StartResult } from "./start.ts";
import { measureTurns, type TurnsPlan, type TurnsResult } from "./turns.ts";

/** Where Linux keeps files in memory. */
const ramFolder = "/dev/shm";

const parts = ["disk", "ram", "http", "long", "start", "size"] as const;
type Part = (typeof parts)[number];

const inProcess = `the model ${modelLabel(fixedModel)} in the Worker itself`;

const titles = {
  disk: inProcess,
  ram: inProcess,
  http: "a model that is asked over HTTP",
};

interface Plan {
  disk: Omit<TurnsPlan, "root" | "inRam">;
  /** With all states in memory, so that what is left is not the disk's. */
  ram: Omit<TurnsPlan, "root" | "inRam"> | null;
  /** With a model that is asked over HTTP, states in memory. */
  http: Omit<TurnsPlan, "root" | "inRam">;
  long: { long: number; rounds: number };
  starts: number;
}

const quickly: KindName[] = [
  "floor",
  "honoJson",
  "honoSse",
  "agentsSse",
  "statelessSse",
  "json",
  "sse",
  "aguiSse",
];

const fixed = kindNames.filter((kind) => !asksModel(kinds[kind].stack));

const overHttp: KindName[] = ["floor", ...kindNames.filter((kind) => asksModel(kinds[kind].stack))];

const full: Plan = {
  disk: { kinds: fixed, lanes: 16, rounds: 5, ms: 3_000, warmUpMs: 6_000 },
  ram: { kinds: fixed, lanes: 16, rounds: 5, ms: 3_000, warmUpMs: 6_000 },
  http: { kinds: overHttp, lanes: 16, rounds: 3, ms: 3_000, warmUpMs: 5_000 },
  long: { long: 10_000, rounds: 20 },
  starts: 7,
};

const quick: Plan = {
  disk: { kinds: quickly, lanes: 16, rounds: 1, ms: 2_000, warmUpMs: 2_000 },
  ram: null,
  http: {
    kinds: ["floor", "honoHttpJson", "honoHttpSse", "httpJson", "httpSse"],
    ...{ lanes: 16, rounds: 1, ms: 2_000, warmUpMs: 2_000 },
  },
  long: { long: 10_000, rounds: 4 },
  starts: 2,
};

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  console.log(`npm run bench:serving -- [--quick] [--only ${parts.join("|")}]...`);
} else {
  const wrong = values.only.find((part) => !parts.some((known) => known === part));
  if (wrong !== undefined) throw new Error(`--only ${wrong}: there is ${parts.join(", ")}`);
  await run(
    values.quick ? quick : full,
    parts.filter((part) => values.only.length === 0 || values.only.includes(part)),
  );
}

async function run(plan: Plan, wanted: Part[]): Promise<void> {
  const machine = machineOf();
  say(`commit ${machine.commit}${machine.changed ? " with changes" : ""}; ${machine.cpus} x ${machine.cpu}`);
  say(`Node ${machine.node}, workerd ${machine.workerd}; load ${machine.load}\n`);
  await installPeers(() => say("installing what it is measured beside"));
  const results: {
    disk?: TurnsResult;
    ram?: TurnsResult;
    http?: TurnsResult;
    long?: LongSessionResult;
    starts?: StartResult[];
    sizes?: SizeResult[];
  } = {};
  const model = await startModel();
  try {
    for (const [part, turns] of [
      ["disk", plan.disk],
      ["ram", plan.ram],
      ["http", plan.http],
    ] as const) {
      const inRam = part !== "disk" && existsSync(ramFolder);
      if (turns === null || !wanted.includes(part) || (part === "ram" && !inRam)) continue;
      const root = inRam ? ramFolder : tmpdir();
      const measured = await measureTurns(model, { ...turns, root, inRam }, say);
      results[part] = measured;
      say(`\n${titles[part]}\n${printTurns(measured)}\n`);
    }
    if (wanted.includes("long")) {
      results.long = await measureLongSession(model, tmpdir(), plan.long, say);
      say(`${printLongSession(results.long)}\n`);
    }
    if (wanted.includes("start")) {
      results.starts = await measureStarts(model, tmpdir(), plan.starts, say);
      say(`${printStarts(results.starts)}\n`);
    }
    if (wanted.includes("size")) {
      results.sizes = await measureSizes();
      say(`${printSizes(results.sizes)}\n`);
    }
  } finally {
    model.close();
  }
  say(`written to ${await store({ at: new Date().toISOString(), machine, ...results })}`);
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
  const folder = fileURLToPath(new URL("../results/", import.meta.url));
  await mkdir(folder, { recursive: true });
  const name = `serving-${result.at.replace(/[-:]|\.\d+/g, "")}-${result.machine.commit}.json`;
  await writeFile(path.join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  return path.relative(process.cwd(), path.join(folder, name));
}

function say(text: string): void {
  console.log(text);
}
