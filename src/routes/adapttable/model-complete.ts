import { usageOf } from "../../agents/runtime/usage.ts";
import type { LanguageModel, ModelCall } from "../../models/language-model.ts";
import { streamModel } from "../../models/stream-model.ts";
import { systemTiming } from "../../models/timing.ts";
import type { Complete } from "../../table/brains/provider.ts";
import { AGENT_HTTP_LIMITS } from "../../table/protocol/limits.ts";
import type { TurnUsage } from "../../turn/index.ts";

/**
 * The `complete` seam of a table's brain over a model: its text, in pieces and whole. Reasoning is left out. `onUsage` is
 * told what each answer cost.
 */
export function modelComplete(model: LanguageModel, onUsage: (usage: TurnUsage) => void): Complete {
  return async ({ system, user, signal }, onDelta) => {
    const call: ModelCall = {
      prompt: [
        { role: "system", content: system },
        { role: "user", content: [{ type: "text", text: user }] },
      ],
      responseFormat: { type: "json" },
    };
    const { maxResponseBytes: maxChars } = AGENT_HTTP_LIMITS;
    // Tables wait some twenty seconds for an answer.
    const options = { timing: systemTiming(), signal, maxChars, retries: 1, stallMs: 30_000 };
    let text = "";
    for await (const part of streamModel(model, call, options)) {
      if (part.type === "finish") onUsage(usageOf(part.usage));
      if (part.type !== "text-delta") continue;
      text += part.delta;
      onDelta?.(part.delta);
    }
    return text;
  };
}
