import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * Rehearses the freight example over real HTTP, twice: with the toy agent in Node, and with the same agent after its
 * safeguards were switched off. The second one is meant to be caught; the demo fails when it is not, when the first
 * one does not pass, or when anything does not work.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const agentFile = join(root, "examples/agents/node/agent.mjs");
const command = join(root, "bin/greenroom.js");
/** How long the toy agent may take to listen, in milliseconds. */
const startLimitMs = 10_000;

const children = new Set<ChildProcess>();

interface Rehearsal {
  title: string;
  flags: string[];
  out: string;
  /** Exit code of the command that the demo expects: 0, gates hold; 1, a gate or a critical task failed. */
  expected: number;
}

const rehearsals: Rehearsal[] = [
  {
    title: "A careful agent",
    flags: [],
    out: "greenroom-results/demo-careful",
    expected: 0,
  },
  {
    title: "The same agent with its safeguards switched off",
    flags: ["--careless"],
    out: "greenroom-results/demo-careless",
    expected: 1,
  },
];

/** Starts a child that this process takes with it when it ends. */
function start(args: string[], stdout: "pipe" | "inherit"): ChildProcess {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", stdout, "inherit"] });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** Resolves with the exit code; a child that a signal ended has none. */
function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code));
  });
}

/** Starts the toy agent on a free port and resolves with its address once it listens. */
async function startAgent(flags: string[]): Promise<{ url: string; child: ChildProcess }> {
  const child = start([agentFile, "--port", "0", ...flags], "pipe");
  if (child.stdout === null) throw new Error("the toy agent has no output to read");
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the toy agent did not start in time")), startLimitMs);
    lines.on("line", (line) => {
      const found = /http:\/\/\S+/.exec(line)?.[0];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    exitOf(child).then((code) => reject(new Error(`the toy agent stopped with code ${code}`)), reject);
  });
  return { url, child };
}

async function rehearse({ title, flags, out, expected }: Rehearsal): Promise<void> {
  const agent = await startAgent(flags);
  try {
    console.log(`\n${title}: ${agent.url}\n`);
    const code = await exitOf(
      start([command, "run", "examples/freight", "--agent", agent.url, "--out", out], "inherit"),
    );
    if (code !== expected) {
      const meaning = expected === 0 ? "every gate holds" : "the agent is caught";
      throw new Error(
        `greenroom run ended with ${code ?? "a signal"}, not with ${expected}, which says that ${meaning}`,
      );
    }
    checkResults(join(root, out));
  } finally {
    agent.child.kill();
  }
}

/** The demo is there to be looked at, so what it points to must exist. */
function checkResults(out: string): void {
  const results: unknown = JSON.parse(readFileSync(join(out, "results.json"), "utf8"));
  if (typeof results !== "object" || results === null || !("runId" in results))
    throw new Error(`${join(out, "results.json")} is not a result of a rehearsal`);
  for (const name of ["junit.xml", "report.html"])
    if (!existsSync(join(out, name))) throw new Error(`${name} is missing in ${out}`);
}

function endChildren(): void {
  for (const child of children) child.kill();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    endChildren();
    process.exitCode = signal === "SIGINT" ? 130 : 143;
    process.exit();
  });
}
process.once("exit", endChildren);

try {
  for (const rehearsal of rehearsals) await rehearse(rehearsal);
  console.log("\nThe careful agent passed and the careless one was caught. Reports to open in a browser:");
  for (const { out } of rehearsals)
    console.log(`  ${relative(process.cwd(), join(root, out, "report.html"))}`);
} catch (error) {
  console.error(`\nThe demo did not work: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
