import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Json, JsonObject } from "../turn/json.ts";
import type { FinishReason, LanguageModel, ModelCall } from "./language-model.ts";
import { ModelError } from "./model-error.ts";
import { type StreamOptions, streamModel } from "./stream-model.ts";

/** A tool call as the model wrote it. */
export interface ModelToolCall {
  /** Unique among the calls of one answer. */
  id: string;
  name: string;
  /** The arguments' text. */
  input: string;
  /** `input` read as JSON; `null` when it is not a JSON object. */
  arguments: JsonObject | null;
}

/** Tokens as the provider counted them. */
interface ModelUsage {
  /** All input, cached or not. */
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  /** All output, reasoning included. */
  outputTokens: number;
  reasoningTokens: number;
}

/** A whole answer. */
export interface Completion {
  text: string;
  reasoning: string;
  toolCalls: ModelToolCall[];
  finishReason: FinishReason;
  /** `null` when the provider counted nothing. */
  usage: ModelUsage | null;
}

/**
 * Asks a model and collects its answer. Retries, stalls, limits and errors are those of `streamModel`. Arguments that
 * are not a JSON object are no error here: the call comes with `arguments: null`. Calls that share an id get ids of
 * their own; calls the provider itself has run are left out.
 */
export async function complete(
  model: LanguageModel,
  call: ModelCall,
  options: StreamOptions,
): Promise<Completion> {
  let text = "";
  let reasoning = "";
  const toolCalls: ModelToolCall[] = [];
  const ids = new Set<string>();
  for await (const part of streamModel(model, call, options)) {
    if (part.type === "text-delta") text += part.delta;
    else if (part.type === "reasoning-delta") reasoning += part.delta;
    else if (part.type === "tool-call" && !part.providerExecuted) {
      const id = unused(part.toolCallId, ids);
      ids.add(id);
      toolCalls.push({ id, name: part.toolName, input: part.input, arguments: readObject(part.input) });
    } else if (part.type === "finish") {
      return { text, reasoning, toolCalls, finishReason: part.finishReason, usage: readUsage(part.usage) };
    }
  }
  throw new ModelError("malformed", "the answer ended before it was finished");
}

function unused(id: string, taken: ReadonlySet<string>): string {
  let free = id;
  for (let n = 2; taken.has(free); n += 1) free = `${id}-${n}`;
  return free;
}

/** No arguments at all is how some models call a tool without parameters. */
function readObject(input: string): JsonObject | null {
  if (input.trim() === "") return {};
  try {
    const value: Json = JSON.parse(input);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function readUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelUsage | null {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  return {
    inputTokens: inputTokens.total ?? 0,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    cacheWriteTokens: inputTokens.cacheWrite ?? 0,
    outputTokens: outputTokens.total ?? 0,
    reasoningTokens: outputTokens.reasoning ?? 0,
  };
}
