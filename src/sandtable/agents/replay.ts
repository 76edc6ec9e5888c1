import type { JsonObject } from "../../turn/json.ts";
import type { StepRequest, StepResponse } from "../trial/step-protocol.ts";
import type { Briefing, Heard, Talk } from "./dialogue.ts";

/** Everything heard so far, in order: with a conversation that is deterministic, that is all there is to remember. */
type Memory = { heard: Heard[] };

/**
 * Makes a step-by-step agent of a conversation written as a generator. `open` gets the briefing and the caller's
 * first line. Each step plays the conversation again over what was heard, so it must depend on nothing else; a call
 * has a few dozen steps at most.
 */
export function replayed(open: (briefing: Briefing) => (line: string) => Talk<never>) {
  return {
    start: (): JsonObject => ({ heard: [] }),
    step(state: JsonObject, request: StepRequest): { state: JsonObject; response: StepResponse } {
      const now: Heard =
        request.message !== undefined ? { message: request.message } : { results: request.tool_results };
      const heard = [...(state as Memory).heard, now];
      return { state: { heard }, response: play(open(request), heard) };
    },
  };
}

function play(open: (line: string) => Talk<never>, heard: Heard[]): StepResponse {
  const [first, ...rest] = heard;
  if (first === undefined || !("message" in first))
    throw new Error("a conversation starts with a line of the caller");
  const talk = open(first.message);
  let response = talk.next().value;
  for (const next of rest) response = talk.next(next).value;
  return response;
}
