import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it } from "vitest";
import { cancelRun, listRuns, resumeHook, retryRun } from "../../../src/workflows/runtime/service.ts";
import { startRun } from "../../../src/workflows/runtime/start-run.ts";
import {
  begin,
  ended,
  events,
  leaveNothing,
  object,
  owner,
  play,
  ran,
  run,
  token,
  until,
  waiting,
} from "./client.ts";

afterAll(leaveNothing);

describe("steps", () => {
  it("run in order, and the feed tells of them from its first event to its last", async () => {
    const id = await play({ do: "step", name: "a" }, { do: "step", name: "b" });
    const { status, output, steps, failure } = await ended(id);
    expect({ status, failure }).toEqual({ status: "done", failure: null });
    expect(output).toEqual({
      results: [
        { name: "a", attempt: 1 },
        { name: "b", attempt: 1 },
      ],
    });
    expect(steps.map((one) => [one.id, one.name, one.attempts, one.status])).toEqual([
      ["work", "work", 1, "done"],
      ["work-2", "work", 1, "done"],
    ]);
    for (const { durationMs, startedAt, endedAt } of steps)
      expect(durationMs).toBe(Date.parse(endedAt ?? "") - Date.parse(startedAt));
    const told = await events(id);
    expect(told.map(({ name, event }) => `${name} ${event.type}`)).toEqual([
      "run run",
      ...["step-start", "progress", "progress", "step-end"].map((type) => `message ${type}`),
      ...["step-start", "progress", "progress", "step-end"].map((type) => `message ${type}`),
      "done end",
    ]);
    expect(told.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect((await events(id, 8)).map(({ id }) => id)).toEqual([9, 10]);
    expect(told[0]?.event).toEqual({
      type: "run",
      workflowName: "playground",
      runId: id,
      worldRunId: id,
      trigger: "manual",
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const times = told.map(({ event }) => event.at);
    expect(times).toEqual([...times].sort());
    expect(told[1]?.event.at).toBe(steps[0]?.startedAt);
    expect(told.at(-1)?.event.at).toBe((await run(id)).endedAt);
  });

  it("are tried again three times, under the same id, and then fail the run", async () => {
    const id = await play({ do: "step", name: "a", failures: 9, retryAfterMs: 10 });
    const { status, steps, failure } = await ended(id);
    expect(status).toBe("failed");
    expect(failure).toEqual({ code: "step_failed", message: "a failed the 4. time", step: "work" });
    expect(steps.map(({ id, attempts, status }) => [id, attempts, status])).toEqual([["work", 4, "failed"]]);
    expect(await ran(id, "a")).toBe(4);
    const failed = (await events(id)).flatMap(({ event }) =>
      event.type === "step-failed" ? [[event.attempt, event.retryAt === null]] : [],
    );
    expect(failed).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, true],
    ]);
  });

  it("wait before they are tried again as long as the error says", async () => {
    const id = await play({ do: "step", name: "a", failures: 1, retryAfterMs: 700 });
    const { steps, output } = await ended(id);
    expect(output).toEqual({ results: [{ name: "a", attempt: 2 }] });
    expect(steps[0]?.durationMs).toBeGreaterThanOrEqual(700);
  });

  it("that fail for good are not tried again", async () => {
    const id = await play({ do: "step", name: "a", fatal: true });
    const { failure, steps } = await ended(id);
    expect(failure).toEqual({ code: "step_failed", message: "a cannot be done", step: "work" });
    expect(steps[0]?.attempts).toBe(1);
  });

  it("that take long run once, also when nothing is heard of them for a while", async () => {
    const id = await play({ do: "step", name: "long", ms: 7_000 });
    await until(async () => (await run(id)).endedAt !== null, 20_000);
    expect((await run(id)).steps.map(({ attempts, status }) => [attempts, status])).toEqual([[1, "done"]]);
    expect(await ran(id, "long")).toBe(1);
  }, 30_000);

  it("keep results up to 1 MiB of JSON and say so beyond", async () => {
    const fits = await ended(
      await play({ do: "step", name: "a", bytes: 1_000_000 }, { do: "step", name: "b" }),
    );
    expect(fits.status).toBe("done");
    const [first] = (fits.output as { results: { text: string }[] }).results;
    expect(first?.text.length).toBe(1_000_000);
    const large = await ended(await play({ do: "step", name: "a", bytes: 1_100_000 }));
    expect(large.failure?.code).toBe("step_result_too_large");
    expect(large.failure?.message).toContain("at most 1048576 can be kept");
    expect(large.steps[0]?.attempts).toBe(1);
  });

  it("of branches that go on at different times keep their names", async () => {
    const branch = (name: string, ms: number) => [
      { do: "step", name: `${name}1`, ms },
      { do: "step", name: `${name}2`, ms: 60 - ms },
      { do: "sleep", ms },
      { do: "step", name: `${name}3` },
    ];
    const id = await play({ do: "all", of: [branch("a", 50), branch("b", 5), branch("c", 25)] });
    const { output, status, steps } = await ended(id);
    expect(status).toBe("done");
    const { results } = output as { results: { name?: string }[][][] };
    expect(results[0]?.map((one) => one.map(({ name }) => name ?? "slept"))).toEqual(
      ["a", "b", "c"].map((name) => [`${name}1`, `${name}2`, "slept", `${name}3`]),
    );
    expect(steps.every(({ attempts }) => attempts === 1)).toBe(true);
    for (const name of ["a", "b", "c"])
      for (const place of [1, 2, 3]) expect(await ran(id, `${name}${place}`)).toBe(1);
  });
});

describe("sleep", () => {
  it("ends when it is due, also several at once, and one that lost a race disturbs nobody", async () => {
    const id = await play(
      {
        do: "all",
        of: [
          { do: "sleep", ms: 300 },
          { do: "sleep", ms: 300 },
          { do: "sleep", ms: 100 },
        ],
      },
      {
        do: "race",
        of: [
          { do: "sleep", ms: 50 },
          { do: "sleep", ms: 400 },
        ],
      },
      { do: "sleep", ms: 600 },
    );
    const { output, waits } = await ended(id);
    expect(output).toEqual({
      results: [[{ slept: 300 }, { slept: 300 }, { slept: 100 }], { slept: 50 }, { slept: 600 }],
    });
    expect(waits.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => "settled"));
    for (const { until, settledAt } of waits)
      expect(Date.parse(settledAt ?? "")).toBeGreaterThanOrEqual(Date.parse(until ?? ""));
  });
});

describe("a start", () => {
  it("refuses an input that does not fit, and starts nothing", async () => {
    const input = { orderId: "", amount: -1 };
    expect(await startRun(env, owner, { workflow: "refund", input, trigger: "manual" })).toEqual({
      kind: "invalid",
      issues: [
        { path: "orderId", message: "Too small: expected string to have >=1 characters" },
        { path: "amount", message: "Too small: expected number to be >0" },
        { path: "approvalToken", message: "Invalid input: expected string, received undefined" },
      ],
    });
    expect(await startRun(env, owner, { workflow: "refunds", input, trigger: "manual" })).toMatchObject({
      kind: "unknown_workflow",
      message: expect.stringContaining("playground, refund"),
    });
  });

  it("with a key happens once, however many ask at once", async () => {
    const key = crypto.randomUUID();
    const ask = (actions: unknown[]) =>
      startRun(env, owner, {
        workflow: "playground",
        input: JSON.parse(JSON.stringify({ actions })),
        trigger: "manual",
        idempotencyKey: key,
      });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask([{ do: "step", name: "once" }])));
    const started = answers.flatMap((one) => (one.kind === "started" ? [one] : []));
    expect(started).toHaveLength(8);
    expect(new Set(started.map(({ run }) => run.runId)).size).toBe(1);
    expect(started.filter(({ repeated }) => !repeated)).toHaveLength(1);
    const runId = started[0]?.run.runId ?? "";
    await ended(runId);
    expect(await ran(runId, "once")).toBe(1);
    expect(await ask([{ do: "step", name: "once" }])).toMatchObject({ repeated: true, status: "done" });
    expect(await ask([])).toMatchObject({ kind: "key_reused", runId });
  });

  it("takes an input of up to 1 MiB, as it came and as it is read", async () => {
    const ask = (bytes: number, more = {}) => {
      const input = { agent: "none", question: "x".repeat(bytes), ...more };
      return startRun(env, owner, { workflow: "ask-agent", input, trigger: "manual" });
    };
    const whole = await ask(1_048_576 - JSON.stringify({ agent: "none", question: "" }).length, {});
    if (whole.kind !== "started") throw new Error(JSON.stringify(whole).slice(0, 200));
    expect((await ended(whole.run.runId)).failure?.message).toContain('There is no agent "none"');
    const refused = {
      kind: "invalid",
      issues: [{ path: "", message: "has more than 1048576 bytes of JSON" }],
    };
    expect(await ask(1_048_576)).toEqual(refused);
    expect(await ask(1, { dropped: "y".repeat(1_048_576) })).toEqual(refused);
    const kept = await ask(400_000, { dropped: "y".repeat(600_000) });
    if (kept.kind !== "started") throw new Error(kept.kind);
    const { input } = await run(kept.run.runId);
    expect((input as { dropped: string }).dropped.length).toBe(600_000);
  });

  it("of a serial workflow waits in line, first come first served", async () => {
    const starts = [];
    for (let place = 0; place < 5; place += 1)
      starts.push(await startRun(env, owner, { workflow: "weekly-digest", input: {}, trigger: "manual" }));
    const ids = starts.flatMap((one) => (one.kind === "started" ? [one.run.runId] : []));
    expect(ids).toHaveLength(5);
    const runs = await Promise.all(ids.map(ended));
    expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "done"));
    for (const [place, one] of runs.entries()) {
      const before = runs[place - 1];
      if (before === undefined) continue;
      expect(Date.parse(one.steps[0]?.startedAt ?? "")).toBeGreaterThanOrEqual(
        Date.parse(before.endedAt ?? ""),
      );
    }
    expect(await env.DB.prepare("SELECT COUNT(*) AS n FROM workflow_line").first("n")).toBe(0);
  });

  it("of another workflow is made once, and its end is waited for", async () => {
    const child = { actions: [{ do: "step", name: "child", ms: 20 }] };
    const id = await play(
      { do: "start", workflow: "playground", input: child },
      { do: "start", workflow: "playground", input: child, wait: false },
    );
    const { output, status } = await ended(id);
    expect(status).toBe("done");
    const { results } = output as { results: [unknown, { runId: string }] };
    expect(results[0]).toEqual({ results: [{ name: "child", attempt: 1 }] });
    const other = await ended(results[1].runId);
    expect(other).toMatchObject({ status: "done", trigger: "workflow", parentRunId: id });
    const failing = await ended(
      await play({
        do: "start",
        workflow: "playground",
        input: { actions: [{ do: "step", name: "x", fatal: true }] },
      }),
    );
    expect(failing.failure).toEqual({ code: "step_failed", message: "x cannot be done", step: "work" });
    const wrong = await ended(await play({ do: "start", workflow: "refund", input: { amount: "much" } }));
    expect(wrong.failure?.code).toBe("workflow_input_invalid");
  });
});

describe("runs that wait for each other", () => {
  it("one in the other without end fail, and say why", async () => {
    const nested = (depth: number): unknown =>
      depth === 0
        ? { do: "step", name: "leaf" }
        : { do: "start", workflow: "playground", input: { actions: [nested(depth - 1)] } };
    const { failure } = await ended(await play(nested(33)));
    expect(failure).toMatchObject({ code: "workflow_nested_too_deep", step: "startAndWait" });
    expect(failure?.message).toContain("More than 32 runs would wait for each other");
  });
});

describe("an agent", () => {
  it("answers in a step, and its turn is told as it happens", async () => {
    const id = await play(
      { do: "agent", message: "Hello" },
      { do: "agent", message: "Count to 3", stream: true },
    );
    const { output } = await ended(id);
    expect(output).toEqual({ results: [{ text: "You said: Hello" }, { text: "1, 2, 3." }] });
    const turns = (await events(id)).flatMap(({ event }) =>
      event.type === "agent" ? [[event.step, event.event.type]] : [],
    );
    expect(turns.filter(([step]) => step === "ask")).toEqual([
      ["ask", "turn-start"],
      ["ask", "turn-end"],
    ]);
    expect(turns.filter(([step, type]) => step === "ask-2" && type === "text-delta").length).toBeGreaterThan(
      0,
    );
    const turn = await listRuns(
      env,
      owner,
      { kind: "agent", workflow: null, agent: "playground", status: null, conversation: id },
      { limit: 10, before: null },
    );
    await until(async () => turn.length > 0);
  });

  it("whose tool waits for a person fails the step, and says what to do", async () => {
    const { failure, steps } = await ended(await play({ do: "agent", message: "Delete notes.txt" }));
    expect(failure?.code).toBe("session_required");
    expect(failure?.message).toContain("ask with requestApproval() in the workflow's body");
    expect(steps[0]?.attempts).toBe(1);
  });
});

describe("a run", () => {
  it("is cancelled once, and its hooks are free", async () => {
    const name = token();
    const id = await play({ do: "hook", token: name });
    await waiting(id);
    expect(await cancelRun(env, owner, id)).toEqual({ kind: "cancelled", runId: id });
    expect(await cancelRun(env, owner, id)).toEqual({ kind: "ended", runId: id, status: "interrupted" });
    expect(await resumeHook(env, owner, name, 1)).toMatchObject({ kind: "closed", runId: id });
    expect((await events(id)).at(-1)?.event).toEqual({
      type: "end",
      status: "interrupted",
      at: (await run(id)).endedAt,
    });
    const next = await play({ do: "hook", token: name });
    await waiting(next);
    expect(await resumeHook(env, owner, name, { hello: 1 })).toMatchObject({ kind: "resumed", runId: next });
    expect((await ended(next)).output).toEqual({ results: [{ hello: 1 }] });
  });

  it("that is cancelled in a step begins no other", async () => {
    const id = await play({ do: "step", name: "slow", ms: 400 }, { do: "step", name: "never" });
    await until(async () => (await run(id)).steps.length > 0);
    await cancelRun(env, owner, id);
    await scheduler.wait(700);
    const { status, steps } = await run(id);
    expect(status).toBe("interrupted");
    expect(steps).toHaveLength(1);
    expect(await ran(id, "never")).toBe(0);
  });

  it("that ends shows what was under way as interrupted, and waits for nothing", async () => {
    const id = await play({
      do: "all",
      of: [
        { do: "step", name: "slow", ms: 400 },
        { do: "step", name: "again", failures: 1, retryAfterMs: 60_000 },
        { do: "sleep", ms: 60_000 },
      ],
    });
    await until(async () => {
      const { steps, waits } = await run(id);
      return steps.length === 2 && steps.some(({ status }) => status === "retrying") && waits.length === 1;
    });
    await cancelRun(env, owner, id);
    const { steps, waits, endedAt } = await run(id);
    expect(steps.map(({ status, endedAt, retryAt }) => [status, endedAt, retryAt])).toEqual([
      ["interrupted", endedAt, null],
      ["interrupted", endedAt, null],
    ]);
    expect(waits).toMatchObject([{ status: "settled", settledAt: endedAt }]);
    await scheduler.wait(500);
    expect((await events(id)).at(-1)?.event.type).toBe("end");
  });

  it("is tried again from its stored input, under a new id", async () => {
    const id = await play({ do: "step", name: "a", fatal: true });
    await ended(id);
    const again = await retryRun(env, owner, id);
    if (again.kind !== "started") throw new Error(again.kind);
    expect(again.run.runId).not.toBe(id);
    const { retryOf, input, failure } = await ended(again.run.runId);
    expect(retryOf).toBe(id);
    expect(input).toEqual({ actions: [{ do: "step", name: "a", fatal: true }] });
    expect(failure?.message).toBe("a cannot be done");
    expect(await retryRun(env, owner, "run_nobody")).toEqual({ kind: "unknown" });
    const sleeping = await play({ do: "sleep", ms: 60_000 });
    expect(await retryRun(env, owner, sleeping)).toMatchObject({ kind: "running" });
    await cancelRun(env, owner, sleeping);
  });

  it("belongs to its owner", async () => {
    const id = await play({ do: "step", name: "a" });
    await ended(id);
    const other = "f".repeat(32);
    expect(await cancelRun(env, other, id)).toEqual({ kind: "unknown" });
    expect(await retryRun(env, other, id)).toEqual({ kind: "unknown" });
    expect(
      await listRuns(
        env,
        other,
        { kind: null, workflow: null, agent: null, status: null, conversation: null },
        { limit: 10, before: null },
      ),
    ).toEqual([]);
  });

  it("is listed beside the turns of agents, page by page", async () => {
    const conversation = crypto.randomUUID();
    const made: string[] = [];
    for (let place = 0; place < 5; place += 1)
      made.push(
        await begin("playground", { actions: [{ do: "agent", message: "Hello" }] }, { conversation }),
      );
    await Promise.all(made.map(ended));
    const filter = { kind: null, workflow: null, agent: null, status: "done", conversation };
    await until(async () => (await listRuns(env, owner, filter, { limit: 20, before: null })).length === 10);
    const seen: string[] = [];
    let before: { at: string; id: string } | null = null;
    for (;;) {
      const page: Awaited<ReturnType<typeof listRuns>> = await listRuns(env, owner, filter, {
        limit: 3,
        before,
      });
      seen.push(...page.map(({ kind, runId }) => `${kind} ${runId}`));
      const last = page.at(-1);
      if (last === undefined) break;
      before = { at: last.startedAt, id: last.runId };
    }
    expect(seen).toHaveLength(10);
    expect(new Set(seen).size).toBe(10);
    expect(seen.filter((one) => one.startsWith("workflow"))).toEqual(
      [...made].reverse().map((id) => `workflow ${id}`),
    );
    const failed = { ...filter, kind: "workflow" as const, status: "failed" };
    expect(await listRuns(env, owner, failed, { limit: 20, before: null })).toEqual([]);
  });

  it("goes on when its object is thrown away between any two things it does", async () => {
    const name = token();
    const id = await play(
      { do: "step", name: "a" },
      { do: "hook", token: name },
      { do: "sleep", ms: 200 },
      { do: "step", name: "b", failures: 1, retryAfterMs: 100 },
    );
    await waiting(id);
    await evictDurableObject(object(id));
    expect(await resumeHook(env, owner, name, "go")).toMatchObject({ kind: "resumed" });
    for (let evictions = 0; evictions < 5; evictions += 1) {
      await scheduler.wait(40);
      await run(id);
      await evictDurableObject(object(id));
    }
    const { output, status } = await ended(id);
    expect(status).toBe("done");
    expect(output).toEqual({
      results: [{ name: "a", attempt: 1 }, "go", { slept: 200 }, { name: "b", attempt: expect.any(Number) }],
    });
    expect(await ran(id, "a")).toBe(1);
  });
});
