import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { StoredTurn } from "../../../objects/stored-turn.ts";
import { replayThread } from "../../../src/agents/runtime/start-turn.ts";
import type { TurnEvent } from "../../../src/turn/index.ts";
import {
  api,
  Client,
  effectsOf,
  lastReply,
  leaveNothing,
  ownerOf,
  pause,
  type RunRow,
  readTurn,
} from "./client.ts";
import { away, gateBatches, latch } from "./database.ts";

afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(leaveNothing);

/** The class of statements, the same in the Worker and in its objects; sessions use `run` only to delete. */
const statements = Object.getPrototypeOf(env.DB.prepare("SELECT 1")) as D1PreparedStatement;

/** Changes the stored turn of a session whose object is not running, as an earlier life of it would have left it. */
async function rewriteTurn(client: Client, changes: Partial<StoredTurn>): Promise<void> {
  await runInDurableObject(await client.object(), (_, { storage }) => {
    const { value } = storage.sql.exec("SELECT value FROM meta WHERE name = 'turn'").one();
    const turn = { ...(JSON.parse(String(value)) as StoredTurn), ...changes };
    storage.sql.exec("UPDATE meta SET value = ? WHERE name = 'turn'", JSON.stringify(turn));
  });
  // What an object has read it keeps.
  await evictDurableObject(await client.object());
}

/** Names of the tables a session's object has. */
async function tables(client: Client): Promise<string[]> {
  return runInDurableObject(await client.object(), (_, { storage }) =>
    storage.sql
      .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'")
      .toArray()
      .map(({ name }) => String(name)),
  );
}

async function replay(client: Client, after: number): Promise<{ seq: number; event: TurnEvent }[] | null> {
  const events = await replayThread(
    { env, owner: await ownerOf(client.token) },
    client.agent,
    client.key,
    after,
  );
  if (events === null) return null;
  const seen: { seq: number; event: TurnEvent }[] = [];
  for await (const batch of events) seen.push(...batch);
  return seen;
}

describe("a session", () => {
  it("keeps what was said, across objects", async () => {
    const client = new Client();
    await client.say("Remember the word kiwi");
    await evictDurableObject(await client.object());
    expect((await client.say("What was the word?")).text).toBe("The word was kiwi.");
  });

  it("keeps arguments as long as a row can hold, and answers longer ones with an error", async () => {
    const client = new Client();
    const long = await client.say("Call a tool with arguments of 499000 characters");
    expect(long.outcome.type).toBe("success");
    const longer = await client.say("Call a tool with arguments of 900000 characters");
    expect(longer.outcome.type).toBe("success");
    expect(longer.text).toBe(
      "weather failed: The arguments of weather are longer than 500000 characters. The call was not run.",
    );
    const calls = (await client.snapshot()).messages.flatMap((message) =>
      message.role === "assistant" ? message.blocks.filter(({ type }) => type === "call") : [],
    );
    expect(calls.map((call) => JSON.stringify(call).length > 499_000)).toEqual([true, true]);
    expect((await client.say("Remember the word kiwi")).outcome.type).toBe("success");
  });

  it("belongs to owner, agent and key", async () => {
    const client = new Client();
    await client.say("Remember the word kiwi");
    for (const other of [
      new Client("playground", { key: client.key, token: "other" }),
      new Client("support", { key: client.key }),
      new Client("playground", { key: `${client.key} ` }),
    ]) {
      expect(await other.exists()).toBe(false);
    }
    // Not a concatenation: the parts cannot be shifted into each other.
    expect(await new Client("play", { key: `ground${client.key}` }).exists()).toBe(false);
  });

  it("is not begun by a request that is refused", async () => {
    const client = new Client();
    const decision = { kind: "approve" as const };
    expect(await client.refusal({ resume: [{ interruptId: "int_x", decision }] })).toBe("unknown_interrupt");
    expect(await client.refusal({ messages: [] })).toBe("invalid_messages");
    const stray = { role: "tool" as const, id: "r", callId: "nobody", content: "x", isError: false };
    expect(await client.refusal({ messages: [stray] })).toBe("invalid_messages");
    const forwarded = "x".repeat(600_000);
    expect(await client.refusal({ messages: [client.message("Hello")], forwarded })).toBe("invalid_messages");
    expect(await client.exists()).toBe(false);
    expect(await tables(client)).toEqual([]);
    expect((await client.say("Hello")).text).toBe("You said: Hello");
  });

  it("refuses tools named like the agent's own, or like each other", async () => {
    const named = (...names: string[]) => names.map((name) => ({ name, description: "", parameters: {} }));
    const client = new Client();
    for (const clientTools of [named("weather"), named("task"), named("a", "b", "a")]) {
      expect(await client.refusal({ messages: [client.message("Hello")], clientTools })).toBe(
        "invalid_messages",
      );
    }
  });

  it("keeps messages that do not fit a row, to the letter", async () => {
    const client = new Client();
    const long = "😀é\u0000x".repeat(400_000);
    await client.say(`${long} What was the word?`);
    await evictDurableObject(await client.object());
    const [first] = (await client.snapshot()).messages;
    expect(
      first?.role === "user" &&
        first.parts[0]?.type === "text" &&
        first.parts[0].text === `${long} What was the word?`,
    ).toBe(true);
    expect((await client.say("Remember the word kiwi")).text).toBe("I will remember the word kiwi.");
  });

  it("of any length is shown whole", async () => {
    const client = new Client();
    await client.say("Hello");
    const text = "é".repeat(300_000);
    await runInDurableObject(await client.object(), (_, { storage }) => {
      for (let n = 3; n < 130; n += 1) {
        const body = JSON.stringify({ role: "user", id: `m${n}`, parts: [{ type: "text", text }] });
        storage.sql.exec(
          "INSERT INTO messages (frame, n, id, role, body) VALUES ('main', ?, ?, 'user', ?)",
          ...[n, `m${n}`, body],
        );
      }
    });
    // More than one call between objects can carry.
    const { messages } = await client.snapshot();
    expect(messages).toHaveLength(129);
    expect(messages.at(-1)).toEqual({ role: "user", id: "m129", parts: [{ type: "text", text }] });
  });

  it("with a picture in it does not forget what was said before", async () => {
    const client = new Client();
    await client.say("Remember the word kiwi");
    const data = "A".repeat(1_500_000);
    const picture = { type: "media" as const, kind: "image" as const, mediaType: "image/png", data };
    const { text } = await client.send({
      messages: [{ role: "user", id: "p", parts: [{ type: "text", text: "What did I send?" }, picture] }],
    });
    expect(text).toBe("You sent image (image/png).");
    await evictDurableObject(await client.object());
    expect((await client.say("What was the word?")).text).toBe("The word was kiwi.");
  });

  it("keeps a client's tools until its user speaks again", async () => {
    const client = new Client();
    const clientTools = [{ name: "open_modal", description: "", parameters: { type: "object" } }];
    const first = await client.say("Use my tool and delete notes.txt", { clientTools });
    expect(first.outcome).toMatchObject({ type: "interrupt", pendingCallIds: [expect.any(String)] });
    const [interrupt] = (await client.snapshot()).interrupts;
    const resume = [{ interruptId: interrupt?.id ?? "", decision: { kind: "reject" as const } }];
    // As HttpAgent does: all it holds, and no tools.
    await client.send({ resume, messages: (await client.snapshot()).messages });
    const stored = () =>
      client
        .object()
        .then((object) =>
          runInDurableObject(object, (_, { storage }) =>
            String(storage.sql.exec("SELECT value FROM meta WHERE name = 'work'").one().value),
          ),
        );
    expect(await stored()).toContain("open_modal");
    await client.say("Hello");
    expect(await stored()).not.toContain("open_modal");
  });
});

describe("one turn at a time", () => {
  it("a second message is refused while one is played, and a repetition hears it", async () => {
    const client = new Client();
    const messages = [client.message("Use the slow tool for 150 ms")];
    const started = await client.start({ messages });
    if (!started.ok) throw new Error(started.failure.code);
    const first = readTurn(started.events);
    expect(await client.refusal({ messages: [client.message("Hello")] })).toBe("turn_in_progress");
    const second = await client.send({ messages, runId: "again" });
    expect((await first).text).toBe("slow_tool says: Waited 150 ms.");
    expect(second.events).toEqual((await first).events);
    expect(effectsOf(await client.snapshot())).toHaveLength(1);
    expect((await client.snapshot()).messages).toHaveLength(4);
  });

  it("two first messages at once: one is taken", async () => {
    const client = new Client();
    const outcomes = await Promise.all(
      ["one", "two"].map((word) =>
        client.start({ messages: [client.message(`Use the slow tool for 40 ms, ${word}`)] }),
      ),
    );
    expect(outcomes.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect((await client.settled()).messages).toHaveLength(4);
  });

  it("is not played twice because the record of the one before is still on its way", async () => {
    const client = new Client();
    const told = latch();
    const held = latch();
    let first = true;
    gateBatches(async (send) => {
      if (first) {
        first = false;
        held.open();
        await told.wait();
      }
      return send();
    });
    await client.say("Hello");
    await held.wait();
    const slow = await client.start({ messages: [client.message("Use the slow tool for 200 ms")] });
    if (!slow.ok) throw new Error(slow.failure.code);
    const turn = readTurn(slow.events);
    told.open();
    await pause(30);
    // Each of these used to find nothing playing, and began the turn again.
    expect(await client.refusal({ messages: [client.message("Hello")] })).toBe("turn_in_progress");
    expect(await runDurableObjectAlarm(await client.object())).toBe(true);
    expect((await client.snapshot()).running).toBe(true);
    expect((await turn).text).toBe("slow_tool says: Waited 200 ms.");
    expect(effectsOf(await client.snapshot())).toHaveLength(1);
    expect((await client.snapshot()).messages).toHaveLength(6);
  });

  it("goes on when nobody listens", async () => {
    const client = new Client();
    const started = await client.start({ messages: [client.message("Use the slow tool for 60 ms")] });
    if (!started.ok) throw new Error(started.failure.code);
    const events = started.events[Symbol.asyncIterator]();
    await events.next();
    await events.return?.();
    expect(lastReply(await client.settled())).toBe("slow_tool says: Waited 60 ms.");
  });
});

describe("a turn whose object dies in it", () => {
  it("goes on by the alarm: the call that ran is not run again", async () => {
    const client = new Client();
    const started = await client.start({ messages: [client.message("Use the slow tool for 20000 ms")] });
    if (!started.ok) throw new Error(started.failure.code);
    const reading = readTurn(started.events).catch(() => null);
    await pause(30);
    await abortAllDurableObjects();
    await reading;
    expect(await runDurableObjectAlarm(await client.object())).toBe(true);
    const snapshot = await client.settled();
    expect(lastReply(snapshot)).toMatch(/^slow_tool failed: This call was interrupted/);
    expect(effectsOf(snapshot)).toHaveLength(1);
    expect((await client.runs(1)).map(({ status }) => status)).toEqual(["done"]);
  });

  it("goes on when anybody asks: for its events, its state, with a message, or with a decision", async () => {
    const asks: ((client: Client) => Promise<unknown>)[] = [
      (client) => replay(client, 0),
      (client) => client.snapshot(),
      (client) => client.refusal({ messages: [client.message("Hello")] }).catch(() => null),
      async (client) => (await client.object()).decide("int_none", '{"kind":"approve"}'),
    ];
    for (const ask of asks) {
      const client = new Client();
      await client.say("Hello");
      await evictDurableObject(await client.object());
      await rewriteTurn(client, { status: "running" });
      await ask(client);
      const epoch = async () =>
        runInDurableObject(
          await client.object(),
          (_, { storage }) =>
            (
              JSON.parse(
                String(storage.sql.exec("SELECT value FROM meta WHERE name = 'turn'").one().value),
              ) as StoredTurn
            ).epoch,
        );
      expect(await epoch()).toBe(2);
      await client.settled();
    }
  });

  it("again and again is ended, typed, with no call left open", async () => {
    const client = new Client();
    await client.say("Delete notes.txt");
    await evictDurableObject(await client.object());
    await rewriteTurn(client, { status: "running", restarts: 5 });
    const told = await replay(client, 0);
    expect(told?.at(-1)?.event).toMatchObject({
      type: "turn-end",
      outcome: { type: "failed", failure: { code: "interrupted", retryable: true } },
    });
    const snapshot = await client.snapshot();
    expect(snapshot.interrupts).toEqual([]);
    expect(snapshot.messages.at(-1)).toMatchObject({ role: "tool", isError: true });
    await vi.waitFor(async () => expect(await client.inbox()).toMatchObject([{ status: "cancelled" }]));
    expect((await client.say("Hello")).text).toBe("You said: Hello");
  });

  it("whose agent is gone since is ended, typed", async () => {
    const client = new Client();
    await client.say("Hello");
    await evictDurableObject(await client.object());
    await rewriteTurn(client, { status: "running" });
    await runInDurableObject(await client.object(), (_, { storage }) => {
      storage.sql.exec("UPDATE meta SET value = replace(value, 'playground', 'retired') WHERE name = 'work'");
    });
    const told = await replay(client, 0);
    expect(told?.at(-1)?.event).toMatchObject({
      outcome: { type: "failed", failure: { code: "unknown_agent" } },
    });
  });
});

describe("cancelling a run", () => {
  const cancel = (runId: string, token = "t") =>
    api<{ status: string; endedAt: string | null; error?: { code: string; message: string } }>(
      `/api/runs/${runId}/cancel`,
      { method: "POST", token },
    );
  const show = (runId: string, token = "t") => api<RunRow>(`/api/runs/${runId}`, { token });

  it("ends the turn under way as cancelled, and the conversation goes on", async () => {
    const client = new Client();
    const seen = client.say("Count slowly to 1000");
    const [run] = await client.runs(1);
    expect(run).toMatchObject({ status: "running", endedAt: null, model: "scripted" });
    const runId = run?.runId ?? "";
    expect((await show(runId)).body).toEqual(run);
    const others = await Promise.all([show(runId, "other"), cancel(runId, "other"), cancel("nobody")]);
    expect(others.map(({ status }) => status)).toEqual([404, 404, 404]);

    expect(await cancel(runId)).toMatchObject({ status: 200, body: { runId, status: "cancelled" } });
    const { outcome, events } = await seen;
    expect(outcome).toEqual({ type: "cancelled" });
    expect(events.filter(({ type }) => type === "turn-end")).toHaveLength(1);
    expect((await client.snapshot()).running).toBe(false);
    expect(await cancel(runId)).toMatchObject({ status: 200, body: { status: "cancelled" } });
    expect((await client.runs(1)).map(({ status }) => status)).toEqual(["cancelled"]);
    expect((await client.say("Remember the word kiwi")).outcome.type).toBe("success");
  });

  it("is done by the session as well, at once, by whoever owns it", async () => {
    const client = new Client();
    const end = (token = "t") =>
      api<{ cancelled: boolean }>(`/api/sessions/playground/${encodeURIComponent(client.key)}/cancel`, {
        method: "POST",
        token,
      });
    expect((await end()).status).toBe(404);
    const seen = client.say("Count slowly to 1000");
    await vi.waitFor(async () => expect((await client.snapshot()).running).toBe(true));
    expect((await end("other")).status).toBe(404);
    expect(await end()).toMatchObject({ status: 200, body: { cancelled: true } });
    expect((await seen).outcome).toEqual({ type: "cancelled" });
    expect(await end()).toMatchObject({ status: 200, body: { cancelled: false } });
    await client.say("Delete notes.txt");
    expect(await end()).toMatchObject({ status: 200, body: { cancelled: true } });
    expect((await client.inbox()).map(({ status }) => status)).toEqual(["cancelled"]);
    expect((await client.say("Hello")).outcome.type).toBe("success");
  });

  it("leaves what a tool has done, and answers the call that was running", async () => {
    const client = new Client();
    const seen = client.say("Tell me the weather in Paris and use the slow tool for 20000 ms");
    const [run] = await client.runs(1);
    expect((await cancel(run?.runId ?? "")).status).toBe(200);
    expect((await seen).outcome).toEqual({ type: "cancelled" });
    const snapshot = await client.snapshot();
    expect(effectsOf(snapshot).map(({ tool }) => tool)).toContain("weather");
    const results = snapshot.messages.filter(({ role }) => role === "tool");
    expect(results).toMatchObject([
      { isError: false },
      { isError: true, content: expect.stringContaining("its outcome is not known") },
    ]);
  });

  it("withdraws what waits for a person", async () => {
    const client = new Client();
    await client.say("Delete notes.txt and ask the helper to delete report.txt");
    const [run] = await client.runs(1);
    expect(run?.status).toBe("interrupted");
    const waiting = await client.inbox();
    expect(waiting.map(({ status }) => status)).toEqual(["pending", "pending"]);
    expect((await cancel(run?.runId ?? "")).body.status).toBe("cancelled");
    expect((await client.inbox()).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    expect((await client.approve(waiting[0]?.id ?? "")).status).toBe(409);
    const { messages, interrupts } = await client.snapshot();
    expect(interrupts).toEqual([]);
    expect(messages.filter(({ role }) => role === "tool")).toMatchObject([
      {
        content: "The turn was cancelled before a person had decided about this call; it was not run.",
        isError: true,
      },
      { isError: true },
    ]);
    const replayed = await replay(client, 0);
    expect(replayed?.at(-1)?.event).toEqual({ type: "turn-end", outcome: { type: "cancelled" } });
    expect((await client.say("Remember the word kiwi")).outcome.type).toBe("success");
  });

  it("is refused when the run has ended, and leaves a later turn alone", async () => {
    const client = new Client();
    await client.say("Hello");
    const [run] = await client.runs(1);
    const second = client.say("Count slowly to 60");
    expect(await cancel(run?.runId ?? "")).toMatchObject({
      status: 409,
      body: { error: { code: "conflict", message: expect.stringContaining("has ended: done") } },
    });
    expect((await second).outcome.type).toBe("success");
    await client.runs(2);
  });
});

describe("deleting a session", () => {
  it("leaves nothing", async () => {
    const client = new Client();
    await client.say("Delete notes.txt");
    expect((await client.delete()).status).toBe(204);
    expect(await client.exists()).toBe(false);
    expect(await tables(client)).toEqual([]);
    expect(await client.inbox()).toEqual([]);
    expect(await runDurableObjectAlarm(await client.object())).toBe(false);
    expect((await client.delete()).status).toBe(404);
    expect((await client.say("What was the word?")).text).toBe("You have not told me a word.");
    expect((await client.snapshot()).messages).toHaveLength(2);
  });

  it("cancels the turn under way, whose stream says so", async () => {
    const client = new Client();
    const started = await client.start({ messages: [client.message("Use the slow tool for 20000 ms")] });
    if (!started.ok) throw new Error(started.failure.code);
    const turn = readTurn(started.events);
    await pause(30);
    expect((await client.delete()).status).toBe(204);
    expect((await turn).outcome).toEqual({ type: "cancelled" });
    expect(await client.exists()).toBe(false);
    expect(await tables(client)).toEqual([]);
    expect((await client.runs(1)).map(({ status }) => status)).toEqual(["cancelled"]);
  });

  it("under way, a message waits for its end and begins a new session", async () => {
    const client = new Client();
    await client.say("Remember the word kiwi");
    await client.runs(1);
    const deleting = latch();
    const go = latch();
    const run = statements.run;
    vi.spyOn(statements, "run").mockImplementation(async function (this: D1PreparedStatement) {
      deleting.open();
      await go.wait();
      return run.call(this) as Promise<D1Result<never>>;
    });
    const deleted = client.delete();
    await deleting.wait();
    const turn = client.say("What was the word?");
    await pause(20);
    go.open();
    expect((await deleted).status).toBe(204);
    expect((await turn).text).toBe("You have not told me a word.");
    expect((await client.snapshot()).messages).toHaveLength(2);
  });

  it("with the database away fails, and nothing is lost", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const client = new Client();
    await client.say("Delete notes.txt");
    await client.runs(1);
    vi.spyOn(statements, "run").mockRejectedValue(away());
    expect((await client.delete()).status).toBe(503);
    vi.restoreAllMocks();
    expect((await client.snapshot()).interrupts).toHaveLength(1);
    expect((await client.delete()).status).toBe(204);
  });
});

describe("a session nobody uses", () => {
  const month = 720 * 3_600_000;

  it("expires by its alarm, and what it asked of people with it", async () => {
    const client = new Client();
    await client.say("Delete notes.txt");
    // The first alarm looks after the turn; then it is set to the end of the session's time.
    expect(await runDurableObjectAlarm(await client.object())).toBe(true);
    const alarm = await runInDurableObject(await client.object(), (_, { storage }) => storage.getAlarm());
    expect(Math.abs((alarm ?? 0) - Date.now() - month)).toBeLessThan(10_000);
    await rewriteTurn(client, { usedAt: Date.now() - month + 60_000 });
    expect(await runDurableObjectAlarm(await client.object())).toBe(true);
    expect(await client.exists()).toBe(true);
    await rewriteTurn(client, { usedAt: Date.now() - month });
    expect(await runDurableObjectAlarm(await client.object())).toBe(true);
    expect(await client.exists()).toBe(false);
    expect(await tables(client)).toEqual([]);
    expect(await client.inbox()).toEqual([]);
  });

  it("is used again in time: the clock starts anew", async () => {
    const client = new Client();
    await client.say("Hello");
    await rewriteTurn(client, { usedAt: Date.now() - month + 1_000 });
    await client.say("Hello again");
    await runDurableObjectAlarm(await client.object());
    expect(await client.exists()).toBe(true);
  });

  it("is not expired when it is used in the very moment", async () => {
    const client = new Client();
    await client.say("Remember the word kiwi");
    await evictDurableObject(await client.object());
    await rewriteTurn(client, { usedAt: 0 });
    const telling = latch();
    const go = latch();
    gateBatches(async (send) => {
      telling.open();
      await go.wait();
      return send();
    });
    await runInDurableObject(await client.object(), (_, { storage }) => {
      const note = { kind: "cancelled", id: "int_none", at: "" };
      storage.sql.exec("INSERT INTO notes (body) VALUES (?)", JSON.stringify(note));
    });
    const alarm = runDurableObjectAlarm(await client.object());
    await telling.wait();
    const { text } = await client.say("What was the word?");
    go.open();
    expect(await alarm).toBe(true);
    expect(text).toBe("The word was kiwi.");
    expect((await client.snapshot()).messages).toHaveLength(4);
  });

  it("is tried again when the database is away", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const client = new Client();
    await client.say("Hello");
    await client.runs(1);
    await rewriteTurn(client, { usedAt: 0 });
    vi.spyOn(statements, "run").mockRejectedValue(away());
    expect(await runDurableObjectAlarm(await client.object())).toBe(true);
    vi.restoreAllMocks();
    expect(await client.exists()).toBe(true);
    expect(await runDurableObjectAlarm(await client.object())).toBe(true);
    expect(await client.exists()).toBe(false);
  });
});

describe("the events of a thread", () => {
  it("come again from any number, the same, also from another object", async () => {
    const client = new Client();
    const turns = [
      await client.say("Hello"),
      await client.say("Unicode"),
      await client.say("What is the weather in Paris?"),
    ];
    const all = await replay(client, 0);
    expect(all?.map(({ event }) => event)).toEqual(turns.flatMap(({ events }) => events));
    const numbers = all?.map(({ seq }) => seq) ?? [];
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
    expect(new Set(numbers).size).toBe(numbers.length);
    await evictDurableObject(await client.object());
    expect(await replay(client, 0)).toEqual(all);
    for (const from of [1, 7, numbers.length - 1]) {
      expect(await replay(client, numbers[from - 1] ?? 0)).toEqual(all?.slice(from));
    }
    expect(await replay(client, numbers.at(-1) ?? 0)).toEqual([]);
    expect(await replay(client, 999_999_999)).toEqual([]);
    expect(await replay(new Client(), 0)).toBeNull();
  });

  it("come from acceptance on while the turn is played", async () => {
    const client = new Client();
    await client.say("Hello");
    const started = await client.start({ messages: [client.message("Use the slow tool for 80 ms")] });
    if (!started.ok) throw new Error(started.failure.code);
    const [seen, played] = await Promise.all([replay(client, 1_999_999), readTurn(started.events)]);
    expect(seen?.map(({ event }) => event)).toEqual(played.events);
  });

  it("of the last twenty turns are kept, and of none the conversation", async () => {
    const client = new Client();
    const word = "x".repeat(20_000);
    for (let turn = 0; turn < 23; turn += 1) await client.say(turn === 0 ? word : "Say nothing");
    const all = await replay(client, 0);
    expect(all?.filter(({ event }) => event.type === "turn-start")).toHaveLength(20);
    const stored = await runInDurableObject(await client.object(), (_, { storage }) =>
      Number(storage.sql.exec("SELECT SUM(LENGTH(body)) AS n FROM events").one().n),
    );
    expect(stored).toBeLessThan(20_000);
    // Each still shows the conversation as it was then.
    const shown = all?.flatMap(({ event }) =>
      event.type === "messages-snapshot" ? [event.messages.length] : [],
    );
    expect(shown).toEqual(Array.from({ length: 20 }, (_, turn) => 2 * (turn + 3) + 1));
  });

  it("show what subagents said behind the answer that called them", async () => {
    const client = new Client();
    await client.say("Ask the helper for the weather in Rome");
    const { events } = await client.say("Hello");
    const snapshot = events.find((event) => event.type === "messages-snapshot");
    const rows = snapshot?.messages.map(
      ({ role, subagent }) => `${role}${subagent === undefined ? "" : " of helper"}`,
    );
    expect(rows).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant of helper",
      "tool of helper",
      "assistant of helper",
      "assistant",
      "user",
    ]);
  });
});

describe("shared state", () => {
  it("that the client echoes does not undo what a turn it did not hear has changed", async () => {
    const client = new Client("planner");
    const first = await client.say("Hello", { state: { draft: "mine" } });
    const [, snapshot] = first.events;
    expect(snapshot).toMatchObject({ type: "state-snapshot", state: { draft: "mine" } });
    // Somebody else's turn on the same thread, in a life of the object in which no client listened.
    await runInDurableObject(await client.object(), (_, { storage }) => {
      storage.sql.exec("UPDATE meta SET value = replace(value, 'mine', 'theirs') WHERE name = 'state'");
    });
    await evictDurableObject(await client.object());
    await client.say("Hello", { state: { draft: "mine" } });
    expect((await client.snapshot()).state.draft).toBe("theirs");
    await client.say("Hello", { state: { draft: "mine again" } });
    expect((await client.snapshot()).state.draft).toBe("mine again");
  });
});
