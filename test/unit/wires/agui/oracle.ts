import { HttpAgent } from "@ag-ui/client";
import type { BaseEvent, Interrupt, Message } from "@ag-ui/core";
import { EventSchema } from "@ag-ui/core/schemas";
import { EventEncoder } from "@ag-ui/encoder";
import { expect, vi } from "vitest";
import type { TurnEvent } from "../../../../src/turn/index.ts";
import { AguiEncoder } from "../../../../src/wires/agui/encode.ts";
import type { AguiEvent } from "../../../../src/wires/agui/events.ts";
import { frames } from "../../../../src/wires/agui/frames.ts";

/** What the real client has after a stream. */
export interface Heard {
  messages: Message[];
  state: unknown;
  interrupts: Interrupt[];
  /** Messages of the `RUN_ERROR`s. */
  errors: string[];
}

/**
 * Passes events through the protocol's own schemas and encoder and through its real client, verification on; fails where
 * one of them refuses or so much as warns.
 */
export async function hear(
  events: AguiEvent[],
  before: { messages?: Message[]; state?: unknown } = {},
): Promise<Heard> {
  for (const event of events) {
    const parsed = EventSchema.safeParse(event);
    expect(parsed.error?.issues ?? [], JSON.stringify(event)).toEqual([]);
    expect(frames([event])).toBe(new EventEncoder().encodeSSE(event as unknown as BaseEvent));
  }
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  try {
    const agent = new HttpAgent({
      url: "http://agent",
      threadId: "thread-1",
      initialMessages: before.messages ?? [],
      initialState: before.state ?? {},
      fetch: async () =>
        new Response(frames(events), { headers: { "content-type": "text/event-stream; charset=utf-8" } }),
    });
    const errors: string[] = [];
    await agent.runAgent({}, { onRunErrorEvent: ({ event }) => void errors.push(event.message) });
    expect(warn.mock.calls).toEqual([]);
    const { messages, state, pendingInterrupts } = agent;
    return { messages, state, interrupts: pendingInterrupts, errors };
  } finally {
    warn.mockRestore();
  }
}

/** The AG-UI events of a turn's events. */
export function encoded(
  events: TurnEvent[],
  options: { threadId?: string; declareVersion?: boolean } = {},
): AguiEvent[] {
  const { threadId = "thread-1", declareVersion = false } = options;
  const encoder = new AguiEncoder({ threadId, declareVersion });
  return events.flatMap((event) => encoder.encode(event));
}

export const started: TurnEvent = {
  type: "turn-start",
  runId: "run-1",
  session: "thread-1",
  model: "openai/gpt-5-mini",
  scripted: false,
};

export const spent: TurnEvent = {
  type: "usage",
  usage: {
    inputTokens: 42,
    outputTokens: 9,
    reasoningTokens: 3,
    cacheReadTokens: 100,
    cacheWriteTokens: 7,
  },
};

export const ended: TurnEvent = {
  type: "turn-end",
  outcome: { type: "success", finish: { unified: "stop", raw: "stop" }, pendingCallIds: [] },
};
