import { ModelError } from "../../models/model-error.ts";
import { type AgentSystemPromptInput, agentSystemPrompt } from "../backend/agent-system-prompt.ts";
import { wantsResults } from "../backend/check-reply.ts";
import type { TableContract } from "../protocol/contract.ts";
import { answerText } from "./answer-text.ts";
import type { BrainReply, BrainRound, TableBrain } from "./brain.ts";
import { answerShape, repairPrompt, roundPrompt } from "./provider-prompt.ts";
import { readAnswer } from "./read-answer.ts";

/** What a provider is asked. */
export interface CompleteAsk {
  system: string;
  user: string;
  signal: AbortSignal;
}

/**
 * The seam to any provider: asks a model and returns the whole of what it wrote, a JSON object as text. One that streams
 * tells `onDelta` each piece as it comes. Throws `ModelError`, or the reason of the signal.
 */
export type Complete = (ask: CompleteAsk, onDelta?: (piece: string) => void) => Promise<string>;

/**
 * A brain that asks a model. What the model writes is never trusted: only calls of the contract, within the limits, are
 * passed on. An answer that cannot be used is asked for once more with what is wrong with it; the second time it is a
 * `ModelError`. Text is passed on as it is written only after calls that may run and need no results.
 */
export function providerBrain(complete: Complete): TableBrain {
  return {
    async answer(round, { signal, onText }) {
      const ask = {
        system: `${agentSystemPrompt({ context: contextOf(round) })}\n\n${answerShape}`,
        user: roundPrompt(round),
        signal,
      };
      const text = answerText((before) => mayShow(before, round.contract));
      let shown = false;
      let held = "";
      const first = await complete(ask, (piece) => {
        held += text.push(piece);
        // An answer that turns out to be blank, or that nobody sees, can still be asked for again.
        if (onText === undefined) return;
        if (!shown && held.trim() === "") return;
        shown = true;
        if (held !== "") onText(held);
        held = "";
      });
      signal.throwIfAborted();
      const read = readAnswer(first, round.contract);
      if (read.ok) return read.reply;
      // The reader has seen its beginning: another answer cannot take its place.
      if (shown) throw unusable(read.faults);
      return repaired(complete, ask, first, read.faults, round);
    },
  };
}

function contextOf({ contract, view, left }: BrainRound): AgentSystemPromptInput["context"] {
  return { contract, view, ...(left === undefined ? {} : { selection: left }) };
}

async function repaired(
  complete: Complete,
  ask: CompleteAsk,
  answer: string,
  faults: string[],
  { contract }: BrainRound,
): Promise<BrainReply> {
  const user = `${ask.user}\n\n${repairPrompt(answer, faults)}`;
  const read = readAnswer(await complete({ ...ask, user }), contract);
  ask.signal.throwIfAborted();
  if (read.ok) return read.reply;
  throw unusable(read.faults);
}

/** Whether the text after these members may be shown at once: the calls are there, may run, and ask for nothing back. */
function mayShow(before: string, contract: TableContract): boolean {
  if (!/"toolCalls"\s*:/.test(before)) return false;
  // A text stands for the one to come: an answer without calls is one by it.
  const read = readAnswer(before.replace(/\}$/, ',"text":"-"}'), contract);
  return read.ok && !wantsResults(read.reply.calls);
}

function unusable(faults: string[]): ModelError {
  return new ModelError("malformed", `its answer could not be used: ${faults.slice(0, 3).join(" ")}`);
}
