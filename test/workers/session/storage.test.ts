import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { SessionStorage } from "../../../objects/session-storage.ts";
import { MemorySessionStore } from "../../../src/agents/runtime/memory-session-store.ts";
import {
  type CallStatus,
  finishCall,
  mainFrame,
  type SessionStore,
} from "../../../src/agents/runtime/session-store.ts";
import type { Interrupt, Message } from "../../../src/turn/index.ts";
import { leaveNothing } from "./client.ts";

afterAll(leaveNothing);

const frame = fc.constantFrom(mainFrame, "call-1");
const size = fc.constantFrom(1, 50, 300_000, 499_990, 700_000);
const status = fc.constantFrom<CallStatus>("new", "client", "running", "done");

type Step =
  | { kind: "say"; frame: string; role: "system" | "user" | "assistant"; size: number }
  | { kind: "call"; frame: string; status: CallStatus }
  | { kind: "set" | "finish" | "ask" | "approve" | "cancel"; at: number; status: CallStatus }
  | { kind: "state"; value: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("say" as const),
    frame,
    role: fc.constantFrom("system", "user", "assistant"),
    size,
  }),
  fc.record({ kind: fc.constant("call" as const), frame, status }),
  fc.record({ kind: fc.constantFrom("set", "finish", "ask", "approve", "cancel"), at: fc.nat(5), status }),
  fc.record({ kind: fc.constant("state" as const), value: fc.string() }),
);

/** Plays the steps on a store, and says what can be read after each. */
function* played(store: SessionStore, steps: Step[]): Generator<unknown> {
  const calls: string[] = [];
  const frames = new Map<string, string>();
  for (const [at, one] of steps.entries()) {
    const call = "at" in one ? calls[one.at % Math.max(1, calls.length)] : undefined;
    if (one.kind === "say") store.append(one.frame, message(one.role, `m${at}`, "é".repeat(one.size)));
    else if (one.kind === "state") store.setState({ value: one.value });
    else if (one.kind === "call") {
      const callId = `c${at}`;
      calls.push(callId);
      frames.set(callId, one.frame);
      const made = { callId, frame: one.frame, messageId: "m", name: "x", args: { at }, invalid: null };
      store.addCalls([{ ...made, status: one.status }]);
    } else if (call !== undefined) {
      const asked = store.interruptOfCall(call);
      if (one.kind === "set") store.setCall(call, { status: one.status, args: { at } });
      else if (one.kind === "finish")
        finishCall(
          store,
          { callId: call, frame: frames.get(call) ?? mainFrame },
          { messageId: `r${at}`, content: "ok", isError: false },
        );
      else if (one.kind === "ask" && asked === undefined) store.addInterrupt(interrupt(`i${at}`, call));
      else if (one.kind === "approve")
        store.decide(asked?.interrupt.id ?? "none", { kind: "approve" }, "wire");
      else if (one.kind === "cancel") store.cancelInterrupt(call);
    }
    yield {
      // A tail is long: told apart by what is in it.
      tails: [mainFrame, "call-1"].map((name) => {
        const { messages, omitted } = store.tail(name);
        return {
          omitted,
          messages: messages.map(({ id, role }) => `${role} ${id}`),
          last: store.lastMessage(name)?.id,
        };
      }),
      open: [mainFrame, "call-1"].map((name) => store.openCalls(name)),
      asked: calls.map((id) => store.interruptOfCall(id) ?? null),
      pending: store.pendingInterrupts(),
      state: store.state(),
      known: [store.hasMessage(`m${at}`), store.hasMessage("nobody"), store.call(`c${at}`) ?? null],
    };
  }
}

function message(role: "system" | "user" | "assistant", id: string, text: string): Message {
  if (role === "system") return { role, id, text };
  if (role === "user") return { role, id, parts: [{ type: "text", text }] };
  return { role, id, blocks: [{ type: "text", text }] };
}

function interrupt(id: string, callId: string): Interrupt {
  const about = { tool: "x", args: {}, message: "?", allowedDecisions: [], argsSchema: {}, createdAt: "" };
  return { id, callId, ...about };
}

it("a session in SQLite reads like one in memory, also from another object's storage", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const expected = [...played(new MemorySessionStore({ value: "" }), steps)];
      const object = env.SESSION.get(env.SESSION.newUniqueId());
      await runInDurableObject(object, (_, { storage }) => {
        const session = new SessionStorage(storage);
        session.create("owner", { value: "" });
        for (const [at, seen] of [...played(session, steps)].entries()) expect(seen).toEqual(expected[at]);
        const again = new SessionStorage(storage);
        for (const name of [mainFrame, "call-1"]) expect(again.tail(name)).toEqual(session.tail(name));
      });
    }),
    { numRuns: 60, seed: 6 },
  );
}, 60_000);
