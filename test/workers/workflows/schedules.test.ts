import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { schedulerObject } from "../../../src/store/objects.ts";
import worker from "../../../src/worker.ts";
import { putSchedule, removeSchedule, schedulesOf } from "../../../src/workflows/runtime/schedule-service.ts";
import { listRuns } from "../../../src/workflows/runtime/service.ts";
import { ended, leaveNothing, owner, play, until } from "./client.ts";

beforeAll(() => worker.scheduled({} as ScheduledController, env));
afterAll(leaveNothing);

const stub = () => schedulerObject(env);

async function runsOf(workflow: string, as = owner) {
  const filter = { kind: "workflow" as const, workflow, agent: null, status: null, conversation: null };
  const runs = await listRuns(env, as, filter, { limit: 100, before: null });
  return runs.flatMap((one) => (one.kind === "workflow" && one.trigger === "schedule" ? [one] : []));
}

/** Lets a schedule's time come: it is now as many milliseconds past. */
async function come(name: string, past = 1): Promise<number> {
  const at = Date.now() - past;
  await runInDurableObject(stub(), (_, { storage }) => {
    storage.sql.exec("UPDATE schedules SET next_at = ? WHERE name = ?", at, name);
  });
  return at;
}

it("a declared schedule is known once somebody looked, and starts a run that every owner sees", async () => {
  const [declared] = await schedulesOf(env, owner);
  expect(declared).toMatchObject({
    name: "weekly-digest 0 6 * * 1",
    workflowName: "weekly-digest",
    cron: "0 6 * * 1",
    input: { days: 7 },
    declared: true,
  });
  const next = new Date(declared?.nextAt ?? "");
  expect([next.getUTCDay(), next.getUTCHours(), next.getUTCMinutes()]).toEqual([1, 6, 0]);
  expect(next.getTime()).toBeGreaterThan(Date.now());
  // It looks once a day for what is old.
  const [alarm, now] = await runInDurableObject(stub(), async (_, { storage }) => [
    (await storage.getAlarm()) ?? 0,
    Date.now(),
  ]);
  expect(alarm).toBeLessThanOrEqual(next.getTime());
  expect(alarm).toBeLessThanOrEqual(now + 86_400_000);
  await come("weekly-digest 0 6 * * 1");
  expect(await runDurableObjectAlarm(stub())).toBe(true);
  for (const as of [owner, "f".repeat(32)]) {
    const [one, ...others] = await runsOf("weekly-digest", as);
    expect(others).toEqual([]);
    expect((await ended(one?.runId ?? "")).output).toMatchObject({ days: 7 });
  }
  // The same again changes nothing, its next time neither.
  await worker.scheduled({} as ScheduledController, env);
  expect((await schedulesOf(env, owner))[0]?.nextAt).toBe(next.toISOString());
  expect(await removeSchedule(env, owner, "weekly-digest 0 6 * * 1")).toBe(false);
});

it("a schedule by name starts one run each time, also when the scheduler dies in between", async () => {
  const input = { actions: [{ do: "step", name: "ticked" }] };
  const made = await putSchedule(env, owner, {
    name: "tick",
    workflow: "playground",
    cron: "*/5 * * * *",
    input,
  });
  expect(made).toMatchObject({ kind: "scheduled", schedule: { name: "tick", declared: false } });
  const at = await come("tick", 3 * 300_000);
  await runDurableObjectAlarm(stub());
  await until(async () => (await runsOf("playground")).length === 1);
  // It died before it noted that it had started the run.
  await runInDurableObject(stub(), (_, { storage }) => {
    storage.sql.exec("UPDATE schedules SET next_at = ? WHERE name = 'tick'", at);
  });
  await evictDurableObject(stub());
  await runInDurableObject(stub(), (instance) => instance.alarm());
  const [run, ...others] = await runsOf("playground");
  // Three times had passed while nothing ran: one run for all of them.
  expect(others).toEqual([]);
  expect((await ended(run?.runId ?? "")).output).toEqual({ results: [{ name: "ticked", attempt: 1 }] });
  const [, tick] = [...(await schedulesOf(env, owner))].sort((a, b) => (a.name < b.name ? 1 : -1));
  expect(Date.parse(tick?.nextAt ?? "")).toBeGreaterThan(Date.now());
  expect(await schedulesOf(env, "f".repeat(32))).toHaveLength(1);
  expect(await removeSchedule(env, owner, "tick")).toBe(true);
  expect(await removeSchedule(env, owner, "tick")).toBe(false);
});

it("a schedule that is not right is refused, with what is wrong", async () => {
  const right = { name: "a", workflow: "refund", cron: "0 0 * * *", input: {} };
  expect(await putSchedule(env, owner, { ...right, workflow: "nothing" })).toMatchObject({
    kind: "unknown_workflow",
  });
  expect(await putSchedule(env, owner, { ...right, cron: "daily" })).toEqual({
    kind: "invalid",
    issues: [{ path: "cron", message: "is not five fields: minute hour day month weekday" }],
  });
  expect(await putSchedule(env, owner, right)).toMatchObject({
    kind: "invalid",
    issues: [{ path: "input.orderId" }, { path: "input.amount" }, { path: "input.approvalToken" }],
  });
  expect(await putSchedule(env, owner, { ...right, name: "" })).toMatchObject({ issues: [{ path: "name" }] });
});

it("a workflow makes and ends schedules by name", async () => {
  const { output, status } = await ended(
    await play(
      { do: "schedule", name: "mine", workflow: "playground", cron: "0 0 * * *" },
      { do: "schedule", name: "mine", workflow: "playground", cron: "0 1 * * *" },
    ),
  );
  expect(status).toBe("done");
  expect(output).toMatchObject({
    results: [
      { name: "mine", cron: "0 0 * * *" },
      { name: "mine", cron: "0 1 * * *" },
    ],
  });
  expect((await schedulesOf(env, owner)).map(({ name, cron }) => [name, cron])).toEqual([
    ["mine", "0 1 * * *"],
    ["weekly-digest 0 6 * * 1", "0 6 * * 1"],
  ]);
  const ends = await ended(
    await play({ do: "unschedule", name: "mine" }, { do: "unschedule", name: "mine" }),
  );
  expect(ends.output).toEqual({ results: [true, false] });
  const wrong = await ended(await play({ do: "schedule", name: "x", workflow: "playground", cron: "x" }));
  expect(wrong.failure).toMatchObject({ code: "schedule_invalid", step: "scheduleWorkflow" });
});
