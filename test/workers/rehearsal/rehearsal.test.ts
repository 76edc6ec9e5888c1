import { evictAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Results } from "../../../src/sandtable/report/results.ts";
import { agent, agentAnswers, api, events, files, goodAnswer, start } from "./desk.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

async function results(runId: string): Promise<Results> {
  return (await api(`/api/rehearsals/${runId}/results`)).json();
}

describe("a rehearsal", () => {
  it("plays every trial of every task and tells it as events", async () => {
    const sent = agentAnswers(goodAnswer);
    const runId = await start({ trials: 2 });
    expect(runId).toMatch(/^\d{8}T\d{6}-[0-9a-z]{4}$/);
    const told = await events(runId);
    expect(told[0]).toEqual({ type: "started", runId, planned: 4 });
    expect(told.at(-1)).toEqual({ type: "ended", status: "finished" });
    const trials = told.filter((event) => event.type === "trial");
    expect(trials.map(({ taskId, trial, verdict }) => `${taskId}#${trial} ${verdict}`).sort()).toEqual([
      "book#0 passed",
      "book#1 passed",
      "taken#0 passed",
      "taken#1 passed",
    ]);
    expect(trials.at(-1)).toMatchObject({ finished: 4, planned: 4 });
    expect(new Set(sent.map(({ body }) => body.session_id))).toEqual(
      new Set(["book#0", "book#1", "taken#0", "taken#1"].map((trial) => `${runId}/${trial}`)),
    );
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer of-the-agent");
  });

  it("gives results.json, in plan order and without the agent's headers", async () => {
    agentAnswers(goodAnswer);
    const runId = await start({ trials: 2, failUnder: ["0.5"] });
    await events(runId);
    const text = await (await api(`/api/rehearsals/${runId}/results`)).text();
    expect(text).not.toContain("of-the-agent");
    const found = JSON.parse(text) as Results;
    expect(found).toMatchObject({
      format: "greenroom.results",
      version: 1,
      runId,
      status: "finished",
      domain: { name: "desk" },
      agent: { kind: "http", name: "http://127.0.0.1:9/step" },
      summary: { passHatK: [1, 1], trials: { planned: 4, passed: 4, failed: 0, errored: 0, cancelled: 0 } },
      gates: [
        { name: "--fail-under 0.5", held: true, actual: 1, required: 0.5 },
        { name: "critical book", held: true, actual: 1, required: 1 },
      ],
    });
    expect(found.trials.map(({ taskId, trial }) => `${taskId}#${trial}`)).toEqual([
      "book#0",
      "book#1",
      "taken#0",
      "taken#1",
    ]);
    const report = await (await api(`/api/rehearsals/${runId}/report`)).text();
    expect(report).toContain("<!doctype html>");
  });

  it("is byte-identical for the same domain, seed and answers, apart from times and ids", async () => {
    const texts: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      agentAnswers(goodAnswer);
      const runId = await start({ trials: 3, concurrency: 3 });
      await events(runId);
      const text = await (await api(`/api/rehearsals/${runId}/results`)).text();
      texts.push(
        text
          .replaceAll(runId, "RUN")
          .replace(/"(startedAt|endedAt)":"[^"]*"/g, '"$1":"T"')
          .replace(/"agentMs":\d+/g, '"agentMs":0'),
      );
    }
    expect(texts[0]).toBe(texts[1]);
  });

  it("keeps to its concurrency", async () => {
    let under = 0;
    let most = 0;
    agentAnswers(async (request) => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setTimeout(resolve, 5));
      under -= 1;
      return goodAnswer(request);
    });
    await events(await start({ trials: 5, concurrency: 3 }));
    expect(most).toBe(3);
  });

  it("fails a trial for what its agent answers, with status and body, and lets the others be", async () => {
    agentAnswers((request) =>
      request.session_id.endsWith("/book#0")
        ? new Response("no model", { status: 503 })
        : goodAnswer(request),
    );
    const runId = await start();
    await events(runId);
    const found = await results(runId);
    expect(found.trials[0]).toMatchObject({ verdict: "failed", endedBy: "agent_error" });
    expect(found.trials[0]?.why[0]).toMatchObject({
      kind: "runtime",
      message: "agent answered HTTP 503",
      status: 503,
      body: "no model",
    });
    expect(found.trials[1]?.verdict).toBe("passed");
    expect(found.gates).toEqual([{ name: "critical book", held: false, actual: 0, required: 1 }]);
  });

  it("ends early once five trials have ended without a step that could be used", async () => {
    const sent = agentAnswers(() => new Response("no such page", { status: 404 }));
    const runId = await start({ trials: 10, concurrency: 1 });
    expect((await events(runId)).at(-1)).toEqual({ type: "ended", status: "cancelled" });
    const { summary, status, trials } = await results(runId);
    expect(status).toBe("cancelled");
    expect(summary.agentNeverAnswered).toBe(true);
    expect(summary.trials).toMatchObject({ planned: 20, passed: 0, failed: 5, errored: 0 });
    expect(sent.length).toBeLessThan(8);
    expect(trials[0]?.why[0]).toMatchObject({ message: "agent answered HTTP 404", body: "no such page" });
  });

  it("goes on for an agent that fails most trials at once but answers in one", async () => {
    agentAnswers((request) =>
      request.session_id.endsWith("/book#2") ? goodAnswer(request) : new Response("", { status: 503 }),
    );
    const runId = await start({ trials: 10, concurrency: 1 });
    await events(runId);
    expect(await results(runId)).toMatchObject({
      status: "finished",
      summary: { trials: { planned: 20, passed: 1, failed: 19, cancelled: 0 } },
    });
  });

  it("replays its events from a number", async () => {
    agentAnswers(goodAnswer);
    const runId = await start();
    expect(await events(runId)).toHaveLength(4);
    expect(await events(runId, 3)).toEqual([{ type: "ended", status: "finished" }]);
  });

  it("is cancelled: what finished stays, the step under way is given up, no trial begins", async () => {
    const sent = agentAnswers((request, _, signal) =>
      request.session_id.endsWith("#1") ? untilGivenUp(signal) : goodAnswer(request),
    );
    const runId = await start({ trials: 3, concurrency: 1, tasks: ["book"] });
    await vi.waitFor(() => expect(sent.some(({ body }) => body.session_id.endsWith("#1"))).toBe(true));
    const cancelled = await api(`/api/rehearsals/${runId}/cancel`, { method: "POST" });
    expect(cancelled.status).toBe(202);
    expect((await events(runId)).at(-1)).toEqual({ type: "ended", status: "cancelled" });
    const found = await results(runId);
    expect(found.status).toBe("cancelled");
    expect(found.trials.map(({ verdict }) => verdict)).toEqual(["passed", "cancelled"]);
    expect((await api(`/api/rehearsals/${runId}/cancel`, { method: "POST" })).status).toBe(202);
  });

  it("forgets the trials' objects and the agent's headers once it has ended", async () => {
    agentAnswers(goodAnswer);
    const runId = await start();
    await events(runId);
    const { runInDurableObject } = await import("cloudflare:test");
    const { rehearsalObject } = await import("../../../src/store/objects.ts");
    const { results: rows } = await env.DB.prepare("SELECT owner FROM rehearsals WHERE run_id = ?")
      .bind(runId)
      .all<{ owner: string }>();
    const object = rehearsalObject(env, rows[0]?.owner ?? "", runId);
    await runInDurableObject(object, (_, state) => {
      const stored = JSON.stringify(state.storage.sql.exec("SELECT body FROM spec").toArray());
      expect(stored).not.toContain("of-the-agent");
      expect(state.storage.sql.exec("SELECT DISTINCT status FROM trials").toArray()).toEqual([
        { status: "forgotten" },
      ]);
    });
  });

  it("goes on after its objects were evicted", async () => {
    const sent = agentAnswers(goodAnswer);
    const runId = await start({ trials: 20, concurrency: 2 });
    for (let i = 0; i < 5; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      await evictAllDurableObjects();
    }
    await events(runId);
    const found = await results(runId);
    expect(found.summary.trials).toEqual({ planned: 40, passed: 40, failed: 0, errored: 0, cancelled: 0 });
    // No step twice: a session asks for each message and each result once.
    const steps = sent.map(({ body }) => JSON.stringify([body.session_id, body.message, body.tool_results]));
    expect(new Set(steps).size).toBe(steps.length);
  }, 60_000);
});

/** An agent that never answers: the promise ends with the request. */
function untilGivenUp(signal: AbortSignal | null): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
}

describe("starting", () => {
  it.each([
    ["an unknown task", { tasks: ["bok"] }, /bok/],
    ["an unknown tag", { tags: ["boking"] }, /boking/],
    ["a bad gate", { failUnder: ["1.5"] }, /--fail-under 1\.5/],
    [
      "an unknown builtin agent",
      { agent: { kind: "builtin", name: "carefull" } },
      /no builtin agent "carefull"/,
    ],
    [
      "an address that is not http",
      { agent: { ...agent, url: "ftp://example.com" } },
      /is not an https address/,
    ],
    ["a private address", { agent: { ...agent, url: "https://10.0.0.1/step" } }, /private or reserved/],
    ["an unknown key", { trails: 3 }, /trails/],
    ["no trial", { trials: 0 }, /trials/],
    ["an unknown domain", { domain: { name: "freigt" } }, /freigt/],
  ])("refuses %s", async (_, body, message) => {
    agentAnswers(goodAnswer);
    const response = await api("/api/rehearsals", { body: { domain: { files }, agent, ...body } });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    const { error } = (await response.json()) as { error: { message: string; requestId: string } };
    expect(error.message).toMatch(message);
    expect(error.requestId).not.toBe("");
  });

  it("names every mistake in a domain", async () => {
    const broken = {
      ...files,
      "rules.yaml": files["rules.yaml"]
        .replace("verify_carrier", "verify_carier")
        .replace("on: book_load", "on: bok_load"),
    };
    const response = await api("/api/rehearsals", { body: { domain: { files: broken }, agent } });
    expect(response.status).toBe(422);
    const { error } = (await response.json()) as {
      error: { problems: { file: string; line: number; suggestion: string }[] };
    };
    expect(error.problems.map(({ file, line, suggestion }) => ({ file, line, suggestion }))).toEqual([
      { file: "rules.yaml", line: 3, suggestion: "book_load" },
      { file: "rules.yaml", line: 4, suggestion: "verify_carrier" },
    ]);
  });

  it("says before anything runs that a caller's model is not configured", async () => {
    const sent = agentAnswers(goodAnswer);
    const tasks =
      "talk:\n  caller: { goal: Book L-1., knows: { MC number: '100101' } }\n  expect: { called: [book_load] }\n";
    const response = await api("/api/rehearsals", {
      body: { domain: { files: { ...files, "tasks.yaml": tasks } }, agent },
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("OPENAI_API_KEY");
    expect(sent).toEqual([]);
  });
});

describe("who sees a rehearsal", () => {
  it("is its owner alone", async () => {
    agentAnswers(goodAnswer);
    const runId = await start();
    await events(runId);
    for (const path of ["", "/events", "/results", "/report"]) {
      const response = await api(`/api/rehearsals/${runId}${path}`, { token: "another" });
      expect(response.status).toBe(404);
    }
    const { items } = (await (await api("/api/rehearsals", { token: "another" })).json()) as {
      items: unknown[];
    };
    expect(items).toEqual([]);
  });

  it("pages through the list, newest first", async () => {
    agentAnswers(goodAnswer);
    const token = "pager";
    const started: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      const response = await api("/api/rehearsals", {
        body: { domain: { files }, agent, tasks: ["book"] },
        token,
      });
      const { runId } = (await response.json()) as { runId: string };
      started.push(runId);
      await (await api(`/api/rehearsals/${runId}/events`, { token })).text();
    }
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const path: string = `/api/rehearsals?limit=2${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = (await (await api(path, { token })).json()) as {
        items: { runId: string }[];
        nextCursor: string | null;
      };
      seen.push(...page.items.map(({ runId }) => runId));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([...started].reverse());
  });
});
