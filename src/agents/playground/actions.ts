import type { Json, JsonObject } from "../../turn/json.ts";
import type { ScriptTool } from "../authoring/script.ts";
import { sampleJson } from "./sample-json.ts";

/** A tool call a prompt asks for. */
interface Action {
  name: string;
  args: { [name: string]: Json };
}

type Reader = (match: RegExpExecArray, tools: readonly ScriptTool[]) => Action[];

const file = String.raw`[\w-]+\.\w+`;
const city = String.raw`\p{Lu}[\p{L}-]*`;
/** The first may be written small; behind an "and" a small word may be anything. */
const firstCity = String.raw`\p{L}[\p{L}-]*`;
const joint = "(?:, and |, | and )";

/** Longest arguments written on request, characters: a whole answer can have a few more. */
const maxArguments = 900_000;

/** What a prompt can ask for, in any number and order. The helper's task takes the rest of its sentence. */
const readers: readonly (readonly [RegExp, Reader])[] = [
  [/\bask the helper (?:to|for) ([^.?!]+(?:\.\w[^.?!]*)*)/iu, ([, task = ""]) => [helper(task.trim())]],
  [
    new RegExp(String.raw`\bweather in (${firstCity}(?:${joint}${city})*)`, "u"),
    ([, cities = ""]) => listed(cities).map((name) => ({ name: "weather", args: { city: name } })),
  ],
  [
    new RegExp(String.raw`\bdelete (${file}(?:${joint}${file})*)`, "iu"),
    ([, files = ""]) => listed(files).map((path) => ({ name: "delete_file", args: { path } })),
  ],
  [/\bset the colou?r to (\w+)/i, ([, color = ""]) => [{ name: "set_color", args: { color } }]],
  [/\buse my tool\b/i, (_, tools) => clientCall(tools)],
  [/\buse the failing tool\b/i, () => [{ name: "failing_tool", args: {} }]],
  [
    /\buse the slow tool(?: for (\d+) ms)?/i,
    ([, ms = "300"]) => [{ name: "slow_tool", args: { ms: Number(ms) } }],
  ],
  [
    /\blong tool output(?: of (\d+) characters)?/i,
    ([, chars]) => [{ name: "long_output", args: chars === undefined ? {} : { chars: Number(chars) } }],
  ],
  [/\bcall a tool that is not there\b/i, () => [{ name: "no_such_tool", args: {} }]],
  [
    /\bcall a tool with arguments of (\d+) characters\b/i,
    ([, chars = ""]) => [
      { name: "weather", args: { city: "日".repeat(Math.min(Number(chars), maxArguments)) } },
    ],
  ],
  [/\bcall a tool with wrong arguments\b/i, () => [{ name: "weather", args: { city: 7 } }]],
];

/** The calls a prompt asks for, in the order it names them. */
export function readActions(prompt: string, tools: readonly ScriptTool[]): Action[] {
  const found: { at: number; actions: Action[] }[] = [];
  let rest = prompt;
  for (const [pattern, reader] of readers) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    found.push({ at: match.index, actions: reader(match, tools) });
    // Blanked, not removed: later places stay what they are.
    rest =
      rest.slice(0, match.index) + " ".repeat(match[0].length) + rest.slice(match.index + match[0].length);
  }
  return found.toSorted((one, other) => one.at - other.at).flatMap(({ actions }) => actions);
}

function helper(description: string): Action {
  return { name: "task", args: { subagent: "helper", description } };
}

function listed(words: string): string[] {
  return words.split(new RegExp(joint, "u"));
}

/** The first tool the client declared, with arguments that fit its schema. */
function clientCall(tools: readonly ScriptTool[]): Action[] {
  const tool = tools.find(({ client }) => client);
  if (tool === undefined) return [];
  const args = sampleJson(tool.parameters);
  return [{ name: tool.name, args: isObject(args) ? args : {} }];
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
