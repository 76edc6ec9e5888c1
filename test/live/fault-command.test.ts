import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { seededRandom } from "../../src/sandtable/random.ts";
import { readResults } from "../../src/sandtable/report/read-results.ts";
import { LiveAgent } from "../support/live-agent.ts";
import { deskAnswer, deskFiles } from "../support/live-domain.ts";
import { LiveEngine, sleep, until } from "../support/live-engine.ts";

const bin = fileURLToPath(new URL("../../bin/greenroom.js", import.meta.url));
const random = seededRandom(Number(process.env.FAULT_SEED ?? 7), "command");

let cwd: string;
let running: ChildProcess[] = [];
// The first start builds the Worker, which is none of what is timed here.
beforeAll(async () => (await LiveEngine.start()).close(), 120_000);
beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), "greenroom-command-"));
  await mkdir(path.join(cwd, "desk"));
  for (const [name, text] of Object.entries(deskFiles)) await writeFile(path.join(cwd, "desk", name), text);
});
afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  running = [];
  await rm(cwd, { recursive: true, force: true, maxRetries: 10 });
});

function greenroom(...args: string[]) {
  const child = spawn(process.execPath, [bin, "run", ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", GITHUB_STEP_SUMMARY: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (out += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended, out: () => out };
}

interface Left {
  file: string;
  mark: { runId: string | null };
}

/** The rehearsals that `--resume` knows. */
async function leftMarks(): Promise<Left[]> {
  const root = path.join(cwd, ".greenroom", "state");
  const names = await readdir(root).catch(() => []);
  const marks = await Promise.all(
    names.map(async (name) => {
      const file = path.join(root, name, "run.json");
      const text = await readFile(file, "utf8").catch(() => null);
      return text === null ? [] : [{ file, mark: JSON.parse(text) as Left["mark"] }];
    }),
  );
  return marks.flat();
}

async function left(): Promise<(string | null)[]> {
  return (await leftMarks()).map(({ mark }) => mark.runId);
}

const files = ["junit.xml", "report.html", "results.json", "summary.md"];

test("killed again and again while it runs and while it is taken up, it ends with every report", {
  timeout: 240_000,
}, async () => {
  const agent = await LiveAgent.start(async (step) => {
    await sleep(5 + random() * 20);
    return deskAnswer(step);
  });
  const first = greenroom("desk", "--agent", agent.url, "--trials", "30", "--out", "out");
  await until(() => agent.log.length > 10, 20_000);
  await sleep(random() * 300);
  first.child.kill("SIGKILL");
  await first.ended;
  const [runId, ...others] = await left();
  if (typeof runId !== "string") throw new Error("no run was left");
  expect(others).toEqual([]);
  for (let kill = 0; kill < 2; kill += 1) {
    const steps = agent.log.length;
    const again = greenroom("--resume", runId);
    await until(() => agent.log.length > steps + 5 || again.child.exitCode !== null, 20_000);
    await sleep(random() * 200);
    again.child.kill("SIGKILL");
    await again.ended;
    expect(existsSync(path.join(cwd, "out"))).toBe(false);
  }
  const last = greenroom("--resume", runId);
  expect(await last.ended).toBe(0);
  expect((await readdir(path.join(cwd, "out"))).sort()).toEqual(files);
  const read = readResults(await readFile(path.join(cwd, "out", "results.json"), "utf8"));
  if (!read.ok) throw new Error(read.message);
  const { trials, summary, status } = read.results;
  expect(read.results.runId).toBe(runId);
  expect(status).toBe("finished");
  expect(trials).toHaveLength(60);
  expect(summary.trials).toMatchObject({ planned: 60, failed: 0, cancelled: 0 });
  expect(summary.trials.errored).toBeGreaterThan(0);
  expect(agent.repeated()).toEqual([]);
  expect(await left()).toEqual([]);
  await agent.close();
});

test("killed the moment it has said which run it is, it can be taken up again", async () => {
  const agent = await LiveAgent.start(deskAnswer);
  const started = greenroom("desk", "--agent", agent.url, "--out", "out");
  const named = /, run (\S+)\n/;
  await new Promise<void>((resolve) => {
    started.child.stdout.on("data", () => {
      if (!named.test(started.out())) return;
      started.child.kill("SIGKILL");
      resolve();
    });
  });
  await started.ended;
  const runId = named.exec(started.out())?.[1] ?? "";
  expect(await left()).toEqual([runId]);
  await greenroom("--resume", runId).ended;
  expect((await readdir(path.join(cwd, "out"))).sort()).toEqual(files);
  expect(agent.repeated()).toEqual([]);
  await agent.close();
});

test("killed before it learnt which run it is, it is taken up without the id", async () => {
  const agent = await LiveAgent.start(deskAnswer);
  const started = greenroom("desk", "--agent", agent.url);
  const named = /, run (\S+)\n/;
  await until(() => named.test(started.out()), 60_000);
  started.child.kill("SIGKILL");
  await started.ended;
  const runId = named.exec(started.out())?.[1] ?? "";
  // As the command wrote it while the answer with the id was under way.
  const [one, ...others] = await leftMarks();
  expect([one?.mark.runId, ...others]).toEqual([runId]);
  await writeFile(one?.file ?? "", JSON.stringify({ ...one?.mark, runId: null }));
  const resumed = greenroom("--resume");
  await resumed.ended;
  expect(resumed.out()).toContain(`taking up run ${runId} of desk, started 2`);
  expect((await readdir(path.join(cwd, "greenroom-results", runId))).sort()).toEqual(files);
  expect(agent.repeated()).toEqual([]);
  expect(await left()).toEqual([]);
  await agent.close();
});

test("killed while it starts the rehearsal, it is taken up or known not to have begun", async () => {
  const agent = await LiveAgent.start(deskAnswer);
  await mkdir(path.join(cwd, "desk", "world"));
  const rows = Array.from({ length: 20_000 }, (_, n) =>
    JSON.stringify({ id: `R-${n}`, text: "x".repeat(100) }),
  );
  await writeFile(path.join(cwd, "desk", "world", "papers.yaml"), "key: id\nrows_from: papers.jsonl\n");
  await writeFile(path.join(cwd, "desk", "world", "papers.jsonl"), rows.join("\n"));
  const started = greenroom("desk", "--agent", agent.url, "--out", "out");
  for (let tries = 0; (await left()).length === 0; tries += 1) {
    if (tries > 20_000 || started.child.exitCode !== null) throw new Error(started.out());
    await sleep(2);
  }
  started.child.kill("SIGKILL");
  await started.ended;
  expect(await left()).toEqual([null]);
  const resumed = greenroom("--resume");
  const code = await resumed.ended;
  if (code === 0) expect((await readdir(path.join(cwd, "out"))).sort()).toEqual(files);
  else {
    expect([code, agent.log, existsSync(path.join(cwd, "out"))]).toEqual([2, [], false]);
    expect(resumed.out()).toContain("was cut off before it began: no step was sent; run it again");
  }
  expect(await left()).toEqual([]);
  await agent.close();
});
