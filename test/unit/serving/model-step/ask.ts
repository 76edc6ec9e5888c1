import {
  type ModelStepOptions,
  type ModelStepResult,
  modelStep,
} from "../../../../src/agents/runtime/model-step.ts";
import type { LanguageModel, ModelPart } from "../../../../src/models/language-model.ts";
import type { TurnEvent } from "../../../../src/turn/event.ts";
import { stillTiming } from "../../models/provider-server.ts";

/** What one answer came to; `thrown` instead of `result` when it failed. */
export interface Asked {
  events: TurnEvent[];
  result: ModelStepResult | null;
  thrown: unknown;
}

const hello: ModelStepOptions["messages"] = [
  { role: "user", id: "u1", parts: [{ type: "text", text: "Hello?" }] },
];

/** Asks for one answer, stored as `m1`; minted call ids are `call_1`, `call_2`, … */
export async function ask(model: LanguageModel, changes: Partial<ModelStepOptions> = {}): Promise<Asked> {
  let minted = 0;
  const step = modelStep({
    model,
    system: "Be brief.",
    messages: hello,
    tools: [say],
    sampling: {},
    context: [],
    state: {},
    timing: stillTiming(),
    messageId: "m1",
    isCallIdTaken: () => false,
    mintCallId: () => {
      minted += 1;
      return `call_${minted}`;
    },
    ...changes,
  });
  const events: TurnEvent[] = [];
  try {
    for (;;) {
      const next = await step.next();
      if (next.done) return { events, result: next.value, thrown: null };
      events.push(next.value);
    }
  } catch (thrown) {
    return { events, result: null, thrown };
  }
}

export const say = {
  name: "say",
  description: "Says it.",
  parameters: { type: "object", properties: { text: { type: "string" } } },
  client: false,
};

/** A model whose answer is made of these parts. */
export function partsModel(parts: ModelPart[], provider = "test.chat"): LanguageModel {
  return {
    specificationVersion: "v4",
    provider,
    modelId: "m",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("never used")),
    doStream: async () => ({
      stream: new ReadableStream<ModelPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      }),
    }),
  };
}

export const finish: Extract<ModelPart, { type: "finish" }> = {
  type: "finish",
  finishReason: { unified: "stop", raw: "end" },
  usage: {
    inputTokens: { total: 30, noCache: 10, cacheRead: 15, cacheWrite: 5 },
    outputTokens: { total: 7, text: 4, reasoning: 3 },
  },
};

/**
 * Checks what every list of events has to keep: starts and ends pair up by id, blocks do not overlap, nothing is empty,
 * and a call's pieces join to a JSON object. Throws with what is wrong.
 */
export function checkEvents(events: readonly TurnEvent[]): void {
  let open: string | null = null;
  const args = new Map<string, string>();
  const fail = (event: TurnEvent) => {
    throw new Error(`${JSON.stringify(event)} while ${open ?? "nothing"} is open`);
  };
  for (const event of events) {
    switch (event.type) {
      case "text-start":
      case "reasoning-start":
      case "call-start": {
        if (open !== null) fail(event);
        open = idOf(event);
        if (event.type === "call-start") args.set(event.callId, "");
        break;
      }
      case "text-delta":
      case "reasoning-delta":
      case "call-args":
        if (open !== idOf(event) || event.delta === "") fail(event);
        if (event.type === "call-args") args.set(event.callId, (args.get(event.callId) ?? "") + event.delta);
        break;
      case "text-end":
      case "reasoning-end":
      case "call-end":
        if (open !== idOf(event)) fail(event);
        open = null;
        break;
      default:
        fail(event);
    }
  }
  if (open !== null) throw new Error(`${open} is still open at the end`);
  for (const [callId, text] of args) {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new Error(`${callId}: ${text}`);
  }
}

function idOf(event: TurnEvent): string {
  if ("callId" in event) return `call ${event.callId}`;
  if (event.type.startsWith("reasoning") && "id" in event) return `reasoning ${event.id}`;
  return "messageId" in event ? `text ${event.messageId}` : event.type;
}
