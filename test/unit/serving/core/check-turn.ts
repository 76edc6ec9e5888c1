import jsonPatch from "fast-json-patch";
import type { MemorySessionStore } from "../../../../src/agents/runtime/memory-session-store.ts";
import type { JsonObject, TurnEvent, TurnOutcome } from "../../../../src/turn/index.ts";

/**
 * Checks what every turn's events keep: `turn-start` first, one `turn-end`, last; starts and ends paired, nothing else
 * in between; steps balanced, and what a subagent says inside its own; each call with one result at most, and with none
 * only where it waits for the client, for a person, or for a subagent that does; the delta makes the stored state of the
 * snapshot; the stored answers are what was streamed. Throws with what is wrong.
 */
export function checkTurn(
  events: readonly TurnEvent[],
  store: MemorySessionStore,
  outcome: TurnOutcome,
): void {
  const types = events.map(({ type }) => type);
  const fail = (why: string): never => {
    throw new Error(`${why}\n${events.map((event) => JSON.stringify(event)).join("\n")}`);
  };
  if (types[0] !== "turn-start" || types.lastIndexOf("turn-start") !== 0) fail("turn-start is not first");
  if (types.indexOf("turn-end") !== types.length - 1) fail("turn-end is not the last");
  if (types.filter((type) => type === "usage").length !== 1) fail("not one usage");
  if (types[1] !== "state-snapshot" && outcome.type !== "failed") fail("no snapshot of the state");

  let open: string | null = null;
  const steps = new Set<string>();
  const made: string[] = [];
  const answered = new Set<string>();
  let snapshot: JsonObject | null = null;
  for (const event of events) {
    switch (event.type) {
      case "text-start":
      case "reasoning-start":
      case "call-start":
        if (open !== null) fail(`${open} is open before ${JSON.stringify(event)}`);
        open = idOf(event);
        if (event.type === "call-start") made.push(event.callId);
        if (event.subagent !== undefined && !steps.has(event.subagent.id))
          fail("a subagent outside its step");
        break;
      case "text-delta":
      case "reasoning-delta":
      case "call-args":
        if (open !== idOf(event)) fail(`${open} is open at ${JSON.stringify(event)}`);
        break;
      case "text-end":
      case "reasoning-end":
      case "call-end":
        if (open !== idOf(event)) fail(`${open} is open at ${JSON.stringify(event)}`);
        open = null;
        break;
      case "step-start":
        if (open !== null || steps.has(event.parentCallId)) fail("a step begins in something open");
        steps.add(event.parentCallId);
        break;
      case "step-end":
        if (open !== null || !steps.delete(event.parentCallId)) fail("a step ends that is not open");
        break;
      case "call-result":
        if (open !== null) fail(`${open} is open at a result`);
        if (answered.has(event.callId)) fail(`${event.callId} has two results`);
        answered.add(event.callId);
        break;
      case "state-snapshot":
        snapshot = event.state;
        break;
      case "state-delta":
        // As a client applies it, validation and the ban on prototypes on.
        snapshot = jsonPatch.applyPatch(snapshot, structuredClone(event.patch), true, false).newDocument;
        break;
    }
  }
  if (open !== null || steps.size > 0) fail("something is still open at the end");
  if (snapshot !== null && canonical(snapshot) !== canonical(store.state()))
    fail(`the state is ${JSON.stringify(store.state())}, not ${JSON.stringify(snapshot)}`);

  const waiting = new Set(outcome.type === "interrupt" ? outcome.interrupts.map(({ callId }) => callId) : []);
  const pending = outcome.type === "success" || outcome.type === "interrupt" ? outcome.pendingCallIds : [];
  for (const callId of made) {
    const stored = store.call(callId);
    if (answered.has(callId)) {
      if (stored?.status !== "done") fail(`${callId} has a result and is ${stored?.status}`);
    } else if (waiting.has(callId)) {
      if (stored?.status !== "waiting") fail(`${callId} waits and is ${stored?.status}`);
    } else if (stored?.status === "decided") {
      if (waiting.size === 0) fail(`${callId} is decided and was not run`);
    } else if (stored?.status === "client") {
      if (outcome.type !== "failed" && !pending.includes(callId))
        fail(`${callId} waits for the client, unsaid`);
    } else if (outcome.type === "failed") {
      // An answer that broke off is no part of the conversation.
      if (stored !== undefined) fail(`${callId} is left open by a turn that failed`);
    } else {
      const children = store.openCalls(callId);
      if (!children.some((child) => waiting.has(child.callId) || child.status === "decided"))
        fail(`${callId} is open for no reason`);
    }
  }
}

function idOf(event: TurnEvent): string {
  if ("callId" in event) return `call ${event.callId}`;
  if (event.type.startsWith("reasoning") && "id" in event) return `reasoning ${event.id}`;
  return "messageId" in event ? `text ${event.messageId}` : event.type;
}

/** A value as JSON that does not hang on the order of members. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}
