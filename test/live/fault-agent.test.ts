import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TrialResult } from "../../src/sandtable/report/results.ts";
import { type Answer, LiveAgent } from "../support/live-agent.ts";
import { deskAnswer, deskFiles } from "../support/live-domain.ts";
import { LiveEngine, sleep } from "../support/live-engine.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

/** One trial of the short task, the caller says hello and good bye, against the agent at `url`. */
async function hello(url: string, options: Record<string, unknown> = {}): Promise<TrialResult> {
  const runId = await engine.begin({
    domain: { files: deskFiles },
    tasks: ["hello"],
    agent: { kind: "http", url },
    ...options,
  });
  const [trial] = (await engine.ended(runId)).trials;
  if (trial === undefined) throw new Error("the rehearsal has no trial");
  return trial;
}

/** An agent that writes bytes of its own choosing and hangs up. Counts the requests it was sent. */
async function rawAgent(bytes: string | Buffer): Promise<{ url: string; posts(): number; server: Server }> {
  let posts = 0;
  const server = createServer((socket: Socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (data) => {
      if (!data.toString("latin1").startsWith("POST /step ")) return;
      posts += 1;
      socket.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/step`, posts: () => posts, server };
}

const ok = "HTTP/1.1 200 OK\r\n";
const reply = '{"reply":"hello"}';
const brokeOff = /\/step answered HTTP 200 and then broke off: \w/;

describe("an agent that breaks HTTP fails its trial after one request", () => {
  test.each<[string, string | Buffer, RegExp]>([
    ["hangs up without a word", "", /could not be reached/],
    ["hangs up in the head", "HTTP/1.1 200", /could not be reached/],
    ["hangs up in the body", `${ok}content-length: 100\r\n\r\n{"reply":"hel`, brokeOff],
    ["hangs up in a chunk", `${ok}transfer-encoding: chunked\r\n\r\nA\r\n{"reply`, brokeOff],
    ["speaks something else", "\0\x01\x02 hello\r\n\r\n", /could not be reached/],
    ["speaks HTTP/2 over HTTP/1", `HTTP/2 200 OK\r\n\r\n${reply}`, /could not be reached/],
    [
      "gives two lengths",
      `${ok}content-length: 17\r\ncontent-length: 3\r\n\r\n${reply}`,
      /could not be reached/,
    ],
    [
      "says gzip and sends none",
      `${ok}content-encoding: gzip\r\ncontent-length: 17\r\n\r\n${reply}`,
      brokeOff,
    ],
    ["cuts its body by its length", `${ok}content-length: 10\r\n\r\n${reply}`, /body that is not JSON/],
    [
      "ends in half a character",
      Buffer.concat([
        Buffer.from(`${ok}connection: close\r\n\r\n{"reply":"hello `),
        Buffer.from([0xe2, 0x82]),
      ]),
      /body that is not JSON/,
    ],
    ["wants another protocol", "HTTP/1.1 101 Switching\r\nupgrade: foo\r\n\r\n", /answered HTTP 101/],
  ])("%s", async (_, bytes, message) => {
    const agent = await rawAgent(bytes);
    const trial = await hello(agent.url);
    expect(trial).toMatchObject({ verdict: "failed", endedBy: "agent_error", steps: 1, turns: 1 });
    expect(trial.why).toHaveLength(1);
    expect(trial.why[0]).toMatchObject({ kind: "runtime", message: expect.stringMatching(message) });
    if (message === brokeOff) expect(trial.why[0]).toMatchObject({ status: 200 });
    expect(agent.posts()).toBe(1);
    agent.server.close();
  });
});

describe("an agent that uses HTTP's corners passes", () => {
  test.each<[string, string | Buffer]>([
    ["speaks HTTP/1.0", `HTTP/1.0 200 OK\r\n\r\n${reply}`],
    [
      "says continue first",
      `HTTP/1.1 100 Continue\r\n\r\n${ok}content-length: 17\r\nconnection: close\r\n\r\n${reply}`,
    ],
    [
      "hints first",
      `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok}content-length: 17\r\nconnection: close\r\n\r\n${reply}`,
    ],
    ["begins with a byte order mark", `${ok}connection: close\r\n\r\n\ufeff${reply}`],
    [
      "sends 60 kB of headers",
      `${ok}x-big: ${"a".repeat(60_000)}\r\ncontent-length: 17\r\nconnection: close\r\n\r\n${reply}`,
    ],
    [
      "sends a byte that is no character",
      Buffer.concat([
        Buffer.from(`${ok}connection: close\r\n\r\n{"reply":"hello `),
        Buffer.from([0xc3]),
        Buffer.from('"}'),
      ]),
    ],
  ])("%s", async (_, bytes) => {
    const agent = await rawAgent(bytes);
    expect(await hello(agent.url)).toMatchObject({ verdict: "passed", steps: 2, why: [] });
    expect(agent.posts()).toBe(2);
    agent.server.close();
  });
});

const html: Answer = (_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<html>\u001b[31m</script>");
};
const status =
  (code: number, body = "", headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end(body);
  };

describe("an agent that breaks the step protocol fails its trial, with its status and body shown", () => {
  const notJson = "agent answered with a body that is not JSON";
  test.each<[string, Answer, Record<string, unknown>]>([
    ["a page", html, { message: notJson, status: 200, body: "<html>\u001b[31m</script>" }],
    ["204", status(204), { message: "agent answered with an empty body, not JSON", status: 204, body: "" }],
    [
      "301",
      status(301, "moved", { location: "/other" }),
      { message: "agent answered HTTP 301", status: 301, body: "moved" },
    ],
    [
      "429",
      status(429, "slow down", { "retry-after": "0" }),
      { message: "agent answered HTTP 429", status: 429, body: "slow down" },
    ],
    ["500", status(500, "no\0model"), { message: "agent answered HTTP 500", status: 500, body: "no\0model" }],
    ["text that is not JSON", () => "{reply:1}", { message: notJson, status: 200, body: "{reply:1}" }],
    [
      "a number for a reply",
      () => ({ reply: 7 }),
      { message: '"reply" must be a string, not a number', status: 200, body: '{"reply":7}' },
    ],
    [
      "a list",
      () => [],
      { message: "agent answered with JSON that is not an object", status: 200, body: "[]" },
    ],
    [
      "neither",
      () => ({ reply: null }),
      {
        message: 'agent answered with neither "reply" nor "tool_calls"',
        status: 200,
        body: '{"reply":null}',
      },
    ],
  ])("%s", async (_, answer, reason) => {
    const agent = await LiveAgent.start(answer);
    const trial = await hello(agent.url);
    expect(trial).toMatchObject({ verdict: "failed", endedBy: "agent_error", steps: 1 });
    expect(trial.why).toEqual([{ kind: "runtime", ...reason, entry: 1 }]);
    expect(agent.log).toHaveLength(1);
    await agent.close();
  });

  test("10 MB are not read to their end", async () => {
    let sent = 0;
    const agent = await LiveAgent.start(async (_, response) => {
      response.writeHead(200);
      const piece = "x".repeat(100_000);
      for (; sent < 10_000_000 && !response.destroyed; sent += piece.length) {
        if (!response.write(piece))
          await Promise.race([new Promise((resolve) => response.once("drain", resolve)), sleep(200)]);
      }
      response.end();
    });
    const trial = await hello(agent.url);
    expect(trial.why).toEqual([
      { kind: "runtime", message: "agent answered with more than 1048576 bytes", status: 200, entry: 1 },
    ]);
    await agent.close();
    expect(sent).toBeLessThan(10_000_000);
  });
});

describe("redirects", () => {
  test.each<[string, string, number, string]>([
    ["to itself", "/step", 4, "redirects more than 3 times"],
    ["to another host over http", "http://example.com/step", 1, "which is not an https address"],
    ["into a private network", "https://10.0.0.1/step", 1, "which is a private or reserved address"],
    ["to nowhere", "http://[", 1, "which is not an absolute URL"],
  ])("307 %s fails the trial", async (_, location, posts, message) => {
    const agent = await LiveAgent.start(status(307, "", { location }));
    const trial = await hello(agent.url);
    expect(trial).toMatchObject({ verdict: "failed", endedBy: "agent_error", steps: 1 });
    expect(trial.why[0]?.message).toContain(message);
    expect(agent.log).toHaveLength(posts);
    await agent.close();
  });

  test("307 to another path is followed, the step and its headers going along", async () => {
    const agent = await LiveAgent.start((step, response, request) => {
      if (request.url === "/step") status(307, "", { location: "/moved" })(step, response, request);
      else return deskAnswer(step);
    });
    const trial = await hello(agent.url, {
      agent: { kind: "http", url: agent.url, headers: { authorization: "Bearer key" } },
    });
    expect(trial).toMatchObject({ verdict: "passed", steps: 2 });
    expect(agent.log.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill("Bearer key"));
    await agent.close();
  });
});

describe("headers of an agent", () => {
  test.each<[Record<string, string>, string]>([
    [{ "bad name": "x" }, 'The agent\'s header "bad name" is not a header name.'],
    [{ "": "x" }, 'The agent\'s header "" is not a header name.'],
    [
      { "x-key": "secret\r\nx: y" },
      'The agent\'s header "x-key" has a value with a line break or a NUL in it.',
    ],
    [{ Upgrade: "websocket" }, 'The agent\'s header "Upgrade" is set by the connection and cannot be given.'],
    [{ host: "evil.example" }, 'The agent\'s header "host" is set by the connection and cannot be given.'],
  ])("%o are refused before anything begins", async (headers, message) => {
    const response = await engine.api("/api/rehearsals", {
      body: {
        domain: { files: deskFiles },
        agent: { kind: "http", url: "http://127.0.0.1:9/step", headers },
      },
    });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toBe(message);
  });

  test("leave the content type the protocol's, and keep text of any language", async () => {
    const agent = await LiveAgent.start(deskAnswer);
    const headers = { "Content-Type": "text/plain", "x-name": "é" };
    await hello(agent.url, { agent: { kind: "http", url: agent.url, headers } });
    expect(agent.log[0]?.headers["content-type"]).toBe("application/json");
    expect(Buffer.from(String(agent.log[0]?.headers["x-name"]), "latin1").toString("utf8")).toBe("é");
    await agent.close();
  });
});

describe("where an agent listens", () => {
  test.each([
    ["IPv6 loopback", "::1"],
    ["localhost", "localhost"],
  ])("%s", async (_, host) => {
    const agent = await LiveAgent.start(deskAnswer, { host });
    expect(await hello(agent.url)).toMatchObject({ verdict: "passed", steps: 2 });
    await agent.close();
  });

  test.each(["http://127.0.0.1:9/step", "http://localhost:9/step", "http://[::1]:9/step"])(
    "nobody at %s",
    async (url) => {
      const trial = await hello(url);
      expect(trial).toMatchObject({ verdict: "failed", endedBy: "agent_error", steps: 1 });
      expect(trial.why[0]?.message).toContain(`${url} could not be reached`);
    },
  );

  test("a host that does not exist is said to, the same words each time", async () => {
    const url = "http://nobody.localhost:9/step";
    const messages = [await hello(url), await hello(url)].map((trial) => trial.why[0]?.message);
    expect(messages).toEqual(Array(2).fill(`${url} could not be reached; does its host exist?`));
  });
});

describe.concurrent("time", () => {
  test("an agent that drips its answer byte by byte is waited for", async () => {
    const agent = await LiveAgent.start(async (_, response) => {
      response.writeHead(200);
      for (const byte of Buffer.from(reply)) {
        response.write(Buffer.from([byte]));
        await sleep(4);
      }
      response.end();
    });
    expect(await hello(agent.url)).toMatchObject({ verdict: "passed", steps: 2 });
    await agent.close();
  });

  test("an agent that answers before it has read the request is heard", async () => {
    const agent = await rawAgent(`${ok}content-length: 17\r\nconnection: close\r\n\r\n${reply}`);
    const large = {
      ...deskFiles,
      "policy.md": `Verify the carrier before you book.\n${"x".repeat(2_000_000)}`,
    };
    const trial = await hello(agent.url, { domain: { files: large } });
    // Whether the rest of the request could still be sent decides; a second request never does.
    expect(["passed", "failed"]).toContain(trial.verdict);
    expect(agent.posts()).toBe(trial.steps);
    agent.server.close();
  });

  test("a session that hangs for five seconds holds nobody but itself", async () => {
    const agent = await LiveAgent.start(async (step) => {
      if (step.session_id.endsWith("count#2") && step.tool_results?.[0]?.id === "v-L-1") await sleep(5_000);
      return deskAnswer(step);
    });
    const started = Date.now();
    const runId = await engine.begin({
      domain: { files: deskFiles },
      tasks: ["count"],
      trials: 12,
      agent: { kind: "http", url: agent.url },
    });
    const results = await engine.ended(runId);
    expect(results.summary.trials.passed).toBe(12);
    const times = results.trials.map((trial) => [trial.trial, Date.parse(trial.endedAt) - started] as const);
    for (const [trial, ms] of times) {
      if (trial === 2) expect(ms).toBeGreaterThanOrEqual(5_000);
      else expect(ms).toBeLessThan(5_000);
    }
    expect(results.trials[2]?.agentMs).toBeGreaterThanOrEqual(5_000);
    await agent.close();
  });

  test("a limit on a step ends the trial and says that it was set", async () => {
    const agent = await LiveAgent.start(() => sleep(3_000).then(() => ({ reply: "late" })));
    const trial = await hello(agent.url, { stepTimeoutMs: 150 });
    expect(trial.why[0]?.message).toBe(
      `${agent.url} did not answer within 150 ms (a limit set for this run)`,
    );
    expect(trial.steps).toBe(1);
    await agent.close();
  });

  // Whoever sends at the very moment the other side hangs up loses the request, and nobody can tell whether it arrived.
  // The pauses here are far from that moment: a connection that is gone must be seen to be gone.
  test("a connection that the agent closed while it was idle is not used again", async () => {
    const agent = await LiveAgent.start(deskAnswer, { keepAliveTimeout: 1_500 });
    let connections = 0;
    agent.server.on("connection", () => {
      connections += 1;
    });
    for (let round = 0; round < 3; round += 1) {
      expect(await hello(agent.url)).toMatchObject({ verdict: "passed", steps: 2 });
      if (round < 2) await sleep(2_500);
    }
    expect(agent.repeated()).toEqual([]);
    expect(connections).toBeGreaterThanOrEqual(3);
    await agent.close();
  });
});
