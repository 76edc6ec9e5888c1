import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { seededRandom } from "../../src/sandtable/random.ts";
import type { RunDetail, RunEvent } from "../../src/workflows/runtime/types.ts";
import { LiveEngine, sleep, until } from "../support/live-engine.ts";

/** More kills, at other moments: FAULT_KILLS=40 FAULT_SEED=8 npx vitest run --project live test/live/workflow-kill.test.ts */
const seed = Number(process.env.FAULT_SEED ?? 7);
const kills = Number(process.env.FAULT_KILLS ?? 6);
vi.setConfig({ testTimeout: 120_000 + kills * 8_000 });
const random = seededRandom(seed, "workflows");

let engine: LiveEngine;

beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(async () => {
  await engine.close();
});

interface Listed {
  runId: string;
  status: string;
}

/** The reply's body; throws what the runtime's death throws. */
async function read<Body>(route: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const response = await engine.api(route, body === undefined ? {} : { body });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? null : JSON.parse(text)) as Body };
}

async function play(...actions: unknown[]): Promise<string> {
  const { status, body } = await read<{ runId: string }>("/api/workflows/playground/start", { actions });
  expect(status).toBe(200);
  return body.runId;
}

async function detail(runId: string): Promise<RunDetail> {
  const { status, body } = await read<RunDetail>(`/api/runs/${runId}`);
  expect(status).toBe(200);
  return body;
}

/** How it stands as the list has it: asking that wakes no run. */
async function listed(runId: string): Promise<string | undefined> {
  for (let cursor = ""; ; ) {
    const page = await read<{ items: Listed[]; nextCursor: string | null }>(
      `/api/runs?kind=workflow&limit=100${cursor}`,
    );
    const found = page.body.items.find((one) => one.runId === runId);
    if (found !== undefined || page.body.nextCursor === null) return found?.status;
    cursor = `&cursor=${encodeURIComponent(page.body.nextCursor)}`;
  }
}

/** The run once it has ended, and nobody asked it to. */
async function ended(runId: string, ms = 30_000): Promise<RunDetail> {
  await until(async () => {
    await sleep(100);
    const status = await listed(runId);
    return status !== "running" && status !== "waiting";
  }, ms);
  return detail(runId);
}

async function reached(runId: string, check: (run: RunDetail) => boolean): Promise<void> {
  await until(async () => check(await detail(runId)), 10_000);
}

async function events(runId: string): Promise<RunEvent[]> {
  const response = await engine.api(`/api/runs/${runId}/events`);
  expect(response.status).toBe(200);
  return (await response.text())
    .split("\n\n")
    .flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? [])
    .map((data) => JSON.parse(data) as RunEvent);
}

/** How often each step of the playground really ran, by the step's id. */
async function ran(runId: string): Promise<{ [step: string]: number }> {
  const counts: { [step: string]: number } = {};
  for (const event of await events(runId)) {
    if (event.type !== "progress") continue;
    const data = event.data as { ran?: string };
    if (data.ran !== undefined) counts[event.step] = (counts[event.step] ?? 0) + 1;
  }
  return counts;
}

async function decide(token: string, body: unknown): Promise<number> {
  const { status } = await read(`/api/workflows/hooks/${token}/resume`, body);
  return status;
}

describe("a run whose runtime is killed", () => {
  test("while it sleeps goes on when the sleep is over", async () => {
    const id = await play({ do: "step", name: "a" }, { do: "sleep", ms: 4_000 }, { do: "step", name: "b" });
    await reached(id, ({ waits }) => waits.length === 1);
    await engine.killAndWait();
    const { status, waits, steps } = await ended(id);
    expect(status).toBe("done");
    const late = Date.parse(waits[0]?.settledAt ?? "") - Date.parse(waits[0]?.until ?? "");
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(1_500);
    expect(steps.map(({ attempts }) => attempts)).toEqual([1, 1]);
    expect(await ran(id)).toEqual({ work: 1, "work-2": 1 });
  });

  test("while the end of a sleep passes goes on at once", async () => {
    const id = await play({ do: "sleep", ms: 300 }, { do: "step", name: "b" });
    await reached(id, ({ waits }) => waits.length === 1);
    await engine.killAndWait();
    const { status } = await ended(id);
    expect(status).toBe("done");
    expect(await ran(id)).toEqual({ work: 1 });
  });

  test("while it waits for a person takes the decision, and its deadline fires without one", async () => {
    const [decided, silent] = [crypto.randomUUID(), crypto.randomUUID()];
    const first = await play(
      { do: "step", name: "a" },
      { do: "approval", token: decided, timeoutMs: 60_000 },
      { do: "step", name: "b" },
    );
    const second = await play(
      { do: "approval", token: silent, timeoutMs: 3_000, fallback: "approve" },
      { do: "step", name: "b" },
    );
    for (const id of [first, second]) await reached(id, ({ waits }) => waits.length === 1);
    await engine.killAndWait();
    expect(await decide(decided, { status: "approved" })).toBe(200);
    const one = await ended(first);
    expect(one).toMatchObject({
      status: "done",
      output: { results: [{}, { status: "approved", timedOut: false }, {}] },
    });
    expect(await ran(first)).toEqual({ work: 1, "work-2": 1 });
    const other = await ended(second);
    expect(other.output).toMatchObject({ results: [{ status: "approved", timedOut: true }, {}] });
    const late = Date.parse(other.waits[0]?.settledAt ?? "") - Date.parse(other.waits[0]?.until ?? "");
    expect(late).toBeLessThan(1_500);
    expect(await decide(silent, { status: "rejected" })).toBe(410);
  });

  test("or is replaced by a new deployment is still listed as it was, in every place, and goes on", async () => {
    const token = crypto.randomUUID();
    const id = await play({ do: "approval", token, payload: { text: "y".repeat(300_000) } });
    await reached(id, ({ waits }) => waits.length === 1);
    await engine.stop();
    engine = await LiveEngine.start(engine.stateDir);
    expect(await listed(id)).toBe("running");
    const { body } = await read<{ items: { id: string; runId: string; status: string }[] }>(
      "/api/approvals?status=pending",
    );
    const [item] = body.items.filter(({ runId }) => runId === id);
    const { waits } = await detail(id);
    expect(waits).toMatchObject([{ kind: "approval", status: "open", token }]);
    const stream = await engine.api(`/api/runs/${id}/events`);
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let told = "";
    while (!told.includes("wait-start")) told += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    expect((await read(`/api/approvals/${item?.id}/approve`, {})).status).toBe(200);
    expect((await ended(id)).output).toEqual({ results: [{ status: "approved", timedOut: false }] });
    // The token is free: another run takes it.
    const next = await play({ do: "hook", token });
    await reached(next, (run) => run.waits.length === 1);
    expect(await decide(token, 1)).toBe(200);
    expect((await ended(next)).output).toEqual({ results: [1] });
  });

  test("inside of a step does that one again, and no other; one that must not be done twice is not", async () => {
    const again = await play(
      { do: "step", name: "a" },
      { do: "step", name: "b", ms: 2_500 },
      { do: "step", name: "c" },
    );
    const once = await play({ do: "step", name: "a" }, { do: "once", ms: 2_500 });
    for (const id of [again, once])
      await reached(id, ({ steps }) => steps.length === 2 && steps[1]?.status === "running");
    await sleep(200);
    await engine.killAndWait();
    const first = await ended(again);
    expect(first.status).toBe("done");
    expect(first.steps.map(({ attempts }) => attempts)).toEqual([1, 2, 1]);
    expect(await ran(again)).toEqual({ work: 1, "work-2": 2, "work-3": 1 });
    const second = await ended(once);
    expect(second.failure).toEqual({
      code: "step_interrupted",
      message: "The step was under way when the runtime stopped, and is not to be tried again.",
      step: "workOnce",
    });
    expect(await ran(once)).toEqual({ work: 1, workOnce: 1 });
  });

  test("between a decision and what follows from it keeps the decision and goes on", async () => {
    for (let round = 0; round < Math.min(kills, 40) / 3; round += 1) {
      const token = crypto.randomUUID();
      const id = await play({ do: "step", name: "a" }, { do: "hook", token }, { do: "step", name: "b" });
      await reached(id, ({ waits }) => waits.length === 1);
      expect(await decide(token, { round })).toBe(200);
      await sleep(round * 3);
      await engine.killAndWait();
      const { status, output, steps } = await ended(id);
      expect(status).toBe("done");
      expect(output).toMatchObject({ results: [{ name: "a" }, { round }, { name: "b" }] });
      expect((await ran(id)).work).toBe(1);
      // It may have died in the step that follows.
      const after = steps.find((step) => step.id === "work-2");
      expect((await ran(id))["work-2"]).toBeLessThanOrEqual(after?.attempts ?? 0);
      expect(await decide(token, { round })).toBe(200);
    }
  });

  test("between two attempts of a step tries it again in time, and a parent hears of its child's end", async () => {
    const id = await play({
      do: "start",
      workflow: "playground",
      input: { actions: [{ do: "step", name: "a", failures: 1, retryAfterMs: 2_500 }] },
    });
    await reached(id, ({ waits }) => waits.length === 1);
    await sleep(500);
    await engine.killAndWait();
    const { status, output } = await ended(id);
    expect(status).toBe("done");
    expect(output).toEqual({ results: [{ results: [{ name: "a", attempt: 2 }] }] });
  });
});

describe("many runs whose runtime is killed", () => {
  test(`${kills} times all reach their right end, and no step that has a result runs again`, async () => {
    const runs: { id: string; tokens: string[] }[] = [];
    const begin = async () => {
      const tokens = [crypto.randomUUID(), crypto.randomUUID()];
      const key = crypto.randomUUID();
      const actions = [
        { do: "step", name: "a", ms: 20 },
        { do: "sleep", ms: 200 + Math.floor(random() * 800) },
        { do: "approval", token: tokens[0], timeoutMs: 600_000 },
        {
          do: "all",
          of: [
            [
              { do: "step", name: "b", ms: 50 },
              { do: "sleep", ms: 100 },
              { do: "step", name: "c" },
            ],
            [
              { do: "step", name: "d", failures: 1, retryAfterMs: 150 },
              { do: "hook", token: tokens[1] },
            ],
            { do: "agent", message: "Hello" },
          ],
        },
        { do: "step", name: "e" },
      ];
      for (;;) {
        try {
          const response = await engine.api("/api/workflows/playground/start", {
            body: { actions },
            headers: { "idempotency-key": key },
          });
          const text = await response.text();
          if (response.ok) return runs.push({ id: (JSON.parse(text) as { runId: string }).runId, tokens });
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
        }
        await sleep(20);
      }
    };
    let over = false;
    const decided = new Map<string, number>();
    const deciding = (async () => {
      while (!over || decided.size < runs.length * 2) {
        for (const token of runs.flatMap(({ tokens }) => tokens)) {
          if (decided.has(token)) continue;
          try {
            const status = await decide(token, { status: "approved" });
            if (status === 200) decided.set(token, status);
            else if (status !== 404 && status < 500) throw new Error(`a decision was answered ${status}`);
          } catch (error) {
            if (!(error instanceof TypeError)) throw error;
          }
          await sleep(5);
        }
        await sleep(20);
      }
    })();
    for (let kill = 0; kill < kills; kill += 1) {
      if (kill % 2 === 0) await begin();
      await sleep(random() * 400);
      await engine.killAndWait();
    }
    over = true;
    await deciding;
    for (const { id } of runs) {
      const run = await ended(id, 60_000);
      expect(run.failure).toBeNull();
      expect(run.status).toBe("done");
      const counts = await ran(id);
      for (const step of run.steps.filter(({ name }) => name === "work")) {
        // Once for each attempt that got so far; every attempt but the last was cut, or failed as it was told to.
        expect(counts[step.id] ?? 0, `${id} ${step.id}`).toBeGreaterThanOrEqual(1);
        expect(counts[step.id] ?? 0, `${id} ${step.id}`).toBeLessThanOrEqual(step.attempts);
      }
      const told = await events(id);
      const endings = told
        .filter(({ type }) => type === "step-end")
        .map((one) => ("step" in one ? one.step : ""));
      expect(new Set(endings).size).toBe(endings.length);
      expect(told.filter(({ type }) => type === "end")).toHaveLength(1);
      expect(told.at(-1)?.type).toBe("end");
      expect(run.output).toEqual({
        results: [
          { name: "a", attempt: expect.any(Number) },
          { slept: expect.any(Number) },
          { status: "approved", timedOut: false },
          [
            [
              { name: "b", attempt: expect.any(Number) },
              { slept: 100 },
              { name: "c", attempt: expect.any(Number) },
            ],
            [{ name: "d", attempt: expect.any(Number) }, { status: "approved" }],
            { text: "You said: Hello" },
          ],
          { name: "e", attempt: expect.any(Number) },
        ],
      });
    }
  });
});
