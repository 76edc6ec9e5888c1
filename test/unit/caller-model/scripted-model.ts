import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { LanguageModel, ModelPart } from "../../../src/models/language-model.ts";

/** What the model does when it is asked once. */
export interface Turn {
  text?: string;
  reasoning?: string;
  calls?: { name: string; input: string }[];
  finish?: "stop" | "tool-calls" | "length" | "content-filter";
  /** Input and output tokens; `null`: not counted. Default 10 and 2. */
  tokens?: [number, number] | null;
  /** Thrown instead of an answer. */
  fails?: Error;
}

/** A model that takes these turns, and remembers what it was asked. */
export function scriptedModel(turns: Turn[]): LanguageModel & { asked: LanguageModelV4CallOptions[] } {
  const left = [...turns];
  const asked: LanguageModelV4CallOptions[] = [];
  return {
    specificationVersion: "v4",
    provider: "test.chat",
    modelId: "m",
    supportedUrls: {},
    asked,
    doGenerate: () => Promise.reject(new Error("doGenerate is never used")),
    doStream: async (options) => {
      asked.push(options);
      const turn = left.shift();
      if (!turn) throw new Error("asked once too often");
      if (turn.fails) throw turn.fails;
      return { stream: new ReadableStream({ start: (controller) => void write(controller, turn) }) };
    },
  };
}

function write(controller: ReadableStreamDefaultController<ModelPart>, turn: Turn): void {
  const { tokens = [10, 2] } = turn;
  controller.enqueue({ type: "stream-start", warnings: [] });
  if (turn.reasoning) controller.enqueue({ type: "reasoning-delta", id: "r", delta: turn.reasoning });
  if (turn.text) controller.enqueue({ type: "text-delta", id: "t", delta: turn.text });
  for (const [n, { name, input }] of (turn.calls ?? []).entries()) {
    controller.enqueue({ type: "tool-call", toolCallId: `c${n}`, toolName: name, input });
  }
  controller.enqueue({
    type: "finish",
    finishReason: { unified: turn.finish ?? "stop", raw: undefined },
    usage: {
      inputTokens: { total: tokens?.[0], noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: tokens?.[1], text: undefined, reasoning: undefined },
    },
  });
  controller.close();
}

export const say = (text: string) => ({ name: "say", input: JSON.stringify({ text }) });
export const hangUp = (args: { text?: string; reason?: string }) => ({
  name: "hang_up",
  input: JSON.stringify(args),
});
