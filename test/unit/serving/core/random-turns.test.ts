import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { defineDeepAgent } from "../../../../src/agents/authoring/define-deep-agent.ts";
import type { Script, ScriptPart } from "../../../../src/agents/authoring/script.ts";
import { tool } from "../../../../src/agents/authoring/tool.ts";
import { TurnFailedError } from "../../../../src/agents/runtime/turn-failed.ts";
import type { Decision, Message } from "../../../../src/turn/index.ts";
import { result, Session, user } from "./session.ts";

/** Ends what is awaited at one point for good, as a runtime that stops does. */
class Kill {
  private left: number;
  private over = false;
  private fire: () => void = () => undefined;
  readonly fired = new Promise<"killed">((resolve) => {
    this.fire = () => resolve("killed");
  });

  /** `after`: points that are passed before the one that is not. */
  constructor(after: number) {
    this.left = after;
  }

  async point(): Promise<void> {
    await Promise.resolve();
    this.left -= 1;
    if (this.left === 0) this.over = true;
    if (!this.over) return;
    this.fire();
    await new Promise(() => undefined);
  }
}

const names = ["look", "send", "fail", "patient", "pick", "nothing", "task", "constructor"];

const callPart = fc
  .record({
    name: fc.constantFrom(...names),
    fits: fc.boolean(),
    id: fc.option(fc.constantFrom("c1", "c2", "not sane", ""), { nil: undefined }),
    description: fc.constantFrom("0", "1", "2"),
  })
  .map(({ name, fits, id, description }): ScriptPart => {
    const args = !fits
      ? { to: 7 }
      : name === "task"
        ? { subagent: "helper", description }
        : { to: description };
    return { call: { name, args, ...(id === undefined ? {} : { id }) } };
  });

const part: fc.Arbitrary<ScriptPart> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 5 }).map((text) => ({ text })) },
  { weight: 1, arbitrary: fc.string({ maxLength: 5 }).map((reasoning) => ({ reasoning })) },
  { weight: 6, arbitrary: callPart },
  { weight: 1, arbitrary: fc.constant({ fail: { kind: "auth" as const, message: "no" } }) },
);

/** Steps of a turn; those of one helper task are chosen by its description. */
const script = fc.array(fc.array(part, { maxLength: 4 }), { maxLength: 4 });

const decision: fc.Arbitrary<Decision> = fc.oneof(
  fc.constant<Decision>({ kind: "approve" }),
  fc.constant<Decision>({ kind: "edit", args: { to: "edited" } }),
  fc.constant<Decision>({ kind: "reject", reason: "no" }),
);

type Operation = { type: "say" | "answer" } | { type: "resume" | "inbox"; decisions: Decision[] };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ type: "say" as const }) },
  {
    weight: 3,
    arbitrary: fc
      .array(decision, { minLength: 8, maxLength: 8 })
      .map((decisions) => ({ type: "resume" as const, decisions })),
  },
  { weight: 2, arbitrary: fc.constant({ type: "answer" as const }) },
  {
    weight: 1,
    arbitrary: fc
      .array(decision, { minLength: 1, maxLength: 1 })
      .map((decisions) => ({ type: "inbox" as const, decisions })),
  },
);

interface Scenario {
  main: ScriptPart[][];
  helpers: ScriptPart[][][];
  operations: { op: Operation; kills: number[] }[];
  inboxDown: boolean;
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  main: script,
  helpers: fc.array(script, { minLength: 3, maxLength: 3 }),
  operations: fc.array(
    fc.record({ op: operation, kills: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 2 }) }),
    { minLength: 1, maxLength: 6 },
  ),
  inboxDown: fc.boolean(),
});

async function playScenario({ main, helpers, operations, inboxDown }: Scenario): Promise<void> {
  let kill = new Kill(0);
  const ran: string[] = [];
  const noting = (name: string, work: () => string) =>
    tool(
      async (_, { callId }) => {
        ran.push(callId);
        await kill.point();
        return work();
      },
      { name, description: "", schema: z.object({ to: z.string() }) },
    );
  const broken = () => {
    throw new Error("it broke");
  };
  const scripted =
    (steps: (said: string) => ScriptPart[][] | undefined): Script =>
    ({ step, user: said }) =>
      steps(said)?.[step] ?? [{ text: "done" }];
  const session = new Session(
    defineDeepAgent({
      systemPrompt: "",
      maxSteps: 20,
      tools: [
        noting("look", () => "saw"),
        noting("send", () => "sent"),
        noting("fail", broken),
        noting("patient", () => "well"),
      ],
      interruptOn: { send: true, patient: { when: ({ args }) => args.to !== "0" } },
      subagents: [
        {
          name: "helper",
          description: "",
          systemPrompt: "",
          script: scripted((said) => helpers[Number(said)]),
        },
      ],
      script: scripted(() => main),
    }),
  );
  session.onAnnounce = async () => {
    await kill.point();
    if (inboxDown) throw new TurnFailedError("internal_error", "no inbox");
  };
  const clientTools = [{ name: "pick", description: "", parameters: { type: "object" } }];

  /** Plays a turn that is killed at these points, to its end. */
  const play = async (kills: number[]) => {
    for (const at of kills) {
      kill = new Kill(at);
      const ended = await Promise.race([session.play(), kill.fired]);
      if (ended !== "killed") return ended;
      // What was already on its way comes to where it stops.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    kill = new Kill(0);
    return session.play();
  };

  let sent = 0;
  for (const { op, kills } of operations) {
    sent += 1;
    const pending = session.store.pendingInterrupts();
    const open = session.store.openCalls("main").filter(({ status }) => status === "client");
    const messages: Message[] =
      op.type === "say"
        ? [user(`u${sent}`, "go")]
        : op.type === "answer"
          ? open.map(({ callId }, at) => result(`r${sent}-${at}`, callId, "picked"))
          : [];
    if (op.type === "inbox") {
      const [first] = pending;
      const [decided] = op.decisions;
      if (first === undefined || decided === undefined) continue;
      session.store.decide(first.id, decided);
      if (pending.length === 1) await play(kills);
      continue;
    }
    const resume =
      op.type === "resume"
        ? pending.map(({ id }, at) => ({
            interruptId: id,
            decision: op.decisions[at % 8] ?? { kind: "approve" as const },
          }))
        : [];
    const before = session.everything();
    const admitted = session.admit({ messages, resume, clientTools });
    if (admitted.kind !== "admitted") {
      expect(session.everything()).toBe(before);
      continue;
    }
    await play(kills);
  }

  expect(new Set(ran).size, "a tool ran twice").toBe(ran.length);
  for (const frame of ["main", ...ran]) checkFrame(session, frame);
}

/** Each call of a conversation has exactly one result, or is open; each result has its call. */
function checkFrame(session: Session, frame: string): void {
  const results = new Map<string, number>();
  const calls: string[] = [];
  for (const message of session.store.messages(frame)) {
    if (message.role === "tool") results.set(message.callId, (results.get(message.callId) ?? 0) + 1);
    if (message.role !== "assistant") continue;
    for (const block of message.blocks) if (block.type === "call") calls.push(block.callId);
  }
  expect(new Set(calls).size).toBe(calls.length);
  const open = new Set(session.store.openCalls(frame).map(({ callId }) => callId));
  for (const callId of calls) expect(results.get(callId) ?? 0, callId).toBe(open.has(callId) ? 0 : 1);
  for (const callId of results.keys()) expect(calls).toContain(callId);
}

test("whatever scripts, people, clients and stopping runtimes do, turns keep their grammar and no tool runs twice", async () => {
  await fc.assert(fc.asyncProperty(scenario, playScenario), { numRuns: 400, seed: 11 });
}, 60_000);
