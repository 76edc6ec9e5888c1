import { abortAllDurableObjects } from "cloudflare:test";
import fc from "fast-check";
import { afterAll, expect, it, vi } from "vitest";
import { Client, effectsOf, leaveNothing, pause, readTurn, type Snapshot } from "./client.ts";

afterAll(leaveNothing);

const prompts = [
  "Hello",
  "What is the weather in Paris and Oslo?",
  "Delete notes.txt",
  "Delete notes.txt and report.txt",
  "Ask the helper to delete notes.txt",
  "Use the slow tool for 15 ms",
];

type Act =
  | { kind: "say"; prompt: string; leave: boolean }
  | { kind: "inbox" | "resume"; approve: boolean }
  | { kind: "look" | "delete" };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("say" as const),
      prompt: fc.constantFrom(...prompts),
      leave: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom("inbox" as const, "resume" as const),
      approve: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: "look" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "delete" as const }) },
);

/** What a request may be refused with. */
const refusals = [
  "approval_pending",
  "turn_in_progress",
  "unknown_interrupt",
  "incomplete_resume",
  "invalid_messages",
];

/** One thing, at the same time as others: whatever it meets, it is answered in words of the contract. */
async function perform(client: Client, act: Act): Promise<void> {
  const interrupts = (await client.exists())
    ? await client.snapshot().then(
        (found) => found.interrupts,
        () => [],
      )
    : [];
  const decision =
    "approve" in act && act.approve ? { kind: "approve" as const } : { kind: "reject" as const };
  if (act.kind === "look") return;
  if (act.kind === "delete") return void expect([204, 404]).toContain((await client.delete()).status);
  if (act.kind === "inbox") {
    const [first] = interrupts;
    if (first === undefined) return;
    const { status } =
      decision.kind === "approve" ? await client.approve(first.id) : await client.reject(first.id);
    return void expect([200, 404, 409]).toContain(status);
  }
  const resume = interrupts.map(({ id }) => ({ interruptId: id, decision }));
  const started = await client.start(
    act.kind === "say" ? { messages: [client.message(act.prompt)] } : { resume },
  );
  if (!started.ok) return void expect(refusals).toContain(started.failure.code);
  if (act.kind === "say" && act.leave) {
    const events = started.events[Symbol.asyncIterator]();
    await events.next();
    await events.return?.();
  } else {
    expect(["success", "interrupt", "cancelled"]).toContain((await readTurn(started.events)).outcome.type);
  }
}

/** Each call has one result, or the turn waits for a person: about it, or about another call beside it. */
function expectWhole({ messages, interrupts }: Snapshot): void {
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
  expect(new Set(results).size).toBe(results.length);
  const open = messages
    .flatMap((message) => (message.role === "assistant" ? message.blocks : []))
    .flatMap((block) => (block.type === "call" && !results.includes(block.callId) ? [block.callId] : []));
  if (interrupts.length === 0) expect(open).toEqual([]);
  for (const { callId, subagent } of interrupts) if (subagent === undefined) expect(open).toContain(callId);
}

async function play(rounds: Act[][], kills: boolean[]): Promise<void> {
  const client = new Client();
  for (const [at, acts] of rounds.entries()) {
    const acting = acts.map((one) => perform(client, one));
    if (kills[at] === true) {
      await pause(4);
      await abortAllDurableObjects();
      await Promise.allSettled(acting);
    } else await Promise.all(acting);
  }
  if (!(await client.exists())) return;
  const snapshot = await client.settled();
  expectWhole(snapshot);
  effectsOf(snapshot);
  await vi.waitFor(async () => {
    const pending = (await client.inbox()).filter(({ status }) => status === "pending").map(({ id }) => id);
    expect(pending.sort()).toEqual((await client.settled()).interrupts.map(({ id }) => id).sort());
  });
}

it("many requests at once, some of them in an object that dies, leave a whole conversation", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      play,
    ),
    { numRuns: 30, seed: 4, endOnFailure: true },
  );
}, 60_000);
