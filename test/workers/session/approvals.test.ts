import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { api, Client, effectsOf, interruptsOf, lastReply, leaveNothing } from "./client.ts";
import { away, gateBatches, latch } from "./database.ts";

afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(leaveNothing);

/** A client whose session waits for approvals, and their ids. */
async function paused(say: string, client = new Client()): Promise<{ client: Client; ids: string[] }> {
  const turn = await client.say(say);
  return { client, ids: interruptsOf(turn).map(({ id }) => id) };
}

describe("an approval", () => {
  it("is in the inbox once the client sees the pause, and the call runs by itself when it is approved", async () => {
    const client = new Client();
    const turn = await client.say("Delete notes.txt");
    const [interrupt] = interruptsOf(turn);
    expect(interrupt).toMatchObject({ tool: "delete_file", args: { path: "notes.txt" } });
    expect(interrupt?.message).toBe("Delete notes.txt for good?");
    const id = interrupt?.id ?? "";
    const [run] = await client.runs(1);
    expect(run?.runId).toMatch(/-run-2$/);
    expect(await client.inbox()).toMatchObject([
      { id, status: "pending", decidedBy: null, interrupt, runId: run?.runId },
    ]);
    expect(await client.refusal({ messages: [client.message("hello?")] })).toBe("approval_pending");
    expect(await client.approve(id)).toEqual({ status: 200, body: { id, status: "approved" } });
    const snapshot = await client.settled();
    expect(lastReply(snapshot)).toBe("delete_file says: Deleted notes.txt.");
    expect(snapshot).toMatchObject({ interrupts: [], state: { files: ["report.txt"] } });
    expect(await client.inbox()).toMatchObject([{ status: "approved", decidedBy: "inbox" }]);
  });

  it("shows what led to it", async () => {
    const { client, ids } = await paused("Delete notes.txt");
    const { body } = await api<{ id: string; history: { role: string }[] }>(`/api/approvals/${ids[0]}`);
    expect(body.history.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect((await client.snapshot()).interrupts).toHaveLength(1);
  });

  it("is rejected with a reason, which the agent is told", async () => {
    const { client, ids } = await paused("Delete notes.txt");
    await client.reject(ids[0] ?? "", "keep it");
    const snapshot = await client.settled();
    expect(lastReply(snapshot)).toBe(
      "delete_file failed: A person refused this call of delete_file; it was not run. Reason: keep it",
    );
    expect(effectsOf(snapshot)).toEqual([]);
    expect(await client.inbox()).toMatchObject([
      { status: "rejected", decidedBy: "inbox", decision: { kind: "reject", reason: "keep it" } },
    ]);
  });

  it("is approved with other arguments, if they fit", async () => {
    const { client, ids } = await paused("Delete notes.txt");
    const wrong = await client.approve(ids[0] ?? "", { editedArgs: { path: 7 } });
    expect(wrong).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } });
    expect((await client.snapshot()).interrupts).toHaveLength(1);
    await client.approve(ids[0] ?? "", { editedArgs: { path: "report.txt" } });
    expect((await client.settled()).state.files).toEqual(["notes.txt"]);
  });

  it.each(["inbox", "wire"] as const)(
    "by %s is one run from its question to its reply, with what all of it used",
    async (door) => {
      const { client, ids } = await paused("Delete notes.txt");
      const id = ids[0] ?? "";
      const [waiting] = await client.runs(1);
      expect(waiting?.status).toBe("interrupted");
      if (door === "inbox") await client.approve(id);
      else await client.send({ resume: [{ interruptId: id, decision: { kind: "approve" } }] });
      await client.settled();
      await vi.waitFor(async () => expect((await client.runs(1))[0]?.status).toBe("done"));
      const [done, ...others] = await client.runs(1);
      expect(others).toEqual([]);
      expect(done?.runId).toBe(waiting?.runId);
      expect(done?.usage.outputTokens).toBeGreaterThan(waiting?.usage.outputTokens ?? 0);
    },
  );

  it("of one of two calls leaves the turn waiting; the sibling that ran is not run again", async () => {
    const { client, ids } = await paused("Delete notes.txt and report.txt, and tell me the weather in Paris");
    expect(ids).toHaveLength(2);
    await client.approve(ids[1] ?? "");
    expect(await client.snapshot()).toMatchObject({ running: false, interrupts: [{ id: ids[0] }] });
    await client.reject(ids[0] ?? "");
    const snapshot = await client.settled();
    expect(snapshot.state.files).toEqual(["notes.txt"]);
    expect(
      effectsOf(snapshot)
        .map(({ tool }) => tool)
        .sort(),
    ).toEqual(["delete_file", "weather"]);
  });

  it("inside a subagent goes on in the subagent", async () => {
    const { client, ids } = await paused("Ask the helper to delete notes.txt");
    expect(await client.inbox()).toMatchObject([{ interrupt: { subagent: "helper" } }]);
    await client.approve(ids[0] ?? "");
    const snapshot = await client.settled();
    expect(lastReply(snapshot)).toBe("The helper says: delete_file says: Deleted notes.txt.");
    expect(effectsOf(snapshot)).toHaveLength(1);
  });

  it("of an agent asked over the step wire is decided in the inbox, and the next step knows of it", async () => {
    const session_id = crypto.randomUUID();
    const step = (message: string) =>
      api<{ reply: string; error: { code: string; failure?: string } }>(
        "/sandtable/v1/agents/playground/step",
        {
          body: { session_id, system: "", tools: [], message },
        },
      );
    const asked = await step("Delete notes.txt");
    expect(asked).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
    const client = new Client("playground", { key: `step:${session_id}` });
    const [row] = await client.inbox();
    expect((await step("hello?")).status).toBe(409);
    await client.approve(row?.id ?? "");
    await client.settled();
    expect((await step("Hello")).body).toEqual({ reply: "You said: Hello" });
    expect((await client.snapshot()).state.files).toEqual(["report.txt"]);
  });

  it("of the support desk's refund asks for the order it is about", async () => {
    const client = new Client("support");
    await client.say("I want a refund for order 1042");
    const [row] = await client.inbox();
    expect(row?.interrupt).toMatchObject({ tool: "refund_order" });
    await client.approve(row?.id ?? "");
    expect((await client.settled()).state.refunds).toHaveLength(1);
  });

  it("is another owner's business", async () => {
    const { client, ids } = await paused("Delete notes.txt");
    const other = new Client("playground", { key: client.key, token: "somebody else" });
    expect((await other.approve(ids[0] ?? "")).status).toBe(404);
    expect((await api(`/api/approvals/${ids[0]}`, { token: other.token })).status).toBe(404);
    expect(await other.inbox()).toEqual([]);
    expect(await other.exists()).toBe(false);
    expect((await other.say("Hello")).text).toBe("You said: Hello");
    expect((await client.snapshot()).messages).toHaveLength(2);
  });

  it("survives the object that asked", async () => {
    const { client, ids } = await paused("Delete notes.txt");
    await evictDurableObject(await client.object());
    expect((await client.snapshot()).interrupts).toMatchObject([{ id: ids[0] }]);
    expect(await client.inbox()).toMatchObject([{ id: ids[0], status: "pending" }]);
    await evictDurableObject(await client.object());
    expect((await client.approve(ids[0] ?? "")).status).toBe(200);
    expect(lastReply(await client.settled())).toBe("delete_file says: Deleted notes.txt.");
  });

  it("of a session that is gone is gone", async () => {
    const { client, ids } = await paused("Delete notes.txt");
    await client.delete();
    expect((await client.approve(ids[0] ?? "")).status).toBe(404);
    expect(await client.inbox()).toEqual([]);
  });
});

describe("two decisions", () => {
  it("at once: one wins, the other is told, and what happens is what won", async () => {
    for (let round = 0; round < 12; round += 1) {
      const { client, ids } = await paused("Delete notes.txt");
      const id = ids[0] ?? "";
      const acts = [() => client.approve(id), () => client.reject(id, "no")];
      const [one, two] = await Promise.all((round % 2 === 0 ? acts : acts.reverse()).map((act) => act()));
      expect([one?.status, two?.status].sort()).toEqual([200, 409]);
      const winner = one?.status === 200 ? one : two;
      const snapshot = await client.settled();
      expect(effectsOf(snapshot)).toHaveLength(winner?.body.status === "approved" ? 1 : 0);
      expect(await client.inbox()).toMatchObject([{ status: winner?.body.status }]);
    }
  });

  it("by inbox and wire at once: one wins", async () => {
    for (let round = 0; round < 12; round += 1) {
      const { client, ids } = await paused("Delete notes.txt");
      const id = ids[0] ?? "";
      const inbox = () => client.approve(id).then(({ status }) => status === 200);
      const wire = () =>
        client
          .start({ resume: [{ interruptId: id, decision: { kind: "reject" } }] })
          .then((started) => started.ok || started.failure.code);
      const both = round % 2 === 0 ? [inbox(), wire()] : [wire(), inbox()];
      const answers = await Promise.all(both);
      const [byInbox, byWire] = round % 2 === 0 ? answers : answers.reverse();
      expect(byInbox === true).toBe(byWire !== true);
      if (byWire !== true) expect(["turn_in_progress", "unknown_interrupt"]).toContain(byWire);
      const snapshot = await client.settled();
      expect(effectsOf(snapshot)).toHaveLength(byInbox === true ? 1 : 0);
      await vi.waitFor(async () =>
        expect(await client.inbox()).toMatchObject([
          byInbox === true
            ? { status: "approved", decidedBy: "inbox" }
            : { status: "rejected", decidedBy: "wire" },
        ]),
      );
    }
  });

  it("the same way are one: repeated by the inbox, repeated by the wire, the effect happens once", async () => {
    const { client, ids } = await paused("Delete notes.txt");
    const id = ids[0] ?? "";
    const resume = [{ interruptId: id, decision: { kind: "approve" as const } }];
    const statuses = await Promise.all([client.approve(id), client.approve(id)]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
    await client.settled();
    const again = await client.send({ resume });
    expect(again.outcome).toMatchObject({ type: "success", pendingCallIds: [] });
    expect(again.events.map(({ type }) => type)).toEqual([
      "turn-start",
      "state-snapshot",
      "messages-snapshot",
      "usage",
      "turn-end",
    ]);
    expect(effectsOf(await client.snapshot())).toHaveLength(1);
  });

  it("by the wire twice at once: the second hears the turn the first began", async () => {
    const { client, ids } = await paused("Delete notes.txt");
    const resume = [{ interruptId: ids[0] ?? "", decision: { kind: "approve" as const } }];
    const turns = await Promise.all([client.send({ resume }), client.send({ resume })]);
    // The later one finds the turn begun, or over.
    expect(turns.map(({ outcome }) => outcome.type)).toEqual(["success", "success"]);
    const results = turns.flatMap(({ events }) => events.filter(({ type }) => type === "call-result"));
    expect(results[0]).toMatchObject({ content: "Deleted notes.txt." });
    expect(effectsOf(await client.snapshot())).toHaveLength(1);
  });
});

describe("a decision in the moment of the pause", () => {
  it("made while it is announced is taken up at once: the client sees no pause", async () => {
    const client = new Client();
    let approved: Promise<unknown> | null = null;
    gateBatches(async (send, queries) => {
      const done = await send();
      if (approved === null && queries.some((query) => query.startsWith("INSERT INTO approvals"))) {
        // The row is there; the session has not heard so.
        const [row] = await client.inbox();
        approved = client.approve(row?.id ?? "");
        await approved;
      }
      return done;
    });
    const turn = await client.say("Delete notes.txt");
    expect(await approved).toMatchObject({ status: 200 });
    expect(turn.outcome.type).toBe("success");
    expect(turn.text).toBe("delete_file says: Deleted notes.txt.");
    expect(effectsOf(await client.snapshot())).toHaveLength(1);
  });

  it("is not possible before the pause is in the inbox: until then the client sees none", async () => {
    const client = new Client();
    const arrived = latch();
    const go = latch();
    gateBatches(async (send, queries) => {
      if (queries.some((query) => query.startsWith("INSERT INTO approvals"))) {
        arrived.open();
        await go.wait();
      }
      return send();
    });
    let seen = false;
    const turn = client.say("Delete notes.txt").then((played) => {
      seen = true;
      return played;
    });
    await arrived.wait();
    expect(await client.inbox()).toEqual([]);
    expect((await client.snapshot()).running).toBe(true);
    expect(await client.refusal({ messages: [client.message("x")] })).toBe("turn_in_progress");
    expect(seen).toBe(false);
    go.open();
    expect((await turn).outcome.type).toBe("interrupt");
    expect(await client.inbox()).toHaveLength(1);
  });
});

describe("a database that is away", () => {
  it("while a pause is announced ends the turn typed: nothing ran, nothing waits, the next message is taken", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const client = new Client();
    let attempts = 0;
    gateBatches((send, queries) => {
      if (!queries.some((query) => query.startsWith("INSERT INTO approvals"))) return send();
      attempts += 1;
      return Promise.reject(away());
    });
    const turn = await client.say("Delete notes.txt");
    expect(attempts).toBe(3);
    expect(turn.outcome).toMatchObject({
      type: "failed",
      failure: { code: "internal_error", retryable: true },
    });
    vi.restoreAllMocks();
    const snapshot = await client.snapshot();
    expect(snapshot.interrupts).toEqual([]);
    expect(effectsOf(snapshot)).toEqual([]);
    expect(snapshot.messages.at(-1)).toMatchObject({ role: "tool", isError: true });
    expect(await client.inbox()).toEqual([]);
    expect((await client.say("Hello")).text).toBe("You said: Hello");
    expect((await client.runs(2)).map(({ status }) => status)).toEqual(["failed", "done"]);
  });

  it("for a moment only delays the pause", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const client = new Client();
    let failures = 2;
    gateBatches((send, queries) => {
      const announces = queries.some((query) => query.startsWith("INSERT INTO approvals"));
      if (!announces || failures === 0) return send();
      failures -= 1;
      return Promise.reject(away());
    });
    expect((await client.say("Delete notes.txt")).outcome.type).toBe("interrupt");
    expect(await client.inbox()).toHaveLength(1);
  });

  it("when a decision is noted: the decision holds, and the inbox hears of it later", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { client, ids } = await paused("Delete notes.txt");
    await client.runs(1);
    gateBatches(() => Promise.reject(away()));
    expect((await client.approve(ids[0] ?? "")).status).toBe(200);
    expect(effectsOf(await client.settled())).toHaveLength(1);
    expect(await client.inbox()).toMatchObject([{ status: "pending" }]);
    vi.restoreAllMocks();
    // Another answer in the meantime does not win.
    expect((await client.reject(ids[0] ?? "")).status).toBe(409);
    expect(await client.inbox()).toMatchObject([{ status: "approved", decidedBy: "inbox" }]);
    expect((await client.runs(1))[0]?.status).toBe("done");
  });

  it("when a turn ends: the alarm tells it what it missed", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const client = new Client();
    gateBatches(() => Promise.reject(away()));
    await client.say("Hello");
    await client.say("Use the failing tool");
    vi.restoreAllMocks();
    await evictDurableObject(await client.object());
    expect(await runDurableObjectAlarm(await client.object())).toBe(true);
    expect((await client.runs(2)).map(({ status }) => status)).toEqual(["done", "done"]);
  });
});
