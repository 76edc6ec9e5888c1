import type { SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { LanguageModel, ModelCall } from "../../models/language-model.ts";
import { streamModel } from "../../models/stream-model.ts";
import type { Timing } from "../../models/timing.ts";
import type { Finish, FinishReason, SubagentRef, TurnEvent, TurnUsage } from "../../turn/event.ts";
import type { JsonObject } from "../../turn/json.ts";
import type { Block, Message } from "../../turn/message.ts";
import type { Sampling } from "../../turn/request.ts";
import { AnswerReader } from "./answer-reader.ts";
import type { InvalidCall } from "./call-reader.ts";
import { modelFailure } from "./model-failure.ts";
import { scriptTurn } from "./script-turn.ts";
import { isScripted } from "./scripted-model.ts";
import { providerOf } from "./signature.ts";
import { toModelCall } from "./to-prompt.ts";
import { TurnFailedError } from "./turn-failed.ts";
import { usageOf } from "./usage.ts";

/** A tool as the model is told about it. */
interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: JsonObject;
  client: boolean;
  strict?: boolean;
}

export interface ModelStepOptions {
  model: LanguageModel;
  system: string;
  /** Oldest first. Calls without a result, and results without a call, are put right for the provider. */
  messages: readonly Message[];
  /** Older messages that were left out of `messages`. */
  omitted?: number;
  tools: readonly OfferedTool[];
  sampling: Sampling;
  /** Facts the client gave for this turn. */
  context: readonly { description: string; value: string }[];
  /** Shown to the model beside the context, when there is any. */
  state: JsonObject;
  signal?: AbortSignal;
  timing: Timing;
  /** Id the answer will be stored under. */
  messageId: string;
  subagent?: SubagentRef;
  isCallIdTaken(callId: string): boolean;
  mintCallId(): string;
  /** The model's window, tokens; by default what is known of the model. */
  contextTokens?: number;
}

export interface ModelStepResult {
  /** In the order they were written. Not empty unless the model said nothing. */
  blocks: Block[];
  finish: Finish;
  usage: TurnUsage;
  /** Calls in `blocks` that must be answered with this message instead of being run. */
  invalidCalls: InvalidCall[];
}

/**
 * Asks the model for one answer. Yields its texts, thoughts and calls as events: starts and ends pair up, blocks do not
 * overlap, and the pieces of a call's arguments join to a JSON object, all of that also when the stream breaks.
 *
 * Throws `TurnFailedError` when the model cannot be asked or its answer cannot be used, the reason of `signal` when
 * that ended it, and what a script threw.
 */
export async function* modelStep(
  options: ModelStepOptions,
): AsyncGenerator<TurnEvent, ModelStepResult, void> {
  const { tools, timing, signal } = options;
  const reader = new AnswerReader({
    ...options,
    provider: providerOf(options.model),
    toolNames: new Set(tools.map(({ name }) => name)),
    clientToolNames: new Set(tools.filter(({ client }) => client).map(({ name }) => name)),
    stop: options.sampling.stop ?? [],
    oneCall: options.sampling.parallelCalls === false,
  });
  const { model, call } = asked(options);
  try {
    for await (const part of streamModel(model, call, { timing, signal })) {
      if (part.type !== "finish") {
        yield* reader.read(part);
        continue;
      }
      yield* reader.end();
      const { blocks, invalidCalls } = reader;
      const { unified, raw } = part.finishReason;
      const sequence = reader.stoppedBefore ?? sequenceIn(part.providerMetadata);
      if (unified === "error" && blocks.length === 0) {
        const why = raw === undefined ? "" : ` (${raw})`;
        throw new TurnFailedError("model_failed", `The model ended without an answer${why}.`, {
          retryable: true,
        });
      }
      const called = blocks.some(({ type }) => type === "call");
      return {
        blocks,
        finish: {
          unified: reader.stoppedBefore === null ? finishOf(unified, called) : finishOf("stop", called),
          raw: raw ?? null,
          ...(sequence === null ? {} : { sequence }),
        },
        usage: usageOf(part.usage),
        invalidCalls,
      };
    }
  } catch (error) {
    yield* reader.end();
    signal?.throwIfAborted();
    throw modelFailure(error);
  }
  throw new Error("a model's stream ended without its finish");
}

/** The model to ask and what to ask it. A script is given the conversation itself instead of a prompt. */
function asked(options: ModelStepOptions): { model: LanguageModel; call: ModelCall } {
  const { model } = options;
  if (isScripted(model)) return { model: model.answering(scriptTurn(options)), call: { prompt: [] } };
  return { model, call: toModelCall(options) };
}

function finishOf(unified: string, called: boolean): FinishReason {
  switch (unified) {
    case "length":
      return "length";
    case "content-filter":
      return "content_filter";
    case "stop":
    case "tool-calls":
      return called ? "tool_calls" : "stop";
    default:
      return called ? "tool_calls" : "other";
  }
}

/** The stop sequence a provider says it ended before. */
function sequenceIn(metadata: SharedV4ProviderMetadata | undefined): string | null {
  for (const { stopSequence } of Object.values(metadata ?? {}))
    if (typeof stopSequence === "string") return stopSequence;
  return null;
}
