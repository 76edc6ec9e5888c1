import type { Json } from "../../turn/json.ts";
import type { ScriptPart, ScriptResult, ScriptTurn } from "../authoring/script.ts";
import { readActions } from "./actions.ts";
import { readReply } from "./replies.ts";
import { sampleJson } from "./sample-json.ts";

/**
 * Does what the newest user message says, out of a fixed set of prompts (`prompts.ts`), and says what came of it. Pure:
 * all it remembers is in the conversation and the shared state.
 */
export function playgroundScript(turn: ScriptTurn): readonly ScriptPart[] {
  const { user, step, tools, sampling, results } = turn;
  const forced = sampling.toolChoice;
  if (/\bnever stop\b/i.test(user)) return [{ call: { name: "weather", args: { city: `Town${step}` } } }];
  // A caller that takes one call an answer gets them one after the other.
  const oneByOne = sampling.parallelCalls === false;
  if ((step === 0 || oneByOne) && tools.length > 0) {
    const asked = readActions(user, tools);
    const actions = oneByOne ? asked.slice(step, step + 1) : asked;
    if (actions.length > 0) {
      const opening = /\bsay something first\b/i.test(user) && step === 0 ? [{ text: "Let me see. " }] : [];
      return [...opening, ...actions.map((call) => ({ call }))];
    }
    if (step === 0 && (forced?.type === "tool" || forced?.type === "required")) return forcedCall(turn);
  }
  const { responseFormat } = sampling;
  if (responseFormat?.schema !== undefined)
    return [{ text: JSON.stringify(sampleJson(responseFormat.schema)) }];
  const parts = results.length > 0 ? [{ text: results.map(outcome).join(" ") }] : answer(turn);
  return responseFormat === undefined ? parts : [{ text: JSON.stringify({ reply: textOf(parts) }) }];
}

function answer(turn: ScriptTurn): readonly ScriptPart[] {
  const reply = readReply(turn);
  if (reply !== null) return reply;
  if (/\buse my tool\b/i.test(turn.user)) return [{ text: "You did not declare a tool." }];
  return [{ text: `You said: ${turn.user}` }];
}

/** A caller may insist on a tool whatever the words are. */
function forcedCall({ sampling, tools }: ScriptTurn): readonly ScriptPart[] {
  const choice = sampling.toolChoice;
  const tool = choice?.type === "tool" ? tools.find(({ name }) => name === choice.name) : tools[0];
  if (tool === undefined) return [{ text: "There is no such tool." }];
  const args = sampleJson(tool.parameters);
  const isArguments = typeof args === "object" && args !== null && !Array.isArray(args);
  return [{ call: { name: tool.name, args: isArguments ? args : {} } }];
}

function outcome({ name, content, isError }: ScriptResult): string {
  if (isError) return `${name} failed: ${content}`;
  if (name === "weather") {
    const weather = readObject(content);
    return weather === null
      ? `weather says: ${content}`
      : `${weather.city}: ${weather.celsius} °C, ${weather.sky}.`;
  }
  if (name === "long_output") return `The tool returned ${content.length} characters.`;
  return name === "task" ? `The helper says: ${content}` : `${name} says: ${content}`;
}

/** What a client brings as a tool's result can be any text. */
function readObject(text: string): { [name: string]: Json } | null {
  try {
    const value: Json = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function textOf(parts: readonly ScriptPart[]): string {
  return parts
    .map((part) => ("text" in part ? part.text : "pieces" in part ? part.pieces.join("") : ""))
    .join("");
}
