import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineDeepAgent, named } from "../../../../src/agents/authoring/define-deep-agent.ts";
import {
  inputProblem,
  type ToolContext,
  ToolInputError,
  tool,
} from "../../../../src/agents/authoring/tool.ts";
import { agentNames, findAgent } from "../../../../src/agents/registry.ts";

const context: ToolContext = {
  sessionId: null,
  runId: "run",
  callId: "call",
  signal: new AbortController().signal,
  state: { get: () => ({}), set: () => undefined, delete: () => undefined, patch: () => undefined },
  forwarded: null,
  emit: () => undefined,
};

const add = tool(({ a, b }) => a + b, {
  name: "add",
  description: "Adds.",
  schema: z.object({ a: z.number(), b: z.number().default(1) }),
});
const echo = tool(({ text }) => text, {
  name: "echo",
  description: "Echoes.",
  schema: z.object({ text: z.string() }),
});

describe("tool", () => {
  test("shows the model its input as JSON Schema, defaults optional", () => {
    expect(add.parameters).toEqual({
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number", default: 1 } },
      required: ["a"],
    });
  });

  test("checks its input and fills in defaults before it runs", async () => {
    expect(await add.run({ a: 2 }, context)).toBe(3);
    await expect(add.run({ a: "2", b: null }, context)).rejects.toThrow(ToolInputError);
    expect(inputProblem(add, { a: "2", b: null })).toBe(
      "invalid arguments: a: Invalid input: expected number, received string; b: Invalid input: expected number, received null",
    );
    expect(inputProblem(add, { a: 2 })).toBeNull();
  });

  test("says at most five things at once", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const many = tool(() => null, {
      name: "many",
      description: "",
      schema: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    });
    expect(inputProblem(many, {})).toMatch(/^invalid arguments: a: .*; e: .*; and 2 more$/);
  });

  test.each(["", "has space", "x".repeat(65), "dot.ted", "ä"])("%j is no name", (name) => {
    expect(() => tool(() => null, { name, description: "", schema: z.object({}) })).toThrow(
      "is no name for a tool",
    );
  });
});

describe("defineDeepAgent", () => {
  test("the seed's example", () => {
    const agent = defineDeepAgent({
      model: "openai/gpt-4o-mini",
      systemPrompt: "...",
      editableState: {
        draft: { type: "string" },
      },
    });
    expect(agent).toEqual({
      name: undefined,
      description: "",
      model: "openai/gpt-4o-mini",
      systemPrompt: "...",
      tools: [],
      subagents: [],
      interruptOn: {},
      editableState: { draft: { type: "string" } },
      initialState: {},
      script: undefined,
      maxSteps: 32,
    });
  });

  test("a subagent has its agent's tools unless it names its own", () => {
    const base = { description: "", systemPrompt: "" };
    const { subagents } = defineDeepAgent({
      systemPrompt: "",
      tools: [add],
      subagents: [
        { name: "one", ...base },
        { name: "two", ...base, tools: [echo] },
        { name: "three", ...base, tools: [] },
      ],
    });
    expect(subagents.map(({ tools }) => tools)).toEqual([[add], [echo], []]);
  });

  const subagent = { name: "one", description: "", systemPrompt: "", tools: [echo] };
  test.each([
    ["two tools", { tools: [add, add] }, 'two tools are called "add"'],
    ["two subagents", { subagents: [subagent, subagent] }, 'two subagents are called "one"'],
    ["a gate without its tool", { tools: [add], interruptOn: { rm: true } }, 'interruptOn names "rm"'],
    [
      "a gate nothing opens",
      { tools: [add], interruptOn: { add: { allowedDecisions: [] } } },
      '"add" allows no decision',
    ],
    [
      "a subagent's gate without its tool",
      { tools: [add], subagents: [{ ...subagent, interruptOn: { add: true } }] },
      'interruptOn of subagent "one" names "add"',
    ],
    [
      "a tool called task beside subagents",
      {
        tools: [tool(() => null, { name: "task", description: "", schema: z.object({}) })],
        subagents: [subagent],
      },
      'no tool can be called "task"',
    ],
    [
      "a schema that is none",
      { editableState: { draft: { type: "strin" } } },
      'the schema of editableState "draft" cannot be checked: Unsupported type: strin',
    ],
    [
      "a schema with a condition",
      { editableState: { draft: { type: "object", properties: { a: { if: {} } } } } },
      'the schema of editableState "draft" cannot be checked: Conditional schemas',
    ],
    ["a schema that refers to nothing", { editableState: { a: { $ref: "#/nope" } } }, "Reference not found"],
    [
      "a schema that would pass unchecked",
      { editableState: { a: { type: "array", items: { contains: { type: "string" } } } } },
      "contains is not supported",
    ],
    [
      "a pattern that is none",
      { editableState: { a: { type: "string", pattern: "(" } } },
      "Unterminated group",
    ],
    ["no steps", { maxSteps: 0 }, "maxSteps must be a whole number from 1 on"],
    ["half a step", { maxSteps: 1.5 }, "maxSteps must be a whole number from 1 on"],
  ])("%s is refused", (_name, options, message) => {
    expect(() => defineDeepAgent({ systemPrompt: "", ...options })).toThrow(message);
  });

  test("a key of the state, or a value, may be called contains", () => {
    const schema = {
      type: "object",
      properties: { contains: { enum: ["contains"] } },
      default: { contains: 1 },
    };
    expect(defineDeepAgent({ systemPrompt: "", editableState: { contains: schema } }).editableState).toEqual({
      contains: schema,
    });
  });

  test("a gate may be for a subagent's tool only", () => {
    const agent = defineDeepAgent({ systemPrompt: "", subagents: [subagent], interruptOn: { echo: true } });
    expect(agent.interruptOn).toEqual({ echo: true });
  });
});

describe("the registry", () => {
  test("has the bundled agents under their folders' names", () => {
    expect(agentNames).toEqual(["freight", "planner", "playground", "support"]);
    for (const name of agentNames) expect(findAgent(name)?.name).toBe(name);
  });

  test.each(["", "nobody", "__proto__", "constructor"])("has no %j", (name) => {
    expect(findAgent(name)).toBeUndefined();
  });

  test("an agent cannot call itself what its folder is not called", () => {
    const agent = defineDeepAgent({ name: "other", systemPrompt: "" });
    expect(() => named("folder", agent)).toThrow('the agent in folder "folder" calls itself "other"');
    expect(named("other", agent).name).toBe("other");
  });
});
