import type { LanguageModel, ModelPart } from "../../models/language-model.ts";
import { ModelError } from "../../models/model-error.ts";
import type { Timing } from "../../models/timing.ts";
import type { Script, ScriptTurn } from "../authoring/script.ts";
import { type LimitedAnswer, limitOutput } from "./script-limits.ts";

/** A model that a script plays. Its answers hang on more than a prompt says, so it is asked through `answering`. */
export interface ScriptedModel extends LanguageModel {
  /** A model that gives the script's answer to this turn, whatever it is prompted. */
  answering(turn: ScriptTurn): LanguageModel;
}

/** About how many characters make a token, for the counts a scripted answer reports. */
const tokenChars = 4;

/**
 * Makes a model of a script. It honours `maxOutputTokens` (at four characters a token) and `stop`, waits as the script
 * says and no longer than its signal, and counts tokens by characters, so the same turn always costs the same.
 */
export function scriptedModel(script: Script, timing: Timing): ScriptedModel {
  return {
    ...shell(() => Promise.reject(new Error("a scripted model is asked through `answering`"))),
    answering: (turn) => {
      // Here, not in the stream: a script that throws is a fault of its author and not of a provider.
      const answer = limitOutput(script(turn), turn.sampling);
      return shell(({ abortSignal = new AbortController().signal }) =>
        Promise.resolve({ stream: streamOf(play(answer, turn, timing, abortSignal)) }),
      );
    },
  };
}

/** Whether a model is played by a script. */
export function isScripted(model: LanguageModel): model is ScriptedModel {
  return "answering" in model;
}

function shell(doStream: LanguageModel["doStream"]): LanguageModel {
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("models are only ever streamed")),
    doStream,
  };
}

async function* play(
  { parts, finish, sequence }: LimitedAnswer,
  turn: ScriptTurn,
  timing: Timing,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  let calls = 0;
  let chars = 0;
  let thought = 0;
  let blocks = 0;
  let open: "text" | "reasoning" | null = null;
  const id = () => `${blocks}`;
  function* change(to: "text" | "reasoning" | null): Generator<ModelPart> {
    if (open === to) return;
    if (open !== null) yield { type: `${open}-end`, id: id() };
    open = to;
    if (to === null) return;
    blocks += 1;
    yield { type: `${to}-start`, id: id() };
  }
  yield { type: "stream-start", warnings: [] };
  for (const part of parts) {
    if ("wait" in part) {
      await timing.sleep(part.wait, signal);
      signal.throwIfAborted();
    } else if ("fail" in part) {
      throw new ModelError(part.fail.kind, `scripted: ${part.fail.message}`);
    } else if ("call" in part) {
      yield* change(null);
      const { name, args, id: given } = part.call;
      const input = JSON.stringify(args);
      // Not an id that can be used: one is minted, unless the script chose it.
      chars += input.length;
      yield { type: "tool-call", toolCallId: given ?? `scripted:${calls}`, toolName: name, input };
      calls += 1;
    } else if ("reasoning" in part) {
      yield* change("reasoning");
      thought += part.reasoning.length;
      yield { type: "reasoning-delta", id: id(), delta: part.reasoning };
    } else {
      yield* change("text");
      for (const delta of "pieces" in part ? part.pieces : [part.text]) {
        chars += delta.length;
        yield { type: "text-delta", id: id(), delta };
      }
    }
  }
  yield* change(null);
  const unified = finish === "length" ? "length" : calls > 0 ? "tool-calls" : "stop";
  const input = tokens(turn.system.length + promptChars(turn));
  const [text, reasoning] = [tokens(chars), tokens(thought)];
  yield {
    type: "finish",
    finishReason: { unified, raw: unified },
    ...(sequence === null ? {} : { providerMetadata: { scripted: { stopSequence: sequence } } }),
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: text + reasoning, text, reasoning },
    },
  };
}

function tokens(chars: number): number {
  return Math.ceil(chars / tokenChars);
}

function promptChars({ messages }: ScriptTurn): number {
  let chars = 0;
  for (const message of messages) {
    if (message.role === "system") chars += message.text.length;
    else if (message.role === "tool") chars += message.content.length;
    else if (message.role === "user") {
      for (const part of message.parts) chars += part.type === "text" ? part.text.length : 0;
    } else {
      for (const block of message.blocks) {
        chars += block.type === "call" ? JSON.stringify(block.args).length : block.text.length;
      }
    }
  }
  return chars;
}

/** One part a pull, so that nothing is written ahead of its reader. */
function streamOf(parts: AsyncGenerator<ModelPart>): ReadableStream<ModelPart> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
