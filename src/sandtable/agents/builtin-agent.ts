import type { JsonObject } from "../../turn/json.ts";
import type { StepRequest, StepResponse } from "../trial/step-protocol.ts";
import { answerCarriers } from "./desk.ts";
import { careful, careless, type Habits } from "./habits.ts";
import { replayed } from "./replay.ts";

/**
 * An agent that lives in Greenroom: for trying a domain without writing an agent first, and for comparison.
 * A pure reducer: the same state and request always give the same answer, and all it remembers is in the JSON state,
 * which the trial stores between two steps.
 */
export interface BuiltinAgent {
  name: string;
  description: string;
  /** State before the first step of a trial. */
  start(): JsonObject;
  /** One step of the protocol. Throws when `state` is not one that `start` or `step` returned. */
  step(state: JsonObject, request: StepRequest): { state: JsonObject; response: StepResponse };
}

const agents: BuiltinAgent[] = [
  carrierDesk("careful", "A freight broker's carrier desk that works by its policy.", careful),
  carrierDesk(
    "careless",
    "The same carrier desk with every safeguard off: fast, friendly and wrong.",
    careless,
  ),
  {
    name: "nothing",
    description: 'Says "Okay." to everything and calls no tool. A task it passes proves nothing.',
    start: () => ({}),
    step: (state) => ({ state, response: { kind: "reply", reply: "Okay." } }),
  },
];

/** Names that `builtinAgent` knows. */
export const builtinNames: readonly string[] = agents.map((agent) => agent.name);

/** The builtin agent of that name, `undefined` when there is none. */
export function builtinAgent(name: string): BuiltinAgent | undefined {
  return agents.find((agent) => agent.name === name);
}

/** A freight desk with the given habits: `careful`, `careless`, or anything between. */
export function carrierDesk(name: string, description: string, habits: Habits): BuiltinAgent {
  return { name, description, ...replayed((briefing) => answerCarriers(briefing, habits)) };
}
