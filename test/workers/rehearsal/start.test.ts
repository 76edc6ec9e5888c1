import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { RehearsalObject } from "../../../objects/rehearsal.ts";
import { rehearsalObject } from "../../../src/store/objects.ts";
import { agentAnswers, api, events, goodAnswer, start } from "./desk.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Rows of an object's storage that are its own. */
function tables(stub: ReturnType<typeof rehearsalObject>): Promise<unknown[]> {
  return runInDurableObject(stub, (_, state) =>
    state.storage.sql
      .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .toArray(),
  );
}

describe("starting a rehearsal", () => {
  it("that never comes after its world leaves nothing behind", async () => {
    const stub = rehearsalObject(env, "somebody", "20200101T000000-aaaa");
    await stub.putWorldChunk(0, "[]");
    expect((await tables(stub)).length).toBeGreaterThan(0);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await tables(stub)).toEqual([]);
    expect(await stub.exists()).toBe(false);
    expect(await runDurableObjectAlarm(stub)).toBe(false);
  });

  it("that the database did not take in before the runtime died is listed by the next, and goes on", async () => {
    agentAnswers(goodAnswer);
    const runId = await start({ trials: 2 });
    await events(runId);
    const { results } = await env.DB.prepare("SELECT owner FROM rehearsals WHERE run_id = ?")
      .bind(runId)
      .all<{ owner: string }>();
    const owner = results[0]?.owner ?? "";
    const stub = rehearsalObject(env, owner, runId);
    // As it was between the object's own start and the database's: nothing listed, nothing played.
    await env.DB.batch([
      env.DB.prepare("DELETE FROM rehearsals WHERE run_id = ?").bind(runId),
      env.DB.prepare("DELETE FROM trial_bodies WHERE run_id = ?").bind(runId),
    ]);
    await runInDurableObject(stub, async (_, state) => {
      state.storage.sql.exec("UPDATE run SET status = 'running', ended_at = NULL, listed = 0");
      state.storage.sql.exec("UPDATE trials SET status = 'queued', facts = NULL");
      await state.storage.setAlarm(Date.now() + 60_000);
    });
    expect((await api(`/api/rehearsals/${runId}`)).status).toBe(404);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    await vi.waitFor(async () => {
      const found = (await (await api(`/api/rehearsals/${runId}`)).json()) as { finished: number };
      expect(found).toMatchObject({ runId, status: "finished", planned: 4, finished: 4 });
    });
  });

  it("twice under one run id is refused", async () => {
    agentAnswers(goodAnswer);
    const runId = await start();
    await events(runId);
    const { results } = await env.DB.prepare("SELECT owner FROM rehearsals WHERE run_id = ?")
      .bind(runId)
      .all<{ owner: string }>();
    const stub = rehearsalObject(env, results[0]?.owner ?? "", runId);
    await runInDurableObject(stub, async (object: RehearsalObject) => {
      await expect(object.putWorldChunk(0, "[]")).rejects.toThrow("the rehearsal has been started");
    });
  });
});
