import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { TurnUsage } from "../../turn/index.ts";

export const noUsage: TurnUsage = {
  inputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

export function addUsage(one: TurnUsage, other: TurnUsage): TurnUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  };
}

/** What a model's answer cost. Providers leave counts out; what they did not count is 0. */
export function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): TurnUsage {
  const { cacheRead = 0, cacheWrite = 0, total = 0 } = inputTokens;
  return {
    inputTokens: inputTokens.noCache ?? Math.max(0, total - cacheRead - cacheWrite),
    outputTokens: outputTokens.total ?? 0,
    reasoningTokens: outputTokens.reasoning ?? 0,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  };
}
