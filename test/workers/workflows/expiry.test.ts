import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, expect, it } from "vitest";
import { deleteAgentRuns } from "../../../src/store/expired-runs.ts";
import { schedulerObject } from "../../../src/store/objects.ts";
import worker from "../../../src/worker.ts";
import { cancelRun, getRun, resumeHook, watchRun } from "../../../src/workflows/runtime/service.ts";
import { startRun } from "../../../src/workflows/runtime/start-run.ts";
import type { StartRequest } from "../../../src/workflows/runtime/types.ts";
import {
  begin,
  ended,
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

const dayMs = 86_400_000;

/** Rows that lists have of a run. */
async function rows(runId: string): Promise<number[]> {
  const tables = ["workflow_runs", "workflow_hooks", "approvals"];
  return Promise.all(
    tables.map(async (table) =>
      Number(
        await env.DB.prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE run_id = ?`).bind(runId).first("n"),
      ),
    ),
  );
}

/** Lets a run's end be so long past, and its alarm ring. */
async function later(runId: string, ms: number): Promise<void> {
  await until(() => runInDurableObject(object(runId), (_, { storage }) => nothingToTell(storage)));
  await runInDurableObject(object(runId), (_, { storage }) => {
    storage.sql.exec("UPDATE run SET ended_at = ?", new Date(Date.now() - ms).toISOString());
  });
  await runInDurableObject(object(runId), (instance) => instance.alarm());
}

async function nothingToTell({ sql }: DurableObjectStorage): Promise<boolean> {
  return sql.exec("SELECT 1 FROM notes UNION ALL SELECT 1 FROM errands").toArray().length === 0;
}

it("a run that has ended is kept for thirty days, and then nothing of it is", async () => {
  const name = token();
  const id = await play({ do: "step", name: "a" }, { do: "approval", token: name });
  await waiting(id);
  await resumeHook(env, owner, name, { status: "approved" });
  const { endedAt } = await ended(id);
  await until(async () => {
    const alarm = await runInDurableObject(object(id), (_, { storage }) => storage.getAlarm());
    return alarm === Date.parse(endedAt ?? "") + 30 * dayMs;
  });
  await later(id, 30 * dayMs - 60_000);
  expect(await rows(id)).toEqual([1, 1, 1]);
  expect((await run(id)).status).toBe("done");
  await later(id, 30 * dayMs);
  expect(await rows(id)).toEqual([0, 0, 0]);
  expect(await getRun(env, owner, id)).toBeNull();
  expect(await watchRun(env, owner, id, 0)).toBeNull();
  expect(await cancelRun(env, owner, id)).toEqual({ kind: "unknown" });
  expect(await resumeHook(env, owner, name, { status: "approved" })).toEqual({ kind: "unknown" });
  const left = await runInDurableObject(object(id), async (_, { storage }) => [
    await storage.getAlarm(),
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
  ]);
  expect(left).toEqual([null, []]);
  await evictDurableObject(object(id));
  expect(await object(id).detail()).toBeNull();
});

it("a run that waits is not deleted however long it does, nor one that could not tell of its end", async () => {
  const name = token();
  const id = await play({ do: "approval", token: name });
  await waiting(id);
  await runInDurableObject(object(id), async (instance, { storage }) => {
    storage.sql.exec("UPDATE waits SET opened_at = '2020-01-01T00:00:00.000Z'");
    await instance.alarm();
  });
  expect(await rows(id)).toEqual([1, 1, 1]);
  await env.DB.prepare("ALTER TABLE workflow_runs RENAME TO away").run();
  expect(await object(id).cancel()).toEqual({ kind: "cancelled", runId: id });
  await runInDurableObject(object(id), async (instance, { storage }) => {
    storage.sql.exec("UPDATE run SET ended_at = '2020-01-01T00:00:00.000Z'");
    await instance.alarm();
  });
  expect((await object(id).detail()) ?? "").toContain("interrupted");
  await env.DB.prepare("ALTER TABLE away RENAME TO workflow_runs").run();
  await until(async () => (await object(id).detail()) === null, 20_000);
  expect(await rows(id)).toEqual([0, 0, 0]);
});

it("a key whose run was deleted starts another one", async () => {
  const request: StartRequest = {
    workflow: "playground",
    input: { actions: [{ do: "step", name: "a" }] },
    trigger: "manual",
    idempotencyKey: crypto.randomUUID(),
  };
  const id = await begin(request.workflow, request.input, request);
  await ended(id);
  await later(id, 31 * dayMs);
  expect(await startRun(env, owner, request)).toMatchObject({
    kind: "started",
    run: { runId: id },
    repeated: false,
    status: "running",
  });
  expect((await ended(id)).output).toEqual({ results: [{ name: "a", attempt: 1 }] });
  expect(await ran(id, "a")).toBe(1);
  expect(await rows(id)).toEqual([1, 0, 0]);
});

it("the records of turns of agents are deleted once a day, but not of those that wait", async () => {
  const now = Date.now();
  const put = (runId: string, status: string, days: number) =>
    env.DB.prepare(
      `INSERT INTO agent_runs (run_id, owner, agent, wire, status, model, started_at, ended_at, usage)
       VALUES (?, ?, 'a', 'agui', ?, 'm', ?, ?, '{}')`,
    ).bind(runId, owner, status, new Date(now - days * dayMs).toISOString(), new Date(now).toISOString());
  await env.DB.prepare("DELETE FROM agent_runs").run();
  await env.DB.batch([
    put("waits", "interrupted", 31),
    put("old", "done", 31),
    put("lost", "running", 90),
    ...Array.from({ length: 2_300 }, (_, at) => put(`done${at}`, "done", 40)),
    put("new", "done", 29),
    put("late", "failed", 35),
  ]);
  const left = async () =>
    (
      await env.DB.prepare("SELECT run_id FROM agent_runs ORDER BY run_id").all<{ run_id: string }>()
    ).results.map((row) => row.run_id);
  const ago = (days: number) => new Date(now - days * dayMs).toISOString();
  expect(await deleteAgentRuns(env.DB, { ended: ago(100), any: ago(100) })).toBe(0);
  await worker.scheduled({} as ScheduledController, env);
  await runInDurableObject(schedulerObject(env), (_, { storage }) => {
    storage.sql.exec("UPDATE sweep SET next_at = ?", Date.now() - 1);
  });
  expect(await runDurableObjectAlarm(schedulerObject(env))).toBe(true);
  // With sessions kept as long as runs, what waited for thirty days waits no more.
  expect(await left()).toEqual(["new"]);
  await put("waits", "interrupted", 31).run();
  expect(await deleteAgentRuns(env.DB, { ended: ago(30), any: ago(60) })).toBe(0);
  expect(await left()).toEqual(["new", "waits"]);
  const alarm = await runInDurableObject(schedulerObject(env), (_, { storage }) => storage.getAlarm());
  expect(alarm ?? 0).toBeGreaterThan(now + 1_000);
});
