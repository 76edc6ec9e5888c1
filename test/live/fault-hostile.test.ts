import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { printResults } from "../../src/cli/print/print-results.ts";
import { createTerminal } from "../../src/cli/terminal/terminal.ts";
import { renderReport } from "../../src/sandtable/report/html.ts";
import { renderJunit } from "../../src/sandtable/report/junit.ts";
import { renderMarkdown } from "../../src/sandtable/report/markdown.ts";
import type { Results, TranscriptEntry } from "../../src/sandtable/report/results.ts";
import { LiveAgent } from "../support/live-agent.ts";
import { deskFiles } from "../support/live-domain.ts";
import { LiveEngine, type SeenEvent } from "../support/live-engine.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

/** Plays the short task against an agent that answers the caller's first line with `text` and everything else well. */
async function play(text: string): Promise<{ results: Results; events: SeenEvent[]; agent: LiveAgent }> {
  const agent = await LiveAgent.start(({ message }) =>
    message === "Hello there." ? text : { reply: "hello" },
  );
  const runId = await engine.begin({
    domain: { files: deskFiles },
    tasks: ["hello"],
    agent: { kind: "http", url: agent.url },
  });
  const events = await engine.events(runId);
  const results = await engine.results(runId);
  const served = await engine.api(`/api/rehearsals/${runId}/report`);
  expect(served.status).toBe(200);
  expectHarmlessPage(await served.text());
  expectHarmless(results);
  await agent.close();
  return { results, events, agent };
}

/** Everything a person or a tool is given of a rehearsal, whatever the agent said. */
function expectHarmless(results: Results): void {
  expectHarmlessPage(renderReport(results));
  expectXml(renderJunit(results));
  expectNoControls(renderMarkdown(results));
  let printed = "";
  printResults(results, createTerminal({ write: (text) => (printed += text) }, { NO_COLOR: "1" }));
  expectNoControls(printed);
}

function expectHarmlessPage(page: string): void {
  expect(page.match(/<script/gi)).toBeNull();
  expect(page.match(/<(iframe|object|embed|img|link)\b/gi)).toBeNull();
  expect(page.isWellFormed()).toBe(true);
  expectNoControls(page);
}

/** No terminal and no reader acts on a control character that is not there. */
function expectNoControls(text: string): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 && code !== 0x0a && code !== 0x09) || (code >= 0x7f && code < 0xa0))
      throw new Error(`control character ${code} at ${at}: ${JSON.stringify(text.slice(at - 40, at + 20))}`);
  }
}

/** Well-formed as far as text can make it otherwise: legal characters, every tag closed, every & an entity. */
function expectXml(text: string): void {
  expectNoControls(text);
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/[\ufffe\uffff]/);
  expect(text.replace(/&(amp|lt|gt|quot|apos|#\d+);/g, "")).not.toContain("&");
  const open: string[] = [];
  for (const [, close, name, , own] of text.matchAll(/<(\/?)([a-z]+)((?: [\w^.-]+="[^"<]*")*)(\/?)>/g)) {
    if (close === "/") expect(open.pop()).toBe(name);
    else if (own !== "/") open.push(name ?? "");
  }
  expect(open).toEqual([]);
  const rest = text.replace(/<\?xml [^>]*\?>/, "").replace(/<\/?[a-z]+(?: [\w^.-]+="[^"<]*")*\/?>/g, "");
  expect(rest).not.toMatch(/[<>]/);
}

const call = (args: string, name = "keep", id = "c1") =>
  `{"tool_calls":[{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"arguments":${args}}]}`;

function calls(results: Results): Extract<TranscriptEntry, { kind: "call" }>[] {
  return (results.trials[0]?.transcript ?? []).flatMap((entry) => (entry.kind === "call" ? [entry] : []));
}

describe("hostile text", () => {
  const words =
    "hello \u0000 \u0001 \u001b[2J\u001b]0;pwned\u0007 \u009b31m </script><script>alert(1)</script> ]]> <!-- & \" ' `x` | \u202e \ufffe \uffff \ud800 \udfff \r\n# [a](javascript:alert(1)) <img src=x onerror=alert(1)>";

  test("in a reply reaches results.json as it was said, and no reader as what it does", async () => {
    const { results } = await play(JSON.stringify({ reply: words }));
    expect(results.trials[0]?.verdict).toBe("passed");
    expect(results.trials[0]?.transcript[1]).toEqual({ kind: "agent", turn: 1, text: words, rules: [] });
  });

  test("in calls reaches results.json as it was said, and no reader as what it does", async () => {
    const args = { load_id: "L-1", note: words };
    const { results, agent } = await play(
      JSON.stringify({ tool_calls: [{ id: words, name: "add_note", arguments: args }] }),
    );
    expect(calls(results)[0]).toMatchObject({ id: words, args, ok: true });
    expect(results.trials[0]?.stateChanges).toEqual([
      { op: "add", path: "/loads/L-1/notes/0", value: words },
    ]);
    expect(agent.log[1]?.request.tool_results).toEqual([
      {
        id: words,
        ok: true,
        result: { load_id: "L-1", status: "available", rate: null, notes: [words] },
      },
    ]);
  });

  test("in the names of a tool, a load and an argument comes back as an error", async () => {
    for (const [text, error] of [
      [call("{}", words), `unknown tool "${words}"`],
      [call(JSON.stringify({ load_id: words, note: "" }), "add_note"), `Load ${words} not found`],
      [call(JSON.stringify({ [words]: 1 }), "add_note"), `unknown argument "${words}"`],
    ] as const) {
      const { results } = await play(text);
      expect(calls(results)[0]).toMatchObject({ ok: false, error, changes: [] });
    }
  });

  test("in an error page of the agent's", async () => {
    const { results } = await play(words);
    expect(results.trials[0]?.why[0]).toMatchObject({
      kind: "runtime",
      message: "agent answered with a body that is not JSON",
      body: words.toWellFormed(),
    });
  });

  test("of a mebibyte, plain, of emoji and of NULs", async () => {
    for (const text of ["x".repeat(1_048_000), "😀".repeat(260_000), "\u0000".repeat(170_000)]) {
      const { results } = await play(JSON.stringify({ reply: `hello ${text}` }));
      expect(results.trials[0]?.verdict).toBe("passed");
      const entry = results.trials[0]?.transcript[1];
      expect(entry?.kind === "agent" && entry.text === `hello ${text}`).toBe(true);
    }
  });
});

describe("hostile JSON", () => {
  test("with keys that objects have by themselves is data", async () => {
    const what = '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}},"toString":1}';
    const { results, agent } = await play(call(`{"what":${what}}`));
    expect(calls(results)[0]).toMatchObject({ tool: "keep", ok: true });
    // As the bytes say: a copy that went through an assignment would have lost the first key.
    expect(JSON.stringify(agent.log[1]?.request.tool_results?.[0])).toBe(
      `{"id":"c1","ok":true,"result":{"kept":${what}}}`,
    );
    expect(await engine.resultsText(results.runId)).toContain(`"args":{"what":${what}}`);
    for (const name of ["__proto__", "constructor", "toString"]) {
      const tried = await play(call("{}", name));
      expect(calls(tried.results)[0]).toMatchObject({ ok: false, error: `unknown tool "${name}"` });
      const load = await play(call(`{"load_id":"${name}","note":"x"}`, "add_note"));
      expect(calls(load.results)[0]).toMatchObject({ ok: false, error: `Load ${name} not found` });
    }
  });

  test.each([
    ["lists", `${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    ["objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
    ["more than a stack holds", `${"[".repeat(150_000)}${"]".repeat(150_000)}`],
    ["just too deep", `${"[".repeat(97)}${"]".repeat(97)}`],
  ])("nested without end in %s is the agent's failure", async (_, deep) => {
    const { results } = await play(call(`{"what":{},"list":${deep}}`));
    expect(results.trials[0]).toMatchObject({ verdict: "failed", endedBy: "agent_error", steps: 1 });
    expect(results.trials[0]?.why[0]?.message).toBe(
      "agent answered with JSON nested more than 100 levels deep",
    );
  });

  test("nested as deep as is allowed is walked by every reader", async () => {
    const { results } = await play(call(`{"what":{},"list":${"[".repeat(96)}${"]".repeat(96)}}`));
    expect(results.trials[0]?.verdict).toBe("passed");
  });

  test("with numbers beyond all numbers", async () => {
    const { results } = await play(call('{"load_id":"L-1","mc_number":"100101","rate":1e999}', "book_load"));
    expect(calls(results)[0]).toMatchObject({ ok: false, changes: [] });
    expect(calls(results)[0]?.error).toBe('argument "rate" is too large a number');
    expect(results.trials[0]?.stateChanges).toEqual([]);
    const inside = (await play(call('{"what":{"a":[1e999]}}'))).results;
    expect(calls(inside)[0]).toMatchObject({
      ok: false,
      error: 'argument "what.a[0]" is too large a number',
    });
  });

  test("with the same call id twice runs both, in order", async () => {
    const { agent } = await play(
      '{"tool_calls":[{"id":"1","name":"keep","arguments":{"what":{"a":1}}},{"id":"1","name":"keep","arguments":{"what":{"b":2}}}]}',
    );
    expect(agent.log[1]?.request.tool_results).toEqual([
      { id: "1", ok: true, result: { kept: { a: 1 } } },
      { id: "1", ok: true, result: { kept: { b: 2 } } },
    ]);
  });
});

describe("hostile amounts", { timeout: 120_000 }, () => {
  const bookings = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      id: `c${n}`,
      name: "book_load",
      arguments: { load_id: `L-${(n % 4) + 1}`, mc_number: "100101", rate: n },
    }));

  test("1,000 calls in one response run in order", async () => {
    const many = bookings(1_000);
    const { results, agent, events } = await play(JSON.stringify({ tool_calls: many }));
    expect(calls(results)).toHaveLength(1_000);
    expect(agent.log[1]?.request.tool_results?.map(({ id }) => id)).toEqual(many.map(({ id }) => id));
    expect(calls(results).filter(({ ok }) => ok)).toHaveLength(3);
    expect(results.trials[0]).toMatchObject({ verdict: "failed", endedBy: "caller_hung_up", steps: 3 });
    for (const { event } of events) expect(JSON.stringify(event).length).toBeLessThan(2_000);
  });

  test("more calls in one response are the agent's failure, and none of them runs", async () => {
    const { results, agent } = await play(JSON.stringify({ tool_calls: bookings(1_001) }));
    expect(calls(results)).toEqual([]);
    expect(agent.log).toHaveLength(1);
    expect(results.trials[0]).toMatchObject({ verdict: "failed", endedBy: "agent_error", steps: 1 });
    expect(results.trials[0]?.why[0]).toMatchObject({
      message: "agent answered with 1001 tool calls at once, more than 1000; none of them was run",
      status: 200,
    });
  });

  test("calls whose results grow without end are the agent's failure, not ours", async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => ({
      id: `c${n}`,
      name: "add_note",
      arguments: { load_id: "L-1", note: "x".repeat(30) },
    }));
    const { results } = await play(JSON.stringify({ tool_calls: many }));
    expect(results.trials[0]).toMatchObject({ verdict: "failed", endedBy: "agent_error", steps: 1 });
    expect(results.trials[0]?.why[0]?.message).toBe(
      "the agent's replies and calls, with their results, came to more than 8000000 characters",
    );
    expect(calls(results).length).toBeGreaterThan(500);
    expect(calls(results).length).toBeLessThan(1_000);
  });

  test("an argument of a mebibyte is evidence, and shown short where it would be in the way", async () => {
    const mc_number = "1".repeat(1_000_000);
    const { results, events } = await play(
      call(JSON.stringify({ load_id: "L-1", mc_number, rate: 1 }), "book_load"),
    );
    expect(results.trials[0]?.why[0]).toMatchObject({ kind: "rule", rule: "verified-first" });
    expect(calls(results)[0]?.args.mc_number).toBe(mc_number);
    for (const { event } of events) expect(JSON.stringify(event).length).toBeLessThan(2_000);
  });
});
