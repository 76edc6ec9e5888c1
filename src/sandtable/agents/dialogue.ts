import type { JsonObject } from "../../turn/json.ts";
import type { StepRequest, StepResponse, StepToolResult } from "../trial/step-protocol.ts";

/** What a step brings to the agent. */
export type Heard = { message: string } | { results: StepToolResult[] };

/** What the agent is told about its job. */
export type Briefing = Pick<StepRequest, "system" | "tools">;

/** A stretch of conversation, written straight down: it yields what the agent does and receives what comes back. */
export type Talk<T> = Generator<StepResponse, T, Heard>;

/** The caller spoke although the agent was waiting for a tool: the runner had cut the turn off. */
export class CutOff extends Error {
  readonly line: string;
  constructor(line: string) {
    super("the caller spoke before the tool answered");
    this.line = line;
  }
}

/** Says `reply`, which ends the turn, and returns the caller's next line. */
export function* say(reply: string): Talk<string> {
  const heard = yield { kind: "reply", reply };
  if (!("message" in heard)) throw new Error("tool results came although no tool was called");
  return heard.message;
}

/**
 * Calls one tool and returns its result. A tool that the briefing does not offer fails without being called.
 * Throws CutOff when the caller speaks before the result is in.
 */
export function* useTool(
  briefing: Briefing,
  id: string,
  name: string,
  args: JsonObject,
): Talk<StepToolResult> {
  if (!briefing.tools.some((tool) => tool.name === name))
    return { id, ok: false, error: `there is no tool ${name}` };
  const heard = yield { kind: "calls", calls: [{ id, name, arguments: args }] };
  if ("message" in heard) throw new CutOff(heard.message);
  const result = heard.results.find((candidate) => candidate.id === id);
  if (result === undefined) throw new Error(`no result for call ${id}`);
  return result;
}
