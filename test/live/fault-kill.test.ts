import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "../../src/sandtable/random.ts";
import type { Results, TrialResult } from "../../src/sandtable/report/results.ts";
import { LiveAgent } from "../support/live-agent.ts";
import { deskAnswer, deskFiles } from "../support/live-domain.ts";
import { LiveEngine, sleep, until } from "../support/live-engine.ts";

/** Another run of the same test kills at other moments: FAULT_SEED=8 npx vitest run --project live test/live/fault-kill.test.ts */
const seed = Number(process.env.FAULT_SEED ?? 7);
const cutShort = /^the runtime stopped while step \d+ was with the agent; it is not sent again$/;

let engine: LiveEngine;
let agent: LiveAgent;
const random = seededRandom(seed, "kill");

beforeAll(async () => {
  engine = await LiveEngine.start();
  agent = await LiveAgent.start(async (step) => {
    await sleep(random() * 20);
    return deskAnswer(step);
  });
});
afterAll(async () => {
  await agent.close();
  await engine.close();
});

function rehearsal(trials: number): Record<string, unknown> {
  return { domain: { files: deskFiles }, agent: { kind: "http", url: agent.url }, trials };
}

/** Trials with their reasons as text, to compare what stood before a kill with what stands after it. */
function byTrial(results: Results): Map<string, string> {
  return new Map(
    results.trials.map((trial) => [`${trial.taskId}#${trial.trial}`, JSON.stringify(trial)] as const),
  );
}

/** What must hold of a rehearsal whose runtime was killed: each trial passed, or was cut inside a step and says so. */
function expectWhole(results: Results, planned: number): void {
  expect(results.trials).toHaveLength(planned);
  for (const trial of results.trials) expectPassedOrCut(trial);
  const { passed, failed, errored, cancelled } = results.summary.trials;
  expect({ failed, cancelled, sum: passed + errored }).toEqual({ failed: 0, cancelled: 0, sum: planned });
}

function expectPassedOrCut(trial: TrialResult): void {
  if (trial.verdict === "passed") return;
  expect(trial).toMatchObject({ verdict: "errored", endedBy: "killed" });
  expect(trial.why[0]?.message).toMatch(cutShort);
  // The step that was cut reached the agent, or nobody; the trial's own count has it either way.
  const seen = agent.log.filter(({ request }) => request.session_id === trial.sessionId).length;
  expect(trial.steps - seen).toBeGreaterThanOrEqual(0);
  expect(trial.steps - seen).toBeLessThanOrEqual(1);
}

// Some dozen restarts take as long as the machine takes for them.
describe("a runtime that is killed", { timeout: 240_000 }, () => {
  test("20 times loses no finished trial, sends no step twice and plays every trial to its end", async () => {
    const running = await Promise.all([1, 2].map(() => engine.begin(rehearsal(30))));
    let kills = 0;
    let finished = 0;
    while (kills < 20) {
      await sleep(random() * 120);
      await engine.killAndWait();
      kills += 1;
      finished = 0;
      for (const [index, runId] of running.entries()) {
        const before = byTrial(await engine.results(runId));
        const { status, finished: done } = await engine.status(runId);
        finished += done;
        const after = byTrial(await engine.results(runId));
        for (const [trial, text] of before) expect(after.get(trial)).toBe(text);
        // A kill that hits nothing shows nothing.
        if (status === "finished") running[index] = await engine.begin(rehearsal(30));
      }
    }
    expect(finished).toBeGreaterThan(0);
    for (const runId of running) {
      const results = await engine.ended(runId);
      expect(results.status).toBe("finished");
      expectWhole(results, 60);
      const events = await engine.events(runId);
      expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
      const told = events.flatMap(({ event }) =>
        event.type === "trial" ? [`${event.taskId}#${event.trial} ${event.verdict}`] : [],
      );
      expect(told.sort()).toEqual(
        results.trials.map((trial) => `${trial.taskId}#${trial.trial} ${trial.verdict}`).sort(),
      );
    }
    expect(agent.repeated()).toEqual([]);
  });

  test("while a rehearsal is being started leaves all of it or nothing", async () => {
    const known = new Set<string>();
    for (let round = 0; round < 5; round += 1) {
      const starting = [1, 2, 3].map(() => engine.begin(rehearsal(2)).catch(() => null));
      await sleep(random() * 60);
      await engine.killAndWait();
      for (const runId of await Promise.all(starting)) if (runId !== null) known.add(runId);
      const listed = await list();
      // What a client was told has begun is there.
      for (const runId of known) expect(listed).toContain(runId);
      for (const runId of listed) known.add(runId);
    }
    for (const runId of known) {
      const results = await engine.ended(runId);
      expect(results.status).toBe("finished");
      expectWhole(results, results.options.trials * 2);
    }
    expect(agent.repeated()).toEqual([]);
  });

  test("while a rehearsal is being cancelled ends it as cancelled, every trial that began with it", async () => {
    for (let round = 0; round < 3; round += 1) {
      const runId = await engine.begin(rehearsal(40));
      const before = agent.log.length;
      await until(() => agent.log.length > before + 10, 5_000);
      const cancelling = engine.api(`/api/rehearsals/${runId}/cancel`, { method: "POST" }).catch(() => null);
      await sleep(random() * 15);
      await engine.killAndWait();
      const taken = (await cancelling)?.status === 202;
      if (!taken) await engine.api(`/api/rehearsals/${runId}/cancel`, { method: "POST" });
      const results = await engine.ended(runId);
      expect(results.status).toBe("cancelled");
      const begun = new Set(
        agent.log.flatMap(({ request }) =>
          request.session_id.startsWith(runId) ? [request.session_id] : [],
        ),
      );
      const ended = new Set(results.trials.map((trial) => trial.sessionId));
      expect([...begun].filter((session) => !ended.has(session))).toEqual([]);
      for (const trial of results.trials) if (trial.verdict !== "cancelled") expectPassedOrCut(trial);
      const { planned, finished } = await engine.status(runId);
      expect({ planned, finished }).toEqual({ planned: 80, finished: results.trials.length });
    }
    expect(agent.repeated()).toEqual([]);
  });

  test("while worlds are planted leaves every trial with its whole world", async () => {
    const rows = Array.from({ length: 12_000 }, (_, n) =>
      JSON.stringify({
        load_id: `L-${n + 1}`,
        status: "available",
        rate: null,
        notes: [],
        at: "x".repeat(60),
      }),
    );
    const files = {
      ...deskFiles,
      "world.yaml": `
loads: { key: load_id, noun: Load, rows_from: loads.jsonl }
carriers: { key: mc_number, rows: { "100101": { insurance: active } } }
`,
      "world/loads.jsonl": `${rows.join("\n")}\n`,
      "tasks.yaml": `
last:
  caller: { opens: "MC 100101, book L-12000.", replies: [{ when: { said: is booked }, then: hang_up }], fallback: "Sorry?", patience: 1 }
  given: { loads: { L-1: { status: gone } } }
  expect:
    called: [{ tool: book_load, ok: true, times: 1 }]
    state: { loads: { L-1: { status: gone }, L-11999: { status: available }, L-12000: { status: booked } } }
`,
    };
    const lastLoad = await LiveAgent.start((step) => {
      const [result] = step.tool_results ?? [];
      const call = (id: string, name: string, args: object) => ({
        tool_calls: [{ id, name, arguments: args }],
      });
      if (step.message?.startsWith("MC")) return call("v", "verify_carrier", { mc_number: "100101" });
      if (result?.id === "v")
        return call("b", "book_load", { load_id: "L-12000", mc_number: "100101", rate: 900 });
      return { reply: result?.ok ? "L-12000 is booked." : "Sorry." };
    });
    try {
      const runId = await engine.begin({
        domain: { files },
        agent: { kind: "http", url: lastLoad.url },
        trials: 16,
      });
      for (let kill = 0; kill < 3; kill += 1) {
        await sleep(random() * 250);
        await engine.killAndWait();
        await engine.status(runId);
      }
      const results = await engine.ended(runId);
      expect(results.trials).toHaveLength(16);
      for (const trial of results.trials) {
        if (trial.verdict !== "passed") expect(trial.why[0]?.message).toMatch(cutShort);
        else
          expect(trial.stateChanges.map(({ path }) => path).sort()).toEqual([
            "/loads/L-12000/rate",
            "/loads/L-12000/rate",
            "/loads/L-12000/status",
            "/loads/L-12000/status",
          ]);
      }
      expect(lastLoad.repeated()).toEqual([]);
    } finally {
      await lastLoad.close();
    }
  });

  test("with its engine goes on when an engine is started on the same folder, under the same credential", async () => {
    const runId = await engine.begin(rehearsal(10));
    const before = agent.log.length;
    await until(() => agent.log.length > before + 5, 5_000);
    const { token } = engine;
    await engine.stop();
    engine = await LiveEngine.start(engine.stateDir);
    expect(engine.token).toBe(token);
    const results = await engine.ended(runId);
    expectWhole(results, 20);
    expect(agent.repeated()).toEqual([]);
  });
});

async function list(): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const after: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await engine.api(`/api/rehearsals?limit=100${after}`);
    const page = (await response.json()) as { items: { runId: string }[]; nextCursor: string | null };
    ids.push(...page.items.map(({ runId }) => runId));
    cursor = page.nextCursor;
  }
  return ids;
}
