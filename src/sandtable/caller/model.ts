import { type Completion, complete } from "../../models/complete.ts";
import { type LanguageModel, modelLabel } from "../../models/language-model.ts";
import { ModelError, type ModelErrorKind } from "../../models/model-error.ts";
import type { StreamOptions } from "../../models/stream-model.ts";
import type { ModelCaller, Price } from "../domain/types.ts";
import type { Usage } from "../report/results.ts";
import type { Conversation } from "../trial/conversation.ts";
import type { CallerMove } from "./caller.ts";
import { readAnswer } from "./model-answer.ts";
import { askAgain, callerPrompt, hangUpTool, sayTool } from "./model-prompt.ts";

/** How often an answer that is no move is asked for again. */
const extraAsks = 2;

export interface ModelCallerDeps extends StreamOptions {
  model: LanguageModel;
}

/** A move, and what all the model calls it took have cost. */
interface PlayedMove {
  move: CallerMove;
  usage: Usage;
}

/** A caller played by a model. It keeps nothing between lines: the conversation is all it goes by. */
export interface PlayedCaller {
  /** The first line: the fixed one when the domain gives it, which costs nothing, else the model's. */
  open(): Promise<PlayedMove>;
  /** The next line, after the agent's last reply. */
  next(conversation: Conversation): Promise<PlayedMove>;
}

/** The caller's model failed, or gave no line in as often as it was asked. `usage` is what was spent on it. */
export class CallerModelError extends Error {
  override readonly name = "CallerModelError";
  readonly kind: ModelErrorKind | "no_line";
  readonly usage: Usage;

  constructor(kind: ModelErrorKind | "no_line", message: string, usage: Usage) {
    super(message);
    this.kind = kind;
    this.usage = usage;
  }
}

/**
 * Makes a caller that a model plays: it pursues its goal, knows its facts and no others, and acts only by saying a line
 * (at most 2,000 characters) or by hanging up. Sampling is left to the provider's defaults. Answers that are no move are
 * asked for again twice.
 *
 * Throws `CallerModelError`, or the reason of `deps.signal` when that ends the call.
 */
export function createModelCaller(caller: ModelCaller, deps: ModelCallerDeps): PlayedCaller {
  const { opens } = caller;
  const first = { messages: [], calls: [] };
  return {
    open: async () => {
      if (opens === undefined) return play(caller, deps, first, false);
      const move: CallerMove = { say: opens, act: "continue", hangUp: false };
      return { move, usage: totalUsage([], caller.price) };
    },
    next: (conversation) => play(caller, deps, conversation, true),
  };
}

async function play(
  caller: ModelCaller,
  deps: ModelCallerDeps,
  conversation: Conversation,
  canHangUp: boolean,
): Promise<PlayedMove> {
  const { model, ...options } = deps;
  const prompt = callerPrompt(caller, conversation);
  const tools = canHangUp ? [sayTool, hangUpTool] : [sayTool];
  const answers: Completion[] = [];
  let asked = prompt;
  for (let ask = 0; ask <= extraAsks; ask += 1) {
    let answer: Completion;
    try {
      answer = await complete(model, { prompt: asked, tools, toolChoice: { type: "auto" } }, options);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      throw new CallerModelError(error.kind, error.message, totalUsage(answers, caller.price));
    }
    answers.push(answer);
    const read = readAnswer(answer, canHangUp);
    if (read.move) return { move: read.move, usage: totalUsage(answers, caller.price) };
    asked = askAgain(prompt, read.why);
  }
  throw new CallerModelError(
    "no_line",
    `${modelLabel(model)}: gave no line in ${extraAsks + 1} answers`,
    totalUsage(answers, caller.price),
  );
}

/** Tokens and US dollars of some answers. Without a price, or where tokens were not counted, the cost is not known. */
function totalUsage(answers: readonly Completion[], price: Price | undefined): Usage {
  let inputTokens = 0;
  let outputTokens = 0;
  for (const { usage } of answers) {
    inputTokens += usage?.inputTokens ?? 0;
    outputTokens += usage?.outputTokens ?? 0;
  }
  if (answers.length === 0) return { inputTokens, outputTokens, costUsd: 0 };
  const known = price !== undefined && answers.every(({ usage }) => usage !== null);
  const costUsd = known ? (inputTokens * price.input + outputTokens * price.output) / 1_000_000 : null;
  return { inputTokens, outputTokens, costUsd };
}
