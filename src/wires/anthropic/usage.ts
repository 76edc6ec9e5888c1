import type { TurnUsage } from "../../turn/index.ts";

/** Tokens as this wire counts them: cached ones beside the input, reasoning part of the output. */
export function anthropicUsage(usage: TurnUsage) {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
  };
}
