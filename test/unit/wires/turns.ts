import * as fc from "fast-check";
import type {
  FinishReason,
  Interrupt,
  TurnEvent,
  TurnFailure,
  TurnOutcome,
  TurnUsage,
} from "../../../src/turn/index.ts";

/** Turns made by hand, as the loop would play them. */

const usage: TurnUsage = {
  inputTokens: 40,
  outputTokens: 9,
  reasoningTokens: 3,
  cacheReadTokens: 2,
  cacheWriteTokens: 1,
};

export const start: TurnEvent = {
  type: "turn-start",
  runId: "run_1",
  session: null,
  model: "openai/gpt-5-mini",
  scripted: false,
};

export function text(messageId: string, ...pieces: string[]): TurnEvent[] {
  return [
    { type: "text-start", messageId },
    ...pieces.map((delta): TurnEvent => ({ type: "text-delta", messageId, delta })),
    { type: "text-end", messageId },
  ];
}

export function reasoning(
  messageId: string,
  id: string,
  pieces: string[],
  end: { signature?: string; redacted?: string } = {},
): TurnEvent[] {
  return [
    { type: "reasoning-start", id, messageId },
    ...pieces.map((delta): TurnEvent => ({ type: "reasoning-delta", id, delta })),
    { type: "reasoning-end", id, ...end },
  ];
}

export function call(
  messageId: string,
  callId: string,
  name: string,
  pieces: string[],
  clientTool = false,
): TurnEvent[] {
  return [
    { type: "call-start", callId, name, messageId, clientTool },
    ...pieces.map((delta): TurnEvent => ({ type: "call-args", callId, delta })),
    { type: "call-end", callId },
  ];
}

export function result(callId: string, content: string, isError = false): TurnEvent {
  return { type: "call-result", callId, messageId: `msg_${callId}`, content, isError };
}

/** What a subagent says and does while the agent's call `callId` is under way. */
export function subagentWork(callId: string): TurnEvent[] {
  const subagent = { id: callId, name: "researcher" };
  const messageId = `msg_sub_${callId}`;
  const inner = [
    ...reasoning(messageId, `${messageId}-r0`, ["hidden thought"]),
    ...text(messageId, "hidden"),
    ...call(messageId, `call_sub_${callId}`, "search", ['{"q":1}']),
    result(`call_sub_${callId}`, "found"),
  ].map((event) => ({ ...event, subagent }));
  return [
    { type: "step-start", subagent, parentCallId: callId },
    ...inner,
    { type: "step-end", subagent, parentCallId: callId },
  ];
}

export function success(
  unified: FinishReason = "stop",
  raw: string | null = null,
  pendingCallIds: string[] = [],
): TurnOutcome {
  return { type: "success", finish: { unified, raw }, pendingCallIds };
}

export const interrupt: Interrupt = {
  id: "int_1",
  callId: "call_1",
  tool: "refund",
  args: { order: "A1" },
  message: "The agent wants to call refund.",
  allowedDecisions: ["approve", "edit", "reject"],
  argsSchema: {},
  createdAt: "2026-11-29T10:00:00.000Z",
};

export const rateLimited: TurnFailure = {
  code: "model_rate_limited",
  message: "The model is busy.",
  retryable: true,
};

export function turn(outcome: TurnOutcome, ...events: TurnEvent[]): TurnEvent[] {
  return [
    start,
    { type: "state-snapshot", state: {} },
    ...events,
    { type: "usage", usage },
    { type: "turn-end", outcome },
  ];
}

/** Gives out the batches one after another. */
export async function* batches(...all: TurnEvent[][]): AsyncGenerator<TurnEvent[]> {
  for (const batch of all) yield batch;
}

const word = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(" ", "\n\n", "\u2028", "\u0085data: x", '"', "é", "\ud83d", "[DONE]"),
);
const args = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
  noNullPrototype: true,
});

/** `text` cut into pieces, empty ones among them. */
function cut(text: string, places: number[]): string[] {
  const at = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

type BlockOf = (messageId: string, callId: string) => TurnEvent[];
const block: fc.Arbitrary<BlockOf> = fc.oneof(
  fc.array(word, { maxLength: 4 }).map(
    (pieces): BlockOf =>
      (messageId) =>
        text(messageId, ...pieces),
  ),
  fc.tuple(fc.array(word, { maxLength: 3 }), fc.option(fc.string({ maxLength: 9 }), { nil: undefined })).map(
    ([pieces, signature]): BlockOf =>
      (messageId, id) =>
        reasoning(messageId, `${messageId}-${id}`, pieces, signature === undefined ? {} : { signature }),
  ),
  fc.string({ minLength: 1, maxLength: 9 }).map(
    (redacted): BlockOf =>
      (messageId, id) =>
        reasoning(messageId, `${messageId}-${id}`, [], { redacted }),
  ),
  fc
    .tuple(
      fc.option(args, { nil: undefined }),
      fc.array(fc.nat(60), { maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
    )
    .map(
      ([value, places, clientTool, delegates]): BlockOf =>
        (messageId, callId) => [
          ...call(
            messageId,
            callId,
            "look_up",
            value === undefined ? [] : cut(JSON.stringify(value), places),
            clientTool,
          ),
          ...(delegates ? subagentWork(callId) : []),
          ...(clientTool ? [] : [result(callId, "done")]),
        ],
    ),
);

/** Any turn that replies: some answers of the model, each with texts, thoughts and calls in any order. */
export const anyTurn: fc.Arbitrary<TurnEvent[]> = fc
  .tuple(
    fc.array(fc.array(block, { maxLength: 4 }), { minLength: 1, maxLength: 3 }),
    fc.constantFrom<TurnOutcome>(
      success(),
      success("length", "max_tokens"),
      success("content_filter"),
      success("tool_calls", null, ["call_0_0"]),
      { type: "interrupt", interrupts: [interrupt], pendingCallIds: [] },
    ),
  )
  .map(([answers, outcome]) =>
    turn(
      outcome,
      ...answers.flatMap((blocks, answer) =>
        blocks.flatMap((make, at) => make(`msg_${answer}`, `call_${answer}_${at}`)),
      ),
    ),
  );

/** A turn with places to cut it at. */
export const anyBatching = fc.array(fc.nat(), { maxLength: 12 });

/** `events` cut into batches at `places`; empty batches among them. */
export function batched(events: TurnEvent[], places: number[]): TurnEvent[][] {
  const at = [0, ...places.map((place) => place % (events.length + 1)).sort((a, b) => a - b), events.length];
  return at.slice(1).map((end, index) => events.slice(at[index], end));
}
