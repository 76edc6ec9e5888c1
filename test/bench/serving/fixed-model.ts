import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { answerText, modelUsage, pieces } from "./model-protocol.ts";

/*
 * The fixed model of the aims, in the Worker's own process: it says the same eighteen pieces at once, or the same text
 * whole. What is measured is then what each Worker itself makes of a turn. Copied into each of them by the bench.
 */

const finishReason = { unified: "stop" as const, raw: "stop" };

const { prompt_tokens: input, completion_tokens: output } = modelUsage;

const usage: LanguageModelV4Usage = {
  inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: output, text: output, reasoning: 0 },
};

export const fixedModel: LanguageModelV4 = {
  specificationVersion: "v4",
  provider: "bench",
  modelId: "fixed",
  supportedUrls: {},
  doGenerate: () =>
    Promise.resolve({ content: [{ type: "text", text: answerText }], finishReason, usage, warnings: [] }),
  doStream() {
    const parts: LanguageModelV4StreamPart[] = [
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "1" },
      ...pieces.map((delta) => ({ type: "text-delta" as const, id: "1", delta })),
      { type: "text-end", id: "1" },
      { type: "finish", finishReason, usage },
    ];
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
    return Promise.resolve({ stream });
  },
};
