import type { TurnUsage } from "../../turn/index.ts";
import type { AguiEvent, AguiUsage } from "./events.ts";

/** Usage as the `CUSTOM` event named `usage` tells it: cached tokens beside the input, not in it. */
export function usageEvent(usage: TurnUsage): AguiEvent {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return {
    type: "CUSTOM",
    name: "usage",
    value: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens },
  };
}

/**
 * Usage in the protocol's own accounting, where every count is a total or a part of one. `model` is `provider/model`;
 * `null` where more than one model may have answered.
 */
export function totalUsage(usage: TurnUsage, model: string | null): AguiUsage {
  const { outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const inputTokens = usage.inputTokens + cacheReadTokens + cacheWriteTokens;
  return {
    ...modelLabels(model),
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    reasoningTokens,
    cachedInputTokens: cacheReadTokens,
    cacheWriteInputTokens: cacheWriteTokens,
  };
}

function modelLabels(label: string | null): { provider?: string; model?: string } {
  if (label === null) return {};
  const slash = label.indexOf("/");
  if (slash === -1) return { model: label };
  return { provider: label.slice(0, slash), model: label.slice(slash + 1) };
}
