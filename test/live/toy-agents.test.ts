import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAgentAnswer } from "../../src/sandtable/trial/agent-answer.ts";
import { loadFreight, play, type SendStep, show, taskOf } from "../unit/freight/play.ts";

const examples = fileURLToPath(new URL("../../examples/agents/", import.meta.url));
const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).status === 0;

const domain = await loadFreight();
const ids = domain.tasks.map((task) => task.id);

interface Started {
  url: string;
  child: ChildProcess;
}

async function start(command: string, args: string[], env: Record<string, string> = {}): Promise<Started> {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env },
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`${command} ${args.join(" ")} did not say where it listens`);
}

async function post(url: string, body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/** The agent at `url`, each trial under session ids of its own. */
function over(url: string, run: string): SendStep {
  return async (request) => {
    const session_id = `${run}-${request.session_id}`;
    const { status, text } = await post(url, JSON.stringify({ ...request, session_id }));
    return readAgentAnswer(status, text);
  };
}

const agents = [
  { name: "Node", command: process.execPath, file: "node/agent.mjs", available: true },
  { name: "Python", command: "python3", file: "python/agent.py", available: hasPython },
];

describe.each(agents)("the toy agent in $name", ({ name, command, file, available }) => {
  let agent: Started;
  const step = (body: unknown) => post(agent.url, JSON.stringify(body));
  beforeAll(async () => {
    if (available) agent = await start(command, [examples + file, "--port", "0"]);
  });
  afterAll(() => {
    if (available) agent.child.kill();
  });

  it.skipIf(!available)("passes every freight task, all of them at once", async () => {
    const results = await Promise.all(
      ids.flatMap((id) =>
        [1, 2].map((seed) => play(domain, taskOf(domain, id), over(agent.url, `${name}${seed}`), { seed })),
      ),
    );
    for (const result of results) expect(result.verdict, show(result)).toBe("passed");
  });

  it.skipIf(!available).each([
    ["not json", "the body is not JSON"],
    ["[]", "session_id must be a string"],
    ['{"message":"Hi"}', "session_id must be a string"],
    ['{"session_id":"a"}', "send either message or tool_results, not both"],
    ['{"session_id":"a","message":"Hi","tool_results":[]}', "send either message or tool_results, not both"],
    ['{"session_id":"a","message":7}', "message must be a string"],
    ['{"session_id":"a","tool_results":{}}', "tool_results must be a list"],
  ])("answers %s with 400 and the reason", async (body, error) => {
    const answer = await post(agent.url, body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({ error });
  });

  it.skipIf(!available)("keeps sessions apart and knows what each waits for", async () => {
    const asked = await step({ session_id: "x", message: "L-1001 please, I have a van." });
    expect(JSON.parse(asked.text)).toEqual({ reply: "Happy to help. What's your MC number?" });
    const other = await step({ session_id: "y", message: "MC 100101 for L-1002, van." });
    const call = { id: "c1", name: "verify_carrier", arguments: { mc_number: "100101" } };
    expect(JSON.parse(other.text)).toEqual({ tool_calls: [call] });
    const wrong = await step({ session_id: "y", message: "Hello?" });
    expect(wrong).toEqual({
      status: 400,
      text: expect.stringContaining("this session waits for tool_results"),
    });
    const unknown = await step({ session_id: "z", tool_results: [{ id: "c1", ok: true, result: {} }] });
    expect(unknown).toEqual({ status: 400, text: expect.stringContaining("unknown session_id") });
  });

  it.skipIf(!available)("forgets the session it has not heard of longest", async () => {
    await step({ session_id: "old", message: "MC 100101 for L-1001, van." });
    for (let n = 0; n < 1000; n += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, i) => step({ session_id: `new-${n + i}`, message: "Hi" })),
      );
    }
    const late = await step({ session_id: "old", tool_results: [{ id: "c1", ok: true, result: {} }] });
    expect(late.status).toBe(400);
    const recent = await step({ session_id: "new-999", message: "Hi" });
    expect(recent.status).toBe(200);
  });

  it.skipIf(!available)("serves nothing but POST /step", async () => {
    expect((await fetch(new URL("/", agent.url))).status).toBe(404);
    expect((await fetch(agent.url)).status).toBe(405);
    expect((await post(new URL("/other", agent.url).href, "{}")).status).toBe(404);
    const large = await post(
      agent.url,
      JSON.stringify({ session_id: "a", message: "x".repeat(1_000_001) }),
    ).catch(() => null);
    // The server may hang up before the body is through.
    if (large !== null) expect(large.status).toBe(400);
    expect((await step({ session_id: "after", message: "Hi" })).status).toBe(200);
  });

  it.skipIf(!available)("listens where PORT says, and says so when it cannot", async () => {
    const byEnvironment = await start(command, [examples + file], { PORT: "0" });
    try {
      const port = new URL(byEnvironment.url).port;
      const second = spawnSync(command, [examples + file, "--port", port], {
        encoding: "utf8",
        timeout: 10_000,
      });
      expect(second.status).not.toBe(0);
      expect(second.stderr).toContain("--port");
    } finally {
      byEnvironment.child.kill();
    }
  });
});

describe("the toy agent in Node with --careless", () => {
  it("is caught on every critical task", async () => {
    const agent = await start(process.execPath, [`${examples}node/agent.mjs`, "--port", "0", "--careless"]);
    try {
      for (const task of domain.tasks.filter((candidate) => candidate.critical)) {
        const result = await play(domain, task, over(agent.url, "careless"));
        expect(result.verdict, show(result)).toBe("failed");
      }
    } finally {
      agent.child.kill();
    }
  });
});
