import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Engine, startEngine } from "../../src/cli/engine/start-engine.ts";
import {
  effects,
  type Frame,
  headersOf,
  ofType,
  Page,
  post,
  readFrames,
  replay,
  runRaw,
  storedSession,
} from "../support/agui-client.ts";
import { sleep, until } from "../support/live-engine.ts";

let stateDir: string;
let engine: Engine;
beforeAll(async () => {
  stateDir = await mkdtemp(path.join(tmpdir(), "greenroom-agui-"));
  engine = await startEngine({ stateDir, vars: { AGENT_HEARTBEAT_MS: "100" } });
});
afterAll(async () => {
  await engine.close();
  await rm(stateDir, { recursive: true, force: true, maxRetries: 5 });
});

const page = (threadId: string = crypto.randomUUID()) => new Page(engine, threadId);
const counted = (last: number) => `${Array.from({ length: last }, (_, n) => n + 1).join(", ")}.`;

/** What the frames of a replay say of the agent's own words. */
const spoken = (frames: Frame[]) =>
  frames
    .filter(({ event }) => event.type === "TEXT_MESSAGE_CONTENT")
    .map(({ event }) => event.delta)
    .join("");

/** Reads a stream until something is in it, and leaves. */
async function leaveAfter(body: unknown, marker: string): Promise<string> {
  const leave = new AbortController();
  const response = await post(engine, body, { signal: leave.signal });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(marker)) break;
  }
  leave.abort();
  return text;
}

describe("shared state", () => {
  test("opens a run as a snapshot before anything else, is told when it changes, and closes the run as a delta", async () => {
    const chat = page();
    const run = await chat.say("Set the color to blue");
    expect(run.events[1]).toEqual({
      type: "STATE_SNAPSHOT",
      snapshot: { files: ["notes.txt", "report.txt"], effects: [] },
    });
    const deltas = ofType(run, "STATE_DELTA");
    for (const { delta } of deltas)
      expect(delta).toContainEqual({ op: "add", path: "/color", value: "blue" });
    const types = run.events.map(({ type }) => type);
    expect(types.indexOf("STATE_DELTA")).toBe(types.indexOf("TOOL_CALL_RESULT") + 1);
    expect(types.at(-3)).toBe("STATE_DELTA");
    await chat.expectInStep();
    const second = await chat.say("Hello");
    expect(ofType(second, "STATE_SNAPSHOT")).toEqual([
      { type: "STATE_SNAPSHOT", snapshot: expect.objectContaining({ color: "blue" }) },
    ]);
    expect(ofType(second, "STATE_DELTA")).toEqual([]);
    expect(second.events.slice(0, 3).map(({ type }) => type)).toEqual([
      "RUN_STARTED",
      "STATE_SNAPSHOT",
      "MESSAGES_SNAPSHOT",
    ]);
  });

  test("soliplex 1255: adds, rather than replaces, what a fresh thread does not have", async () => {
    const run = await page().say("Set the color to blue");
    const operations = ofType(run, "STATE_DELTA").flatMap(({ delta }) => delta as { op: string }[]);
    expect(new Set(operations.map(({ op }) => op))).toEqual(new Set(["add"]));
  });

  test("is the seed's delta for a list that is ticked off", async () => {
    const chat = new Page(engine, crypto.randomUUID(), "planner");
    const run = await chat.say("Write a note about tea.");
    expect(run.error).toBeNull();
    expect(chat.state.todos).toHaveLength(3);
    const after = await chat.say("Make it shorter");
    expect(ofType(after, "STATE_DELTA").map(({ delta }) => delta)).toEqual([
      [{ op: "replace", path: "/draft", value: chat.state.draft }],
      [{ op: "add", path: "/draft", value: chat.state.draft }],
    ]);
    await chat.expectInStep();
  });

  test("is seeded by the client with the keys it may write, the others dropped without a word", async () => {
    const chat = page();
    chat.agent.setState({
      note: "Buy tea",
      files: [],
      "a/b": 1,
      "m~n": 2,
      constructor: 3,
      toString: 4,
      hasOwnProperty: 5,
    });
    const run = await chat.say("What is in the note?");
    expect(run.text).toBe("The note says: Buy tea");
    expect(chat.state).toEqual({ note: "Buy tea", files: ["notes.txt", "report.txt"], effects: [] });
    await chat.expectInStep();
  });

  test("keeps what it has when a key comes with another type, and clears it on null", async () => {
    const chat = page();
    chat.agent.setState({ note: "one" });
    await chat.say("Hello");
    for (const wrong of [7, ["x"], { x: 1 }, true]) {
      chat.agent.setState({ note: wrong });
      await chat.say("Hello");
      expect(chat.state.note).toBe("one");
    }
    chat.agent.setState({ note: null });
    await chat.say("Hello");
    expect(chat.state.note ?? null).toBeNull();
    await chat.expectInStep();
  });

  test("is not seeded with a __proto__, which is refused before anything is done", async () => {
    const threadId = crypto.randomUUID();
    const body = `{"threadId":"${threadId}","runId":"r","messages":[{"role":"user","content":"Hello"}],"state":{"note":"x","__proto__":{"admin":true}}}`;
    expect((await post(engine, body)).status).toBe(400);
    const missing = await fetch(`${engine.url}/api/sessions/playground/${threadId}`, {
      headers: headersOf(engine),
    });
    expect(missing.status).toBe(404);
  });

  test("sent back as it was leaves a newer value of the server's alone", async () => {
    const chat = new Page(engine, crypto.randomUUID(), "planner");
    await chat.say("Write a note about tea.");
    const { draft } = chat.state;
    expect(draft).not.toBe("");
    await chat.say("What is in the draft?");
    expect(chat.state.draft).toBe(draft);
  });
});

describe("a thread that is opened again", () => {
  test("TanStack 1107: shows the whole conversation and the message just sent, under the ids it was streamed with", async () => {
    const chat = page();
    await chat.say("What is the weather in Paris?");
    await chat.say("Think about tea");
    const streamed = chat.agent.messages;
    const reloaded = page(chat.agent.threadId);
    const run = await reloaded.say("What was the word?");
    const [snapshot] = ofType(run, "MESSAGES_SNAPSHOT");
    const rows = snapshot?.messages as { id: string; role: string }[];
    expect(rows.map(({ id }) => id)).toEqual([...streamed, reloaded.agent.messages[0]].map((one) => one?.id));
    expect(reloaded.agent.messages).toHaveLength(streamed.length + 2);
    expect(new Set(reloaded.agent.messages.map(({ id }) => id)).size).toBe(streamed.length + 2);
  });

  test("remembers what was said though only the newest message is sent", async () => {
    const threadId = crypto.randomUUID();
    await page(threadId).say("Remember the word kiwi");
    expect((await page(threadId).say("What was the word?")).text).toBe("The word was kiwi.");
  });

  test("takes a transcript that is sent again once, and its own record over a changed copy", async () => {
    const chat = page();
    await chat.say("Remember the word kiwi");
    const changed = chat.agent.messages.map((message) =>
      message.role === "assistant" ? { ...message, content: "I will remember the word plum." } : message,
    );
    const other = new Page(engine, chat.agent.threadId, "playground", changed);
    const run = await other.say("What was the word?");
    expect(run.text).toBe("The word was kiwi.");
    const { messages } = await other.stored();
    expect(messages).toHaveLength(4);
    expect(messages[1]).toMatchObject({ blocks: [{ type: "text", text: "I will remember the word kiwi." }] });
    await other.expectInStep();
  });

  test("with nothing new shows how it stands and changes nothing", async () => {
    const chat = page();
    await chat.say("Hello");
    const before = await chat.stored();
    const run = await chat.run();
    expect(run.outcome).toEqual({ type: "success" });
    expect(ofType(run, "MESSAGES_SNAPSHOT")).toHaveLength(1);
    expect(ofType(run, "TEXT_MESSAGE_START")).toEqual([]);
    expect(await chat.stored()).toEqual(before);
  });

  test("is another thread under another agent, and none under a name nobody used", async () => {
    const threadId = crypto.randomUUID();
    await page(threadId).say("Remember the word kiwi");
    const elsewhere = await new Page(engine, threadId, "support").say("Hello");
    expect(ofType(elsewhere, "MESSAGES_SNAPSHOT")).toEqual([]);
    const unknown = await fetch(
      `${engine.url}/agui/v1/agents/playground/threads/${crypto.randomUUID()}/events`,
      { headers: headersOf(engine) },
    );
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ type: "RUN_ERROR", code: "not_found" });
  });

  test.each(["a/b c?d#e", "线程-1", "..", "x".repeat(512), "constructor"])(
    "may have any name: %s",
    async (name) => {
      const threadId = `${name}${name.length > 500 ? "" : crypto.randomUUID()}`;
      const chat = page(threadId);
      const run = await chat.say("Hello");
      expect(run.events[0]).toMatchObject({ threadId });
      expect((await replay(engine, threadId)).at(-1)?.event).toMatchObject({
        type: "RUN_FINISHED",
        threadId,
      });
    },
  );
});

describe("one turn at a time", () => {
  test("a second run while one is under way is refused on its stream, and the first goes on", async () => {
    const chat = page();
    const { threadId } = chat.agent;
    const first = chat.say("Use the slow tool for 700 ms");
    await sleep(250);
    const second = await runRaw(engine, {
      threadId,
      runId: "r2",
      messages: [{ id: "u2", role: "user", content: "Hello" }],
    });
    expect(second.error?.code).toBe("turn_in_progress");
    expect(second.events.at(-1)).toHaveProperty("metadata", { retryable: true });
    expect((await first).text).toBe("slow_tool says: Waited 700 ms.");
    expect((await chat.say("Hello")).text).toBe("You said: Hello");
    await chat.expectInStep();
  });
});

describe("a silent stream", () => {
  test("shows life by comments, which the client skips", async () => {
    const body = {
      threadId: crypto.randomUUID(),
      runId: "r",
      messages: [{ role: "user", content: "Use the slow tool for 700 ms" }],
    };
    const text = await (await post(engine, body)).text();
    expect(text.split(": ping\n\n").length).toBeGreaterThan(3);
    expect(readFrames(text).at(-1)?.event.type).toBe("RUN_FINISHED");
    expect((await page().say("Use the slow tool for 500 ms")).text).toBe("slow_tool says: Waited 500 ms.");
  });
});

describe("replay", () => {
  test("gives the events of the thread's runs, numbered upwards, as they were streamed", async () => {
    const chat = page();
    const runs = [await chat.say("What is the weather in Paris?"), await chat.say("Think about tea")];
    const frames = await replay(engine, chat.agent.threadId);
    expect(frames.map(({ event }) => event)).toEqual(runs.flatMap(({ events }) => events));
    const ids = frames.flatMap(({ id }) => (id === null ? [] : [id]));
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("goes on after any number, by query or by Last-Event-ID, which wins", async () => {
    const chat = page();
    await chat.say("Ask the helper for the weather in Rome");
    await chat.say("Count to 100");
    const { threadId } = chat.agent;
    const all = await replay(engine, threadId);
    for (const at of [0, 3, 9, 20, all.length - 3]) {
      const id = all[at]?.id;
      if (id === null || id === undefined) continue;
      expect(await replay(engine, threadId, { after: id })).toEqual(all.slice(at + 1));
      expect(await replay(engine, threadId, { after: 0, lastEventId: String(id) })).toEqual(
        all.slice(at + 1),
      );
    }
    expect(await replay(engine, threadId, { after: all.at(-1)?.id ?? 0 })).toEqual([]);
  });

  test.each(["x", "-1", "1.5", "", "9".repeat(30)])("refuses the number %j", async (number) => {
    const threadId = crypto.randomUUID();
    await page(threadId).say("Hello");
    const response = await fetch(
      `${engine.url}/agui/v1/agents/playground/threads/${threadId}/events?after=${number}`,
      { headers: headersOf(engine) },
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: "RUN_ERROR", code: "invalid_request" });
  });

  test("situation 10: from acceptance on, a run shows before its first word", async () => {
    const threadId = crypto.randomUUID();
    await leaveAfter(
      { threadId, runId: "r", messages: [{ role: "user", content: "Use the slow tool for 900 ms" }] },
      "RUN_STARTED",
    );
    const begun = await replay(engine, threadId, { until: (frames) => frames.length > 0 });
    expect(begun[0]?.event).toMatchObject({ type: "RUN_STARTED", threadId, runId: "r" });
    const frames = await replay(engine, threadId);
    expect(spoken(frames)).toBe("slow_tool says: Waited 900 ms.");
    expect(frames.at(-1)?.event.type).toBe("RUN_FINISHED");
  });

  test("in the middle of an answer goes on where the client left, with nothing lost and nothing twice", async () => {
    const threadId = crypto.randomUUID();
    await leaveAfter(
      { threadId, runId: "r", messages: [{ role: "user", content: "Count slowly to 80" }] },
      '"delta":"10, "',
    );
    const first = await replay(engine, threadId, { until: (frames) => frames.length >= 25 });
    await sleep(150);
    const rest = await replay(engine, threadId, { lastEventId: String(first.at(-1)?.id) });
    expect(spoken([...first, ...rest])).toBe(counted(80));
    const ends = rest.filter(({ event }) => event.type === "RUN_FINISHED");
    expect(ends).toHaveLength(1);
  });

  test("goes on from the id of the run's own stream", async () => {
    const threadId = crypto.randomUUID();
    const say = (runId: string, content: string) =>
      post(engine, { threadId, runId, messages: [{ id: runId, role: "user", content }] });
    await (await say("r1", "Set the color to blue")).text();
    const seen = readFrames(await (await say("r2", "What is the weather in Paris and Oslo?")).text());
    const ids = seen.flatMap(({ id }) => (id === null ? [] : [id]));
    expect(ids.length).toBeGreaterThan(15);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    for (const at of [0, 3, seen.length - 2]) {
      const cut = seen.slice(0, at + 1).findLast(({ id }) => id !== null);
      const rest = await replay(engine, threadId, { lastEventId: String(cut?.id) });
      expect(rest).toEqual(seen.slice(cut === undefined ? 0 : seen.indexOf(cut) + 1));
    }
    const again = readFrames(await (await say("r2", "What is the weather in Paris and Oslo?")).text());
    expect(again.map(({ id }) => id).filter((id) => id !== null)).toEqual([]);
    const stateless = await post(engine, {
      threadId: "",
      runId: "r",
      messages: [{ role: "user", content: "Hi" }],
    });
    expect(await stateless.text()).not.toMatch(/^id: /m);
  });

  test("is followed by two at once, each at its own pace", async () => {
    const threadId = crypto.randomUUID();
    const running = page(threadId).say("Count slowly to 40");
    await sleep(200);
    const [one, other] = await Promise.all([replay(engine, threadId), replay(engine, threadId)]);
    expect(spoken(one)).toBe(counted(40));
    expect(other).toEqual(one);
    expect((await running).text).toBe(counted(40));
  });
});

describe("a client that leaves", () => {
  test("does not stop a durable turn, whose answer is in the thread", async () => {
    const threadId = crypto.randomUUID();
    await leaveAfter(
      { threadId, runId: "r", messages: [{ role: "user", content: "Count slowly to 40" }] },
      '"delta":"3, "',
    );
    await until(async () => !(await storedSession(engine, "playground", threadId)).running, 10_000);
    const { messages } = await storedSession(engine, "playground", threadId);
    expect(messages.at(-1)).toMatchObject({ blocks: [{ type: "text", text: counted(40) }] });
  });

  test("can cancel its run from outside, which its stream then says", async () => {
    const chat = page();
    const ask = (route: string, init: RequestInit = {}) =>
      fetch(`${engine.url}${route}`, { ...init, headers: headersOf(engine) });
    const running = chat.say("Count slowly to 1000");
    let runId = "";
    await until(async () => {
      const { items } = (await (await ask("/api/runs?status=running")).json()) as {
        items: { runId: string; session: string | null }[];
      };
      runId = items.find(({ session }) => session === chat.agent.threadId)?.runId ?? "";
      return runId !== "";
    }, 10_000);
    const cancelled = await ask(`/api/runs/${runId}/cancel`, { method: "POST" });
    expect(await cancelled.json()).toMatchObject({ runId, status: "cancelled" });
    const run = await running;
    expect(run.outcome).toEqual({ type: "cancelled" });
    expect((await chat.say("Remember the word kiwi")).text).toBe("I will remember the word kiwi.");
    await chat.expectInStep();
  });

  test("does not lose a pause", async () => {
    const threadId = crypto.randomUUID();
    await leaveAfter(
      {
        threadId,
        runId: "r",
        messages: [{ role: "user", content: "Use the slow tool for 300 ms and delete notes.txt" }],
      },
      "RUN_STARTED",
    );
    await until(async () => !(await storedSession(engine, "playground", threadId)).running, 10_000);
    const { interrupts, state } = await storedSession(engine, "playground", threadId);
    expect(interrupts).toHaveLength(1);
    expect(effects(state)).toHaveLength(1);
  });

  test("gives up a stateless turn, also one that says nothing for long", async () => {
    for (const prompt of ["Count slowly to 1000", "Use the slow tool for 30000 ms"]) {
      const runId = crypto.randomUUID();
      await leaveAfter({ threadId: "", runId, messages: [{ role: "user", content: prompt }] }, "RUN_STARTED");
      const left = Date.now();
      await until(async () => {
        const listed = await fetch(`${engine.url}/api/runs?limit=100`, { headers: headersOf(engine) });
        const { items } = (await listed.json()) as { items: { runId: string; status: string }[] };
        return items.some((run) => run.runId.startsWith(runId) && run.status === "cancelled");
      }, 10_000);
      expect(Date.now() - left).toBeLessThan(3_000);
    }
  });
});
