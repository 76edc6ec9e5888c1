import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "../../src/sandtable/random.ts";
import type { Interrupt, JsonObject, Message } from "../../src/turn/index.ts";
import { LiveEngine, sleep, until } from "../support/live-engine.ts";

/** Another run kills at other moments: FAULT_SEED=8 npx vitest run --project live test/live/session-kill.test.ts */
const seed = Number(process.env.FAULT_SEED ?? 7);
const kills = Number(process.env.FAULT_KILLS ?? 50);
const random = seededRandom(seed, "sessions");

const prompts = [
  "Hello",
  "Count to 40",
  "What is the weather in Paris and Oslo?",
  "Use the slow tool for 25 ms",
  "Set the color to blue",
  "Use the failing tool",
  "Delete notes.txt",
  "Delete notes.txt, and tell me the weather in Paris",
  "Ask the helper to delete report.txt",
  "Ask the helper for the weather in Rome",
];

interface Session {
  messages: Message[];
  state: JsonObject;
  interrupts: Interrupt[];
  running: boolean;
}

interface Approval {
  id: string;
  session: string;
  status: string;
  interrupt: Interrupt;
}

let engine: LiveEngine;

beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(async () => {
  await engine.close();
});

/** One client on one session: sends messages, decides what is asked, and notes what it was told. */
class Talker {
  readonly id = crypto.randomUUID();
  readonly replies: string[] = [];
  readonly decisions = new Map<string, "approved" | "rejected">();
  /** Requests of which no answer came: the runtime died in them. */
  cut = 0;

  get key(): string {
    return `step:${this.id}`;
  }

  /** One thing: a decision where one waits, else a message. */
  async act(): Promise<void> {
    try {
      const [waiting] = random() < 0.7 ? await this.pending() : [];
      if (waiting === undefined) await this.say(prompts[Math.floor(random() * prompts.length)] ?? "Hello");
      else await this.decide(waiting.id, random() < 0.6 ? "approve" : "reject");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.cut += 1;
      await sleep(20);
    }
  }

  private async say(message: string): Promise<void> {
    const body = { session_id: this.id, system: "", tools: [], message };
    const response = await engine.api("/sandtable/v1/agents/playground/step", { body });
    const text = await response.text();
    if (response.status === 200) this.replies.push((JSON.parse(text) as { reply: string }).reply);
    // Something waits, a turn is under way, or the runtime died under the object.
    else if (response.status !== 409 && response.status < 500) throw new Error(`${response.status}: ${text}`);
  }

  private async decide(id: string, verb: "approve" | "reject"): Promise<void> {
    const response = await engine.api(`/api/approvals/${id}/${verb}`, { body: {} });
    await response.text();
    if (response.status === 200) this.decisions.set(id, verb === "approve" ? "approved" : "rejected");
    else if (response.status < 500 && response.status !== 409) throw new Error(`decide: ${response.status}`);
  }

  async approvals(filter = ""): Promise<Approval[]> {
    const found: Approval[] = [];
    for (let cursor = ""; ; ) {
      const { items, nextCursor } = await read<{ items: Approval[]; nextCursor: string | null }>(
        `/api/approvals?limit=100${filter}${cursor}`,
      );
      found.push(...items.filter(({ session }) => session === this.key));
      if (nextCursor === null) return found;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
  }

  pending(): Promise<Approval[]> {
    return this.approvals("&status=pending");
  }

  session(): Promise<Session> {
    return read(`/api/sessions/playground/${encodeURIComponent(this.key)}`);
  }

  /** Ends of its turns, as recorded; asking for them wakes no session. */
  async runs(): Promise<{ session: string; status: string; failure: { code: string } | null }[]> {
    const runs: { session: string; status: string; failure: { code: string } | null }[] = [];
    for (let cursor = ""; ; ) {
      const page = await read<{ items: typeof runs; nextCursor: string | null }>(
        `/api/runs?limit=100${cursor}`,
      );
      runs.push(...page.items.filter(({ session }) => session === this.key));
      if (page.nextCursor === null) return runs;
      cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
    }
  }
}

async function read<Body>(route: string): Promise<Body> {
  const response = await engine.api(route);
  const text = await response.text();
  if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Body;
}

/** Each call has one result, or is open: it waits for a person, or for a subagent that does. */
function expectWhole({ messages, interrupts }: Session): void {
  const results = new Map<string, number>();
  for (const message of messages) {
    if (message.role === "tool") results.set(message.callId, (results.get(message.callId) ?? 0) + 1);
  }
  const waiting = new Set(interrupts.map(({ callId }) => callId));
  const inside = interrupts.some(({ subagent }) => subagent !== undefined);
  const calls = messages
    .flatMap((message) => (message.role === "assistant" ? message.blocks : []))
    .filter((block) => block.type === "call");
  expect(new Set(calls.map(({ callId }) => callId)).size).toBe(calls.length);
  for (const { callId, name } of calls) {
    const open = waiting.has(callId) || (name === "task" && inside && !results.has(callId));
    expect(results.get(callId) ?? 0, `results of ${name} ${callId}`).toBe(open ? 0 : 1);
  }
  expect([...results.keys()].every((id) => calls.some(({ callId }) => callId === id))).toBe(true);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
}

/** Every effect happened once; a call that was refused had none. */
function expectOnce({ state }: Session, approvals: Approval[]): void {
  const effects = (state.effects as { callId: string }[]).map(({ callId }) => callId);
  expect(new Set(effects).size, "a call took effect twice").toBe(effects.length);
  for (const { status, interrupt } of approvals) {
    if (status !== "approved") expect(effects).not.toContain(interrupt.callId);
  }
}

function expectKept(talker: Talker, { messages }: Session, approvals: Approval[]): void {
  const said = messages
    .flatMap((message) => (message.role === "assistant" ? message.blocks : []))
    .flatMap((block) => (block.type === "text" ? [block.text] : []));
  let at = 0;
  for (const reply of talker.replies) {
    if (reply === "") continue;
    const found = said.indexOf(reply, at);
    expect(
      found,
      `the reply ${JSON.stringify(reply)} was given and is not in the session`,
    ).toBeGreaterThanOrEqual(at);
    at = found + 1;
  }
  const decided = new Map(approvals.map(({ id, status }) => [id, status]));
  for (const [id, status] of talker.decisions) expect(decided.get(id), `the decision on ${id}`).toBe(status);
}

describe("sessions whose runtime is killed", () => {
  test(`${kills} times lose nothing they acknowledged, repeat no effect, and end every turn`, async () => {
    const talkers = Array.from({ length: 4 }, () => new Talker());
    let over = false;
    const talking = talkers.map(async (talker) => {
      while (!over) await talker.act();
    });
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(random() * 150);
      await engine.killAndWait();
    }
    // The last turns are cut as well, and nobody asks for their sessions.
    await sleep(60);
    over = true;
    await engine.kill();
    await Promise.all(talking);
    expect(talkers.reduce((sum, { cut }) => sum + cut, 0)).toBeGreaterThan(kills / 2);
    expect(talkers.reduce((sum, { replies }) => sum + replies.length, 0)).toBeGreaterThan(kills / 2);

    await until(async () => (await engine.api("/live").catch(() => null))?.ok === true, 20_000);
    const counts = async () => Promise.all(talkers.map(async (talker) => (await talker.runs()).length));
    const before = await counts();
    await sleep(17_000);
    const after = await counts();
    for (const [index, talker] of talkers.entries()) {
      const session = await talker.session();
      // The alarm has ended what was cut; asking changes nothing any more.
      expect(session.running).toBe(false);
      expect(after[index] ?? 0).toBeGreaterThanOrEqual(before[index] ?? 0);
      const approvals = await talker.approvals();
      expectWhole(session);
      expectOnce(session, approvals);
      expectKept(talker, session, approvals);
      // Inbox and session agree.
      const pending = approvals.filter(({ status }) => status === "pending").map(({ id }) => id);
      expect(pending.sort()).toEqual(session.interrupts.map(({ id }) => id).sort());
      for (const { status, failure } of await talker.runs()) {
        expect(["done", "interrupted"], JSON.stringify(failure)).toContain(status);
      }
      expect(await talker.runs()).toHaveLength(after[index] ?? 0);
    }
  }, 120_000);
});
