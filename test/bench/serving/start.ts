import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type Spread, spread } from "../numbers.ts";
import { Lane } from "./lane.ts";
import type { BenchModel } from "./model-process.ts";
import { startRuntimeIn } from "./runtime.ts";
import { type Kind, type KindName, kinds, type Stack } from "./stacks.ts";
import { makeStack } from "./start-stacks.ts";

/** From the start of the runtime's process, ms. */
export interface StartResult {
  stack: Stack;
  listening: Spread;
  /** To the whole reply to the first turn. */
  firstReply: Spread;
}

/** The first turn each stack is asked. */
const first: { stack: Stack; kind: KindName }[] = [
  { stack: "floor", kind: "floor" },
  { stack: "hono", kind: "honoJson" },
  { stack: "agents", kind: "agentsJson" },
  { stack: "ours", kind: "json" },
];

/**
 * How long a runtime takes from nothing to its first reply. Miniflare only writes the configuration; what is timed is
 * the runtime by itself. A stack that does not run here is left out.
 */
export async function measureStarts(
  model: BenchModel,
  stateRoot: string,
  times: number,
  say: (text: string) => void,
): Promise<StartResult[]> {
  const results: StartResult[] = [];
  for (const { stack, kind } of first) {
    const { bundle, vars } = await makeStack(stack, model, say);
    const folder = await mkdtemp(path.join(stateRoot, "greenroom-start-"));
    let miniflare: { close(): Promise<void> } | undefined;
    try {
      // Once for the database's tables, so that afterwards no other process has it open.
      await (await startRuntimeIn(folder, stack, bundle, vars)).close();
      const { command, runtime } = await recorded(folder, () =>
        startRuntimeIn(folder, stack, { ...bundle, migrations: [] }, vars),
      );
      miniflare = runtime;
      const starts: { listening: number; firstReply: number }[] = [];
      for (let time = 0; time < times; time += 1) starts.push(await startOnce(command, kinds[kind], time));
      results.push({
        stack,
        listening: spread(starts.map(({ listening }) => listening)),
        firstReply: spread(starts.map(({ firstReply }) => firstReply)),
      });
    } catch (error) {
      if (!stack.startsWith("agents")) throw error;
      say(`the agents SDK does not start here: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await miniflare?.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
  return results;
}

interface Command {
  program: string;
  args: string[];
  /** File it reads its configuration from. */
  config: string;
}

/** Lets Miniflare start the runtime by way of a script that keeps how it did; folders it names stay while that runs. */
async function recorded<Runtime>(
  folder: string,
  start: () => Promise<Runtime>,
): Promise<{ command: Command; runtime: Runtime }> {
  const config = path.join(folder, "config.bin");
  const argsFile = path.join(folder, "args");
  const script = path.join(folder, "workerd.sh");
  const { default: program } = createRequire(import.meta.url)("workerd") as { default: string };
  const lines = [
    "#!/bin/sh",
    `printf '%s\\n' "$@" > '${argsFile}'`,
    `cat > '${config}'`,
    `exec '${program}' "$@" < '${config}'`,
  ];
  await writeFile(script, `${lines.join("\n")}\n`);
  await chmod(script, 0o755);
  process.env.MINIFLARE_WORKERD_PATH = script;
  try {
    const runtime = await start();
    const args = (await readFile(argsFile, "utf8")).trimEnd().split("\n");
    return { command: { program, args, config }, runtime };
  } finally {
    delete process.env.MINIFLARE_WORKERD_PATH;
  }
}

async function startOnce(
  { program, args, config }: Command,
  kind: Kind,
  time: number,
): Promise<{ listening: number; firstReply: number }> {
  const input = openSync(config, "r");
  const startedAt = performance.now();
  const child = spawn(program, args, {
    stdio: [input, "ignore", "ignore", "pipe"],
    env: { ...process.env, TZ: "UTC" },
  });
  closeSync(input);
  const ended = new Promise<never>((_, reject) => {
    child.once("exit", () => reject(new Error("the runtime ended before its first reply")));
  });
  // Nobody waits for it once there is a reply.
  ended.catch(() => undefined);
  try {
    const port = await Promise.race([directPort(child.stdio[3] as Readable), ended]);
    const listening = performance.now() - startedAt;
    const lane = await Lane.open(`http://127.0.0.1:${port}`);
    const reply = await Promise.race([lane.post(kind.request(`start-${time}`, 1)), ended]);
    const firstReply = performance.now() - startedAt;
    lane.close();
    const problem = kind.problem(reply);
    if (problem !== null) throw new Error(`${kind.name}, first turn: ${problem}`);
    return { listening, firstReply };
  } finally {
    child.kill("SIGKILL");
    await ended.catch(() => undefined);
  }
}

/** The port of the Worker's own socket, as the runtime tells it. */
async function directPort(control: Readable): Promise<number> {
  for await (const line of createInterface(control)) {
    const news = JSON.parse(line) as { event: string; socket?: string; port?: number };
    if (news.event === "listen" && news.socket?.startsWith("direct") && news.port !== undefined)
      return news.port;
  }
  throw new Error("the runtime listens nowhere");
}
