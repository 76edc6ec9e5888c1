import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { hostAgent } from "../../../src/cli/agent/host-agent.ts";
import { parseAgent } from "../../../src/cli/agent/parse-agent.ts";
import { engineVars } from "../../../src/cli/engine/engine-vars.ts";
import { startBody } from "../../../src/cli/run/prepare-run.ts";
import { httpAgent } from "../../../src/sandtable/http-agent.ts";

const folder = mkdtempSync(path.join(tmpdir(), "greenroom-agent-"));
const here = new URL("../../../src/sandtable/http-agent.ts", import.meta.url).href;
function file(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return `./${name}`;
}

describe("httpAgent", () => {
  test("describes an agent as the protocol's own example does", () => {
    expect(
      httpAgent("https://agent.example.com/step", { headers: { authorization: "Bearer t" }, maxSteps: 16 }),
    ).toEqual({
      kind: "http",
      url: "https://agent.example.com/step",
      headers: { authorization: "Bearer t" },
      maxSteps: 16,
    });
    expect(httpAgent("http://localhost:1/step")).toEqual({
      kind: "http",
      url: "http://localhost:1/step",
      headers: {},
    });
  });

  test("refuses what cannot work, without repeating a secret", () => {
    expect(() => httpAgent("ftp://x")).toThrow('httpAgent: "ftp://x" is not an http or https address');
    expect(() => httpAgent("https://x", { maxSteps: 0 })).toThrow(
      "maxSteps must be a whole number of at least 1",
    );
    expect(() => httpAgent("https://x", { headers: { "bad name": "s3cret" } })).toThrow(
      'httpAgent: "bad name" is not a header a request can carry',
    );
    expect(() => httpAgent("https://x", { headers: { authorization: "s3cret\n" + "x: y" } })).toThrow(
      /^(?!.*s3cret)/,
    );
  });
});

describe("parseAgent", () => {
  test("a URL, a builtin, a module with httpAgent, a module with a function", async () => {
    expect(await parseAgent("http://localhost:8787/step", folder)).toEqual({
      kind: "http",
      url: "http://localhost:8787/step",
      headers: {},
    });
    expect(await parseAgent("builtin:careful", folder)).toEqual({ kind: "builtin", name: "careful" });
    const http = file(
      "http.ts",
      `import { httpAgent } from ${JSON.stringify(here)}; export default httpAgent("https://a.example/step", { headers: { "x-key": "v" }, maxSteps: 3 });`,
    );
    expect(await parseAgent(http, folder)).toEqual({
      kind: "http",
      url: "https://a.example/step",
      headers: { "x-key": "v" },
      maxSteps: 3,
      module: "http.ts",
    });
    const own = file("own.mjs", "export default async () => ({ reply: 'hi' });");
    expect(await parseAgent(own, folder)).toMatchObject({ kind: "function", module: "own.mjs" });
  });

  test.each([
    ["nope.mjs", undefined, "--agent nope.mjs: there is no such file; give a URL"],
    ["ftp://x/y", undefined, "--agent ftp://x/y: not an http or https address"],
    ["https://u:p@x/", undefined, "must not carry a user name or password"],
    ["./empty.mjs", "", "--agent empty.mjs has no default export; its default export must be"],
    ["./three.mjs", "export default 3", "--agent three.mjs exports no agent"],
    ["./throws.mjs", "throw new Error('no key set')", "--agent throws.mjs could not be loaded: no key set"],
    [
      "./bad.mjs",
      "export default { kind: 'http', url: 'x' }",
      '--agent bad.mjs: httpAgent: "x" is not an http',
    ],
  ])("refuses %s", async (agent, text, message) => {
    if (text !== undefined) file(agent.slice(2), text);
    await expect(parseAgent(agent, folder)).rejects.toThrow(message);
  });

  test("says where in the module it failed", async () => {
    file("deep.mjs", "\n\nthrow new Error('x')");
    const place = `${pathToFileURL(path.join(folder, "deep.mjs")).href}:3:7`;
    await expect(parseAgent("./deep.mjs", folder)).rejects.toMatchObject({
      details: [expect.stringContaining(place.slice("file://".length))],
    });
  });
});

describe("hostAgent", () => {
  test("answers POST at its secret path only, and turns a throw into a 500", async () => {
    const agent = await hostAgent((step) => {
      if (step.message === "boom") throw new Error("no idea");
      return step.message === "hi"
        ? { reply: "hello" }
        : { tool_calls: [{ id: "1", name: "t", arguments: {} }] };
    }, "s3");
    const post = async (message: string, url = agent.url) => {
      const response = await fetch(url, { method: "POST", body: JSON.stringify({ message }) });
      return [response.status, await response.json()];
    };
    expect(agent.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/s3\/step$/);
    expect(await post("hi")).toEqual([200, { reply: "hello" }]);
    expect(await post("do")).toEqual([200, { tool_calls: [{ id: "1", name: "t", arguments: {} }] }]);
    expect(await post("boom")).toEqual([500, { error: "no idea" }]);
    expect(await post("hi", agent.url.replace("s3", "s4"))).toEqual([404, { error: "not found" }]);
    expect((await fetch(agent.url)).status).toBe(404);
    await agent.close();
    await expect(fetch(agent.url)).rejects.toThrow();
  });
});

test("the request carries headers, the module's name as label, and whose maxSteps holds", () => {
  const flags = {
    trials: 2,
    concurrency: 3,
    tasks: ["a"],
    tag: [],
    seed: 7,
    failUnder: ["0.9"],
    floor: ["t=1"],
    stepTimeout: 1.5,
    json: false,
    state: "s",
  };
  const agent = {
    kind: "http" as const,
    url: "https://a/",
    headers: { k: "v" },
    maxSteps: 3,
    module: "m.mjs",
  };
  expect(startBody({ "policy.md": "x" }, agent, null, flags)).toEqual({
    domain: { files: { "policy.md": "x" } },
    agent: { kind: "http", url: "https://a/", headers: { k: "v" }, label: { kind: "module", name: "m.mjs" } },
    trials: 2,
    concurrency: 3,
    tasks: ["a"],
    tags: [],
    seed: 7,
    maxSteps: 3,
    stepTimeoutMs: 1_500,
    failUnder: ["0.9"],
    floors: ["t=1"],
  });
  expect(startBody({}, agent, null, { ...flags, maxSteps: 5 }).maxSteps).toBe(5);
  expect(startBody({}, { kind: "builtin", name: "careful" }, null, flags)).toMatchObject({
    agent: { kind: "builtin", name: "careful" },
    maxSteps: 16,
  });
});

test("the engine gets model variables and the agent's host, and nothing else of the environment", () => {
  const env = {
    PATH: "/bin",
    AWS_SECRET_ACCESS_KEY: "x",
    AGENT_HTTP_TOKEN: "mine",
    AGENT_PROVIDER: "openai",
    AGENT_MODEL: "m",
    OPENAI_API_KEY: "k",
    MODEL_PROVIDER_BASE_URL: "https://m",
    ANTHROPIC_API_KEY: "",
  };
  expect(engineVars(env, "http://10.0.0.5/step")).toEqual({
    AGENT_PROVIDER: "openai",
    AGENT_MODEL: "m",
    OPENAI_API_KEY: "k",
    MODEL_PROVIDER_BASE_URL: "https://m",
    AGENT_ALLOWED_HOSTS: "10.0.0.5:80",
  });
  expect(engineVars({ AGENT_ALLOWED_HOSTS: "b" }, "https://a.lan/step")).toEqual({
    AGENT_ALLOWED_HOSTS: "b,a.lan:443",
  });
  const workersAi = { CLOUDFLARE_ACCOUNT_ID: "a", CLOUDFLARE_API_TOKEN: "t" };
  expect(engineVars({ ...workersAi, CLOUDFLARE_EMAIL: "e" }, null)).toEqual(workersAi);
  expect(engineVars({}, null)).toEqual({});
});
