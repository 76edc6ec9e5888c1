import type { Json, JsonObject } from "../../turn/json.ts";
import { validateArguments } from "../world/validate-arguments.ts";
import { describe, type Holey } from "./check-shape.ts";
import { isMapping } from "./forms.ts";
import { inside, type Place } from "./place.ts";
import { type Compilation, findTool } from "./references.ts";
import type { TaskSource } from "./source/tasks.ts";
import type { ReferenceStep, Tool } from "./types.ts";

/** Compiles a reference path: every call must be one the tool would accept. */
export function compileReference(
  c: Compilation,
  source: Holey<TaskSource>["reference"],
  place: Place,
  tools: readonly Tool[],
): ReferenceStep[] {
  return (source ?? []).flatMap((step, index) => {
    const there = inside(place, index);
    if (step === undefined) return [];
    const [name, second] = Object.keys(step);
    if (name === undefined || second !== undefined) {
      const found = name === undefined ? "nothing" : `${name} and ${second}`;
      c.problems.at(there, `a step is one call or one line, not ${found}; expected tool, agent or caller`);
      return [];
    }
    const compiled = compileStep(c, name, step[name], inside(there, name), tools);
    return compiled === undefined ? [] : [compiled];
  });
}

function compileStep(
  c: Compilation,
  name: string,
  value: unknown,
  place: Place,
  tools: readonly Tool[],
): ReferenceStep | undefined {
  if (name === "agent" || name === "caller") {
    if (typeof value === "string" && value !== "") return { kind: name, text: value };
    c.problems.at(place, `expected what the ${name} says, not ${describe(value)}`);
    return undefined;
  }
  findTool(c, name, place, "key");
  if (value !== null && !isMapping(value)) {
    c.problems.at(place, `expected a mapping of argument to value, not ${describe(value)}`);
    return undefined;
  }
  const args = asJson(value ?? {});
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return undefined;
  checkArguments(c, tool, args, place);
  return { kind: "call", tool: name, args };
}

/** Checks arguments one by one, so that each mistake stands at its place. */
function checkArguments(c: Compilation, tool: Tool, args: JsonObject, place: Place): void {
  const known = new Map(tool.params.map((param) => [param.name, param]));
  for (const [name, value] of Object.entries(args)) {
    const there = inside(place, name);
    const param = known.get(name);
    if (param === undefined) {
      if (c.tools.get(tool.name)?.complete === false) continue;
      c.problems.unknown(there, "key", { what: "argument", name, of: tool.name, known: known.keys() });
      continue;
    }
    const error = validateArguments({ ...tool, params: [param] }, { [name]: value });
    if (error !== null) c.problems.at(there, error);
  }
  for (const { name, optional } of tool.params) {
    if (!optional && !Object.hasOwn(args, name))
      c.problems.atKey(place, `missing argument "${name}" of ${tool.name}`);
  }
}

/** Arguments come from a document, which holds nothing but JSON. */
function asJson(args: { [name: string]: unknown }): JsonObject {
  return args as { [name: string]: Json };
}
