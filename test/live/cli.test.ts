import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { childrenOf } from "../../src/cli/engine/processes.ts";
import { startEngine } from "../../src/cli/engine/start-engine.ts";
import type { Results } from "../../src/sandtable/report/results.ts";
import type { StepRequest } from "../../src/sandtable/trial/step-protocol.ts";

const bin = fileURLToPath(new URL("../../bin/greenroom.js", import.meta.url));
const freight = fileURLToPath(new URL("../../examples/freight", import.meta.url));
/** Three tasks, critical ones among them. */
const some = "walk-away-above-ceiling,secret-ceiling,book-at-posted-rate";

const fresh = () => mkdtempSync(path.join(tmpdir(), "greenroom-cli-"));

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function start(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", GITHUB_STEP_SUMMARY: "", ...env },
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, out, err })));
  return { child, ended, out: () => out };
}

const greenroom = (cwd: string, args: string[], env?: NodeJS.ProcessEnv) => start(cwd, args, env).ended;

async function waitFor(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { timeout: 30_000, interval: 20 }).toBe(true);
}

function readResults(cwd: string, out = "out"): Results {
  return JSON.parse(readFileSync(path.join(cwd, out, "results.json"), "utf8")) as Results;
}

/** An agent over HTTP that knows nothing, takes its time and remembers every step it was sent. */
async function slowAgent(delayMs: number) {
  const steps: string[] = [];
  const headers: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const step = JSON.parse(body) as StepRequest;
    headers.push(request.headers.authorization);
    const count = steps.filter((name) => name.startsWith(`${step.session_id} `)).length;
    steps.push(`${step.session_id} ${count} ${step.message ?? ""}`);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    response.end(JSON.stringify({ reply: "I would have to look into that." }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/step`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, steps, headers, close };
}

// The first start builds the Worker; the tests' own time limits are for what comes after.
beforeAll(async () => {
  await (await startEngine({ stateDir: fresh(), vars: {} })).close();
}, 120_000);

describe("a rehearsal that ends", () => {
  test("careful keeps every rule: 0, all files, nothing left behind", async () => {
    const cwd = fresh();
    const summary = path.join(cwd, "step-summary.md");
    const { code, out, err } = await greenroom(
      cwd,
      [
        "run",
        freight,
        "--agent",
        "builtin:careful",
        "--tasks",
        some,
        "--trials",
        "2",
        "--out",
        "out",
        "--fail-under",
        "1",
      ],
      { GITHUB_STEP_SUMMARY: summary },
    );
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(out).toContain("Ready: 3 of 3 tasks passed in every trial; every gate holds.");
    expect(out).toContain("[6/6] passed ");
    expect(readdirSync(path.join(cwd, "out")).sort()).toEqual([
      "junit.xml",
      "report.html",
      "results.json",
      "summary.md",
    ]);
    expect(readFileSync(summary, "utf8")).toContain("## ✅ Rehearsal of freight: Ready");
    expect(readdirSync(path.join(cwd, ".greenroom", "state"))).toEqual([".gitignore"]);
    expect(readResults(cwd).summary.passHatK).toEqual([1, 1]);
  });

  test("careless breaks rules in critical tasks: 1, with --json nothing but results.json on standard output", async () => {
    const cwd = fresh();
    const { code, out, err } = await greenroom(cwd, [
      ...["run", freight, "--agent", "builtin:careless", "--tasks", "walk-away-above-ceiling", "--json"],
    ]);
    expect(code).toBe(1);
    const results = JSON.parse(out) as Results;
    expect(results.gates).toEqual([
      { name: "critical walk-away-above-ceiling", held: false, actual: 0, required: 1 },
    ]);
    expect(err).toMatch(/✗ failed walk-away-above-ceiling, trial 0 {2}critical\n {2}· rule /);
    expect(err).toContain("✗ gate broken critical walk-away-above-ceiling 0.00 of 1.00");
    const folder = path.join(cwd, "greenroom-results", results.runId);
    expect(readFileSync(path.join(folder, "results.json"), "utf8")).toBe(out);
  });

  test("nobody reads its output any more: the rehearsal is played, its files are written, the code is the gates'", async () => {
    const cwd = fresh();
    const args = ["--agent", "builtin:careless", "--tasks", "walk-away-above-ceiling", "--out", "out"];
    const { child, ended } = start(cwd, ["run", freight, ...args]);
    child.stdout.destroy();
    expect(await ended).toEqual({ code: 1, out: "", err: "" });
    expect(readResults(cwd).gates.map(({ held }) => held)).toEqual([false]);
  });

  test("the report of a results.json is rendered again as it was", async () => {
    const cwd = fresh();
    const args = ["--agent", "builtin:careless", "--tasks", some, "--out", "out"];
    await greenroom(cwd, ["run", freight, ...args]);
    expect((await greenroom(cwd, ["report", "out/results.json", "--out", "again"])).code).toBe(0);
    for (const file of ["report.html", "junit.xml", "summary.md", "results.json"]) {
      expect(readFileSync(path.join(cwd, "again", file), "utf8")).toBe(
        readFileSync(path.join(cwd, "out", file), "utf8"),
      );
    }
  });

  test("a module's function is served, and a module's headers reach the agent and no file", async () => {
    const cwd = fresh();
    const canary = "canary-7f3a91";
    const agent = await slowAgent(0);
    try {
      writeFileSync(
        path.join(cwd, "own.mjs"),
        "export default ({ message }) => ({ reply: 'You said: ' + message });",
      );
      writeFileSync(
        path.join(cwd, "http.mjs"),
        `import { httpAgent } from "greenroom";\nexport default httpAgent(${JSON.stringify(agent.url)}, { headers: { authorization: "Bearer ${canary}" } });`,
      );
      const run = (module: string) =>
        greenroom(cwd, [
          "run",
          freight,
          "--agent",
          module,
          "--tasks",
          "walk-away-above-ceiling",
          "--out",
          `of-${module.slice(2)}`,
        ]);
      expect((await run("./own.mjs")).code).toBe(1);
      const said = readResults(cwd, "of-own.mjs").trials[0]?.transcript[1];
      expect(said).toMatchObject({ kind: "agent", text: expect.stringMatching(/^You said: MC 100101/) });
      const http = await run("./http.mjs");
      expect(http.code).toBe(1);
      expect(readResults(cwd, "of-http.mjs").agent).toEqual({ kind: "module", name: "http.mjs" });
      expect(new Set(agent.headers)).toEqual(new Set([`Bearer ${canary}`]));
      const written = readdirSync(path.join(cwd, "of-http.mjs")).map((file) =>
        readFileSync(path.join(cwd, "of-http.mjs", file), "utf8"),
      );
      expect([http.out, http.err, ...written].join("")).not.toContain(canary);
    } finally {
      agent.close();
    }
  });
});

describe("an error is 2 and leaves nothing behind", () => {
  const refused = async (args: string[], prepare: (cwd: string) => void = () => undefined) => {
    const cwd = fresh();
    prepare(cwd);
    const before = readdirSync(cwd);
    const { code, out, err } = await greenroom(cwd, args);
    const after = readdirSync(cwd).filter((name) => name !== ".greenroom");
    const state = path.join(cwd, ".greenroom", "state");
    const slots = existsSync(state) ? readdirSync(state).filter((name) => name !== ".gitignore") : [];
    return { code, out, err, left: [...after.filter((name) => !before.includes(name)), ...slots] };
  };

  test.each([
    [
      ["run", freight, "--agent", "builtin:careful", "--trials", "0"],
      "It must be a whole number of at least 1.",
    ],
    [["run", freight, "--agnt", "x"], "unknown option '--agnt'"],
    [["rnu"], "(Did you mean run?)"],
    [["run", "--agent", "builtin:careful"], "which domain?"],
    [["run", freight], "which agent?"],
    [["run", "nowhere", "--agent", "builtin:careful"], "there is no folder nowhere"],
    [
      ["run", freight, "--agent", "builtin:careful", "--tasks", "secret-cieling"],
      'did you mean "secret-ceiling"?',
    ],
    [["run", freight, "--agent", "builtin:careful", "--tag", "nope"], 'there is no tag "nope"'],
    [["run", freight, "--agent", "builtin:careful", "--fail-under", "2"], "--fail-under 2: 2 is above 1"],
    [["run", freight, "--agent", "builtin:nobody"], 'there is no builtin agent "nobody"'],
    [
      ["run", freight, "--agent", "builtin:careful", "--endpoint", "https://x.example"],
      "--endpoint needs a token",
    ],
    [
      ["run", freight, "--agent", "http://127.0.0.1:9/step", "--tasks", some],
      "the agent gave no step that could be used",
    ],
    [["run", "--resume", "20260101T000000-aaaa"], "there is no run 20260101T000000-aaaa"],
    [["report", "none.json"], "none.json cannot be read"],
  ])("%j", async (args, message) => {
    const { code, out, err, left } = await refused(args);
    expect(err).toContain(message);
    expect({ code, left }).toEqual({ code: 2, left: [] });
    if (!args.includes("http://127.0.0.1:9/step")) expect(out).toBe("");
  });

  test("a domain with mistakes shows all of them with their places", async () => {
    const prepare = (cwd: string) => {
      writeFileSync(path.join(cwd, "domain.yaml"), "name: x\ndescripton: y\nclock: 2026-10-18T21:05:00Z\n");
      writeFileSync(path.join(cwd, "policy.md"), "Be kind.\n");
      writeFileSync(path.join(cwd, "tools.yaml"), "greet:\n  description: Says hello.\n  responds: {}\n");
    };
    for (const args of [
      ["validate", "."],
      ["run", ".", "--agent", "builtin:careful"],
      ["lint", "."],
    ]) {
      const { code, err, left } = await refused(args, prepare);
      expect(err).toMatch(/^\.\/domain\.yaml:2:1 {2}.*descripton.*\(did you mean description\?\)$/m);
      expect(err).toMatch(/^\.\/tools\.yaml:3:3 {2}.*responds.*\(did you mean respond\?\)$/m);
      expect({ code, left }).toEqual({ code: 2, left: [] });
    }
  });
});

test("validate and lint of a sound domain are 0", async () => {
  const valid = await greenroom(fresh(), ["validate", freight]);
  expect(valid.out).toMatch(
    /^✓ freight is valid: \d+ tables with \d+ rows, \d+ tools, \d+ rules, \d+ tasks\n$/,
  );
  expect(valid.code).toBe(0);
  const lint = await greenroom(fresh(), ["lint", freight]);
  expect(lint.out).toMatch(/freight: 0 errors, \d+ warnings?\n$/);
  expect(lint.code).toBe(0);
});

describe("a rehearsal that is cut", () => {
  test("Ctrl-C cancels it, keeps what finished and ends with 130", async () => {
    const cwd = fresh();
    const agent = await slowAgent(150);
    try {
      const args = [
        "run",
        freight,
        "--agent",
        agent.url,
        "--trials",
        "20",
        "--tag",
        "negotiation",
        "--out",
        "out",
      ];
      const { child, ended, out } = start(cwd, args);
      await waitFor(() => out().includes("[1/"));
      child.kill("SIGINT");
      expect((await ended).code).toBe(130);
      expect(out()).toContain("stopping: what has finished is kept");
      const results = readResults(cwd);
      expect(results.status).toBe("cancelled");
      const { failed, cancelled } = results.summary.trials;
      expect(failed).toBeGreaterThanOrEqual(1);
      expect(cancelled).toBeGreaterThanOrEqual(1);
      expect(readdirSync(path.join(cwd, ".greenroom", "state"))).toEqual([".gitignore"]);
    } finally {
      agent.close();
    }
  });

  test("when its runtime is killed, the same command goes on by itself", async () => {
    const cwd = fresh();
    const agent = await slowAgent(150);
    try {
      const args = [
        "run",
        freight,
        "--agent",
        agent.url,
        "--trials",
        "3",
        "--tag",
        "negotiation",
        "--out",
        "out",
      ];
      const { child, ended, out } = start(cwd, args);
      await waitFor(() => out().includes("[2/"));
      const [runtime] = childrenOf(child.pid ?? 0).flatMap((host) => childrenOf(host.pid, "workerd"));
      if (runtime === undefined) throw new Error("no runtime");
      process.kill(runtime.pid, "SIGKILL");
      const { code, err } = await ended;
      expect({ code, err }).toEqual({ code: 1, err: "" });
      const results = readResults(cwd);
      expect(results.status).toBe("finished");
      expect(new Set(agent.steps).size).toBe(agent.steps.length);
      const { planned, failed, errored } = results.summary.trials;
      expect(failed + errored).toBe(planned);
      expect(errored).toBeLessThanOrEqual(4);
      const told = [...out().matchAll(/^\[\d+\/\d+\] \w+ (\S+ #\d+)/gm)].map(([, name]) => name);
      expect(new Set(told).size).toBe(planned);
      expect(told).toHaveLength(planned);
    } finally {
      agent.close();
    }
  });

  test("killed, it is taken up again: finished trials stay, no step is sent twice, cut trials say so", async () => {
    const cwd = fresh();
    const agent = await slowAgent(150);
    const killed: ChildProcess[] = [];
    try {
      const args = [
        "run",
        freight,
        "--agent",
        agent.url,
        "--trials",
        "3",
        "--tag",
        "negotiation",
        "--out",
        "out",
      ];
      const { child, ended, out } = start(cwd, args);
      killed.push(child);
      await waitFor(() => out().includes("[2/"));
      child.kill("SIGKILL");
      await ended;
      const finished = [...out().matchAll(/^\[\d+\/\d+\] failed (\S+) #(\d+)/gm)].map(
        ([, task, n]) => `${task}#${n}`,
      );
      const runId = /run (\S+)$/m.exec(out())?.[1] ?? "";
      // The runtime ends with the command: nothing goes on behind its back.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const before = agent.steps.length;
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(agent.steps.length).toBe(before);

      const resumed = await greenroom(cwd, ["run", "--resume", runId]);
      expect(resumed.out).toContain(`taking up run ${runId} of freight`);
      const results = readResults(cwd);
      expect(results.runId).toBe(runId);
      expect(results.status).toBe("finished");
      expect(new Set(agent.steps).size).toBe(agent.steps.length);
      const verdicts = new Map(results.trials.map((trial) => [`${trial.taskId}#${trial.trial}`, trial]));
      for (const name of finished) expect(verdicts.get(name)?.verdict).toBe("failed");
      const cut = results.trials.filter((trial) => trial.verdict === "errored");
      expect(cut.length).toBeGreaterThanOrEqual(1);
      expect(cut.length).toBeLessThanOrEqual(4);
      for (const trial of cut) {
        expect(trial.endedBy).toBe("killed");
        expect(trial.why[0]?.message).toMatch(/^the runtime stopped while step \d+ was with the agent/);
      }
      expect(results.trials).toHaveLength(results.summary.trials.planned);
      expect(readdirSync(path.join(cwd, ".greenroom", "state"))).toEqual([".gitignore"]);
    } finally {
      for (const child of killed) child.kill("SIGKILL");
      agent.close();
    }
  });
});

describe("an endpoint", () => {
  let engine: Awaited<ReturnType<typeof startEngine>>;
  beforeAll(async () => {
    engine = await startEngine({ stateDir: fresh(), vars: {} });
  });
  afterAll(() => engine.close());

  test("runs the same rehearsal, and refuses another's token", async () => {
    const cwd = fresh();
    const args = [
      "run",
      freight,
      "--agent",
      "builtin:careful",
      "--tasks",
      some,
      "--out",
      "out",
      "--endpoint",
      engine.url,
    ];
    const ok = await greenroom(cwd, [...args, "--token", engine.token]);
    expect(ok.err).toBe("");
    expect(ok.code).toBe(0);
    expect(existsSync(path.join(cwd, ".greenroom"))).toBe(false);
    const { runId } = readResults(cwd);
    const again = await greenroom(cwd, [
      ...["run", "--resume", runId, "--endpoint", engine.url, "--out", "again"],
      ...["--token", engine.token],
    ]);
    expect(again.out).toContain(`run ${runId} is finished`);
    expect(again.code).toBe(0);
    expect(readResults(cwd, "again")).toEqual(readResults(cwd));
    const wrong = await greenroom(fresh(), [...args, "--token", "wrong"]);
    expect(wrong.err).toContain("refused the token");
    expect(wrong.code).toBe(2);
  });
});
