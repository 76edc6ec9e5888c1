import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it } from "vitest";
import { findInboxItem, type InboxItem, listInboxItems } from "../../../src/store/inbox.ts";
import type { Json } from "../../../src/turn/index.ts";
import { cancelRun, decideApproval, resumeHook } from "../../../src/workflows/runtime/service.ts";
import {
  begin,
  ended,
  events,
  leaveNothing,
  object,
  owner,
  play,
  run,
  token,
  until,
  waiting,
} from "./client.ts";

afterAll(leaveNothing);

const order = { orderId: "ord_42", amount: 19.99 };

function refund(approvalToken: string): Promise<string> {
  return begin("refund", { ...order, approvalToken });
}

function say(name: string, body: Json) {
  return resumeHook(env, owner, name, body);
}

/** What the inbox has of a run. */
async function inbox(runId: string): Promise<InboxItem> {
  const { items } = await listInboxItems(
    env.DB,
    owner,
    { kind: "workflow", status: null },
    { limit: 100, before: null },
  );
  const item = items.find((one) => one.runId === runId);
  if (item === undefined) throw new Error(`the inbox has nothing of ${runId}`);
  return item;
}

describe("the refund workflow", () => {
  it("pays back once it is approved", async () => {
    const name = token();
    const id = await refund(name);
    await waiting(id);
    const item = await inbox(id);
    expect(item).toMatchObject({
      kind: "workflow",
      workflowName: "refund",
      token: name,
      topic: "refund",
      title: "Approve refund",
      payload: order,
      status: "pending",
      fallback: "reject",
      decision: null,
      decidedBy: null,
    });
    if (item.kind !== "workflow") throw new Error(item.kind);
    expect(Date.parse(item.expiresAt ?? "") - Date.parse(item.createdAt)).toBeGreaterThan(86_000_000);
    expect(await say(name, { status: "approved", comment: "fine" })).toEqual({
      kind: "resumed",
      repeated: false,
      runId: id,
      workflowName: "refund",
      token: name,
      status: "approved",
    });
    const { status, output, steps } = await ended(id);
    expect({ status, output }).toEqual({ status: "done", output: { ...order, refunded: true } });
    expect(steps.map(({ name }) => name)).toEqual(["requestApproval", "payBack"]);
    expect(await inbox(id)).toMatchObject({
      status: "approved",
      decision: { status: "approved", comment: "fine" },
      decidedBy: "hook",
    });
  });

  it("does not when it is rejected", async () => {
    const name = token();
    const id = await refund(name);
    await waiting(id);
    const item = await inbox(id);
    const place = { owner, runId: id, approvalId: item.id };
    expect(await decideApproval(env, place, { approved: false, reason: "too much" })).toMatchObject({
      kind: "resumed",
      status: "rejected",
    });
    const { output, steps } = await ended(id);
    expect(output).toEqual({ orderId: "ord_42", refunded: false });
    expect(steps.map(({ name }) => name)).toEqual(["requestApproval"]);
    expect(await inbox(id)).toMatchObject({
      status: "rejected",
      decision: { status: "rejected", comment: "too much" },
      decidedBy: "inbox",
    });
  });

  it("pays what the payload was changed to", async () => {
    const name = token();
    const id = await refund(name);
    await waiting(id);
    await say(name, { status: "approved", payload: { ...order, amount: 5 } });
    expect((await ended(id)).output).toEqual({ orderId: "ord_42", amount: 5, refunded: true });
    expect(await inbox(id)).toMatchObject({ decision: { payload: { orderId: "ord_42", amount: 5 } } });
  });
});

describe("a deadline", () => {
  for (const [fallback, status] of [
    ["approve", "approved"],
    ["reject", "rejected"],
  ] as const) {
    it(`that passes applies the fallback ${fallback}, and says so`, async () => {
      const name = token();
      const id = await play({ do: "approval", token: name, timeoutMs: 250, fallback });
      const { output, waits } = await ended(id);
      expect(output).toEqual({ results: [{ status, timedOut: true }] });
      expect(Date.parse(waits[0]?.settledAt ?? "")).toBeGreaterThanOrEqual(Date.parse(waits[0]?.until ?? ""));
      expect(await inbox(id)).toMatchObject({ status: "timed_out", decision: null, decidedBy: "timeout" });
      expect((await events(id)).find(({ event }) => event.type === "wait-end")?.event).toMatchObject({
        timedOut: true,
      });
      const late = await say(name, { status: fallback === "approve" ? "rejected" : "approved" });
      expect(late).toMatchObject({ kind: "expired", runId: id, expiredAt: waits[0]?.until });
      expect((await run(id)).output).toEqual({ results: [{ status, timedOut: true }] });
    });
  }

  it("is met by a decision in its last moment", async () => {
    const name = token();
    const id = await play({ do: "approval", token: name, timeoutMs: 1_500, fallback: "reject" });
    await waiting(id);
    const until = Date.parse((await run(id)).waits[0]?.until ?? "");
    await scheduler.wait(until - Date.now() - 60);
    expect(await say(name, { status: "approved" })).toMatchObject({ kind: "resumed" });
    await scheduler.wait(until - Date.now() + 100);
    expect((await ended(id)).output).toEqual({ results: [{ status: "approved", timedOut: false }] });
    expect(await inbox(id)).toMatchObject({ status: "approved" });
  });

  it("holds against a later decision also when the alarm is late", async () => {
    const name = token();
    const id = await play({ do: "approval", token: name, timeoutMs: 400, fallback: "reject" });
    await waiting(id);
    await runInDurableObject(object(id), async (_, { storage }) => {
      await storage.setAlarm(Date.now() + 60_000);
    });
    await scheduler.wait(600);
    expect(await say(name, { status: "approved" })).toMatchObject({ kind: "expired" });
    expect((await ended(id)).output).toEqual({ results: [{ status: "rejected", timedOut: true }] });
  });
});

describe("a decision", () => {
  it("said again is the same, and another one does not change it, also after the run has ended", async () => {
    const name = token();
    const id = await refund(name);
    await waiting(id);
    const first = await say(name, { status: "approved" });
    const again = await say(name, { approved: true });
    expect(again).toEqual({ ...first, repeated: true });
    await ended(id);
    expect(await say(name, { status: "approved" })).toEqual({ ...first, repeated: true });
    expect(await say(name, { status: "rejected" })).toMatchObject({
      kind: "decided",
      status: "approved",
      decision: { status: "approved" },
      message: "It was decided before: approved.",
    });
    expect((await ended(id)).steps.map(({ attempts }) => attempts)).toEqual([1, 1]);
  });

  it("among many at once is one", async () => {
    const name = token();
    const id = await refund(name);
    await waiting(id);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => say(name, { status: at % 2 === 0 ? "approved" : "rejected" })),
    );
    expect(answers.filter((one) => one.kind === "resumed" && !one.repeated)).toHaveLength(1);
    expect(answers.filter((one) => one.kind === "resumed" && one.repeated)).toHaveLength(5);
    expect(answers.filter((one) => one.kind === "decided")).toHaveLength(6);
    const [winner] = answers.flatMap((one) => (one.kind === "resumed" && !one.repeated ? [one.status] : []));
    expect((await ended(id)).output).toMatchObject({ refunded: winner === "approved" });
  });

  it("that says nothing clear is refused, and nothing happens", async () => {
    const name = token();
    const id = await refund(name);
    await waiting(id);
    for (const body of [{}, { status: "yes" }, { status: "approved", approved: false }, "approved", null]) {
      const answer = await say(name, body);
      expect(answer.kind).toBe("invalid");
      if (answer.kind === "invalid") expect(answer.issues.length).toBeGreaterThan(0);
    }
    expect((await inbox(id)).status).toBe("pending");
    expect(await say(token(), { status: "approved" })).toEqual({ kind: "unknown" });
    expect(await resumeHook(env, "f".repeat(32), name, { status: "approved" })).toEqual({ kind: "unknown" });
    await cancelRun(env, owner, id);
    await scheduler.wait(50);
    expect((await inbox(id)).status).toBe("cancelled");
    expect(await say(name, { status: "approved" })).toMatchObject({ kind: "closed" });
  });

  it("whose telling was lost is told by whoever says it again", async () => {
    const name = token();
    const id = await play({ do: "hook", token: name });
    await waiting(id);
    // As if the runtime had stored the payload, and died before anybody heard of it.
    await runInDurableObject(object(id), (_, { storage }) => {
      storage.sql.exec(
        "INSERT INTO payloads (hook, place, body, at) VALUES ('hook', 0, '\"go\"', '2026-11-30T00:00:00.000Z')",
      );
      storage.sql.exec("UPDATE hooks SET status = 'received', listening = 0");
      const settled = JSON.stringify({ kind: "done", order: 1, value: "go" });
      storage.sql.exec("UPDATE waits SET settled = ?, settled_at = '2026-11-30T00:00:00.000Z'", settled);
    });
    await scheduler.wait(200);
    expect((await run(id)).status).toBe("running");
    expect(await say(name, "stop")).toMatchObject({ kind: "decided", decision: "go" });
    expect(await say(name, "go")).toMatchObject({ kind: "resumed", repeated: true, status: "received" });
    expect((await ended(id)).output).toEqual({ results: ["go"] });
  });

  it("can come as soon as the question is in the inbox, however large that is", async () => {
    const name = token();
    const payload = { text: "y".repeat(700_000) };
    const id = await play({ do: "approval", token: name, payload });
    let answer = await say(name, { status: "approved" });
    await until(async () => {
      answer = await say(name, { status: "approved" });
      return answer.kind !== "unknown";
    });
    expect(answer).toMatchObject({ kind: "resumed", runId: id });
    expect((await ended(id)).output).toEqual({ results: [{ status: "approved", timedOut: false }] });
    expect(await inbox(id)).toMatchObject({ payload, status: "approved" });
  });

  it("finds a run whose object nobody had in memory", async () => {
    const name = token();
    const id = await refund(name);
    await waiting(id);
    await evictDurableObject(object(id));
    const item = await inbox(id);
    expect((await findInboxItem(env.DB, owner, item.id))?.objectId).toBe(object(id).id.toString());
    expect(await say(name, { status: "approved" })).toMatchObject({ kind: "resumed" });
    expect((await ended(id)).output).toMatchObject({ refunded: true });
  });
});

describe("a database that is away", () => {
  it("fails a question that cannot be written, after its attempts; one that comes back in time does not", async () => {
    await env.DB.prepare("ALTER TABLE approvals RENAME TO away").run();
    const [lost, found] = [token(), token()];
    const first = await refund(lost);
    await until(async () => (await run(first)).endedAt !== null, 20_000);
    const { failure, steps } = await run(first);
    expect(failure).toEqual({
      code: "approval_persist_failed",
      message: "The database cannot answer now.",
      step: "requestApproval",
    });
    expect(steps[0]?.attempts).toBe(4);
    const second = await refund(found);
    await until(async () => (await run(second)).steps[0]?.status === "retrying");
    await env.DB.prepare("ALTER TABLE away RENAME TO approvals").run();
    await waiting(second);
    expect(await say(found, { status: "approved" })).toMatchObject({ kind: "resumed" });
    expect((await ended(second)).output).toMatchObject({ refunded: true });
    // The token of the one that failed is free.
    expect(await say(lost, { status: "approved" })).toMatchObject({ kind: "closed" });
  }, 40_000);

  it("hears of a run's end once it is back", async () => {
    const id = await play({ do: "sleep", ms: 200 });
    await env.DB.prepare("ALTER TABLE workflow_runs RENAME TO away").run();
    const feed = await object(id).fetch("https://run/events?after=0");
    expect(await feed.text()).toContain('"status":"done"');
    await env.DB.prepare("ALTER TABLE away RENAME TO workflow_runs").run();
    const status = () =>
      env.DB.prepare("SELECT status FROM workflow_runs WHERE run_id = ?").bind(id).first("status");
    expect(await status()).toBe("running");
    await until(async () => (await status()) === "done", 10_000);
  });
});

describe("a token", () => {
  it("that a run listens on is refused to another, which is told which run; when that has ended it is free", async () => {
    const name = token();
    const first = await refund(name);
    await waiting(first);
    const second = await ended(await refund(name));
    expect(second.failure).toEqual({
      code: "hook_conflict",
      message: `The token ${JSON.stringify(name)} is taken: the run ${first} listens on it.`,
      step: "requestApproval",
    });
    expect(second.steps[0]?.attempts).toBe(1);
    await say(name, { status: "rejected" });
    await ended(first);
    const third = await refund(name);
    await waiting(third);
    expect(await say(name, { status: "approved" })).toMatchObject({ kind: "resumed", runId: third });
    expect((await ended(third)).output).toMatchObject({ refunded: true });
    // What the first run was told is still known to whoever asks its item.
    expect(await inbox(first)).toMatchObject({ status: "rejected" });
  });

  it("that no address can hold is refused, with every other one it works", async () => {
    for (const name of [".", "..", "\ud800", "x".repeat(201), ""]) {
      const { failure } = await ended(await play({ do: "hook", token: name }));
      expect(failure?.code).toBe("workflow_failed");
      expect(failure?.message).toMatch(/^(the token .* cannot stand in an address|a token has 1 to 200)/s);
    }
    for (const name of ["a/b", "%2F", "__proto__", "日本語 🎉", "a?b#c", "\u0000", "x".repeat(200)]) {
      const id = await play({ do: "hook", token: name });
      await waiting(id);
      expect(await say(name, 1)).toMatchObject({ kind: "resumed", runId: id, token: name });
      await ended(id);
    }
  });

  it("takes several payloads, in order, and each once by its key", async () => {
    const name = token();
    const id = await play({ do: "hook", token: name, payloads: 3 });
    await waiting(id);
    expect(await resumeHook(env, owner, name, 1, { key: "a" })).toMatchObject({ repeated: false });
    expect(await resumeHook(env, owner, name, 1, { key: "a" })).toMatchObject({ repeated: true });
    expect(await resumeHook(env, owner, name, 1, { key: "b" })).toMatchObject({ repeated: false });
    expect(await resumeHook(env, owner, name, 2, { key: "b" })).toMatchObject({
      kind: "decided",
      decision: 1,
      message: "The idempotency key has handed over another payload; use another key.",
    });
    expect(await resumeHook(env, owner, name, "end")).toMatchObject({ repeated: false });
    expect((await ended(id)).output).toEqual({ results: [[1, 1, "end"]] });
    expect(await resumeHook(env, owner, name, 2)).toMatchObject({ kind: "closed" });
  });
});

describe("a hook that is raced with a sleep, again and again", () => {
  it("gives the live wait what comes, and no dead one eats it", async () => {
    const name = token();
    const id = await begin("follow-up", { customer: "ada", token: name, reminders: 3, every: "300ms" });
    await until(async () => (await run(id)).steps.filter(({ name }) => name === "write").length === 3);
    expect(await resumeHook(env, owner, name, { text: 7 })).toMatchObject({
      kind: "invalid",
      issues: [{ path: "text", message: "Invalid input: expected string, received number" }],
    });
    expect(await resumeHook(env, owner, name, { text: "Hi" })).toMatchObject({ kind: "resumed" });
    expect((await ended(id)).output).toEqual({ customer: "ada", reply: "Hi", messages: 3 });
    const silent = await begin("follow-up", { customer: "bob", token: name, reminders: 1, every: "50ms" });
    expect((await ended(silent)).output).toEqual({ customer: "bob", reply: null, messages: 2 });
  });
});

describe("the inbox", () => {
  it("gives large questions in short pages, and leaves none out", async () => {
    const names = Array.from({ length: 9 }, token);
    const payload = { text: "y".repeat(1_000_000) };
    const ids = await Promise.all(names.map((name) => play({ do: "approval", token: name, payload })));
    await Promise.all(ids.map((id) => waiting(id)));
    const seen: string[] = [];
    const sizes: number[] = [];
    let before: { at: string; id: string } | null = null;
    for (let more = true; more; ) {
      const filter = { kind: "workflow", status: "pending" } as const;
      const page: Awaited<ReturnType<typeof listInboxItems>> = await listInboxItems(env.DB, owner, filter, {
        limit: 100,
        before,
      });
      sizes.push(page.items.length);
      seen.push(...page.items.map(({ runId }) => runId));
      more = page.more;
      const last = page.items.at(-1);
      before = last === undefined ? null : { at: last.createdAt, id: last.id };
    }
    expect(sizes).toEqual([4, 4, 1]);
    expect([...seen].sort()).toEqual([...ids].sort());
    await Promise.all(ids.map((id) => cancelRun(env, owner, id)));
  });
});

describe("two hundred runs that wait", () => {
  it("set no alarm but their deadlines, and all end once they are decided", async () => {
    const tokens = Array.from({ length: 200 }, token);
    const ids = await Promise.all(
      tokens.map((name, place) =>
        place % 2 === 0
          ? play({ do: "hook", token: name })
          : play({ do: "approval", token: name, timeoutMs: 3_600_000 }),
      ),
    );
    const runs = () => Promise.all(ids.map(run));
    const alarms = () =>
      Promise.all(ids.map((id) => runInDurableObject(object(id), (_, { storage }) => storage.getAlarm())));
    // Until the look after the last thing their code did, and not a moment's work after that.
    let set: (number | null)[] = [];
    await until(async () => {
      await scheduler.wait(1_000);
      set = await alarms();
      return set.filter((alarm) => alarm === null).length === 100;
    }, 60_000);
    for (const [place, { waits }] of (await runs()).entries()) {
      expect(waits).toMatchObject([{ status: "open" }]);
      const deadline = waits[0]?.until ?? null;
      expect(deadline === null).toBe(place % 2 === 0);
      expect(set[place]).toBe(deadline === null ? null : Date.parse(deadline));
    }
    const said = await Promise.all(tokens.map((name) => say(name, { status: "approved" })));
    expect(said.every(({ kind }) => kind === "resumed")).toBe(true);
    await Promise.all(ids.map(async (id) => (await object(id).fetch("https://run/events?after=0")).text()));
    for (const { status, steps } of await runs()) {
      expect(status).toBe("done");
      expect(steps.every(({ attempts }) => attempts === 1)).toBe(true);
    }
  }, 120_000);
});
