import { builtinAgent } from "../../sandtable/agents/builtin-agent.ts";
import type { StepResponse, StepTool, StepToolResult } from "../../sandtable/trial/step-protocol.ts";
import type { Json, JsonObject } from "../../turn/json.ts";
import type { Message } from "../../turn/message.ts";
import type { Script, ScriptPart } from "../authoring/script.ts";

/** One thing the desk heard: a line of the caller, or the results of all the calls of its last answer. */
type Heard = { message: string } | { results: { content: string; isError: boolean }[] };

const withoutTools =
  "I am a carrier desk and work with the tools that a request brings, such as verify_carrier, get_load and book_load. Rehearse me: greenroom run examples/freight --agent http://127.0.0.1:8787/sandtable/v1/agents/freight/step";

/**
 * The careful carrier desk that also plays in rehearsals, as a served agent: it hears the conversation again from the
 * beginning and gives the answer it comes to.
 */
export const freightScript: Script = ({ messages, tools, system }) => {
  const desk = builtinAgent("careful");
  if (desk === undefined) throw new Error("there is no careful carrier desk");
  if (tools.length === 0) return [{ text: withoutTools }];
  const briefing = {
    session_id: "",
    system: [system, ...messages.flatMap((one) => (one.role === "system" ? [one.text] : []))].join("\n\n"),
    tools: tools.map(
      ({ name, description, parameters }): StepTool => ({ name, description, input_schema: parameters }),
    ),
  };
  let state: JsonObject = desk.start();
  let response: StepResponse = { kind: "reply", reply: "Carrier desk, how can I help you?" };
  for (const heard of hear(messages)) {
    const now = "message" in heard ? heard : { tool_results: resultsFor(response, heard.results) };
    ({ state, response } = desk.step(state, { ...briefing, ...now }));
  }
  return response.kind === "reply"
    ? [{ text: response.reply }]
    : response.calls.map(({ id, name, arguments: args }): ScriptPart => ({ call: { id, name, args } }));
};

function hear(messages: readonly Message[]): Heard[] {
  const heard: Heard[] = [];
  for (const message of messages) {
    const last = heard.at(-1);
    if (message.role === "user") {
      const text = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
      heard.push({ message: text });
    } else if (message.role === "assistant") {
      if (message.blocks.some(({ type }) => type === "call")) heard.push({ results: [] });
    } else if (message.role === "tool" && last !== undefined && "results" in last) {
      last.results.push(message);
    }
  }
  return heard.filter((one) => "message" in one || one.results.length > 0);
}

/** The desk's own call ids, which the conversation may know by others: results come in the order of the calls. */
function resultsFor(
  response: StepResponse,
  results: { content: string; isError: boolean }[],
): StepToolResult[] {
  const calls = response.kind === "calls" ? response.calls : [];
  return results.map(({ content, isError }, index): StepToolResult => {
    const id = calls[index]?.id ?? "";
    return isError ? { id, ok: false, error: content } : { id, ok: true, result: readJson(content) };
  });
}

function readJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    // A tool may answer in plain words.
    return text;
  }
}
