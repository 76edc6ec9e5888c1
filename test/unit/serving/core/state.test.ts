import fc from "fast-check";
import jsonPatch from "fast-json-patch";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineDeepAgent } from "../../../../src/agents/authoring/define-deep-agent.ts";
import { type ToolContext, tool } from "../../../../src/agents/authoring/tool.ts";
import { MemorySessionStore } from "../../../../src/agents/runtime/memory-session-store.ts";
import { stateEditor } from "../../../../src/agents/runtime/state-editor.ts";
import { statePatch, stateRestated } from "../../../../src/agents/runtime/state-patch.ts";
import type { JsonObject } from "../../../../src/turn/index.ts";
import { canonical } from "./check-turn.ts";
import { answers, call, Session } from "./session.ts";

/** What a client's patch library makes of a delta: validation and the ban on prototypes on. */
function applied(before: JsonObject, patch: ReturnType<typeof statePatch>): JsonObject {
  return jsonPatch.applyPatch(structuredClone(before), structuredClone(patch), true, false).newDocument;
}

/** An object as JSON gives it: `__proto__` is an ordinary member. */
function json(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

const key = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "a/b",
    "~",
    "~1",
    "~0/",
    "",
    "0",
    "-",
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "length",
  ),
  fc.string({ maxLength: 3 }),
);
const { value: state } = fc.letrec<{ value: JsonObject; any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, 1, -1.5, "", "x"),
    fc.array(tie("any"), { maxLength: 4 }),
    tie("value"),
  ),
  value: fc
    .array(fc.tuple(key, tie("any")), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries) as JsonObject),
}));

describe("the delta of the state", () => {
  test("makes the new state of the old one with an ordinary patch library, whatever the keys", () => {
    fc.assert(
      fc.property(state, state, (before, after) => {
        const patch = statePatch(before, after);
        expect(canonical(applied(before, patch))).toBe(canonical(after));
        if (JSON.stringify(before) === JSON.stringify(after)) expect(patch).toEqual([]);
      }),
      { numRuns: 3_000, seed: 5 },
    );
  });

  test("is small where it can be", () => {
    expect(
      statePatch({ todos: [{ done: false }], "a/b": 1 }, { todos: [{ done: true }], "a/b": null }),
    ).toEqual([
      { op: "replace", path: "/a~1b", value: null },
      { op: "replace", path: "/todos/0/done", value: true },
    ]);
    expect(statePatch({ "~": 1, b: 2 }, { b: 2, constructor: 3 })).toEqual([
      { op: "remove", path: "/~0" },
      { op: "add", path: "/constructor", value: 3 },
    ]);
  });

  test("replaces the whole where libraries refuse the name", () => {
    const after = json('{"a":{"__proto__":1}}');
    expect(statePatch({ a: {} }, after)).toEqual([{ op: "replace", path: "", value: after }]);
    expect(statePatch({ constructor: { prototype: 1 } }, { constructor: { prototype: 2 } })).toHaveLength(1);
  });
});

describe("a tool's hand on the state", () => {
  const editor = (start: JsonObject) => {
    const store = new MemorySessionStore(start);
    return { store, state: stateEditor(store, new AbortController().signal) };
  };

  test("sets, deletes and patches, each at once", () => {
    const { store, state: edit } = editor({ a: 1 });
    edit.set("b/c", { deep: [1] });
    edit.delete("a");
    edit.patch([{ op: "add", path: "/b~1c/deep/-", value: 2 }]);
    expect(store.state()).toEqual({ "b/c": { deep: [1, 2] } });
  });

  test("gives and takes copies", () => {
    const { store, state: edit } = editor({ list: [1] });
    const value = { inner: [1] };
    edit.set("value", value);
    value.inner.push(2);
    const operations = [{ op: "add" as const, path: "/more", value: [1] }];
    edit.patch(operations);
    operations[0]?.value.push(2);
    const got = edit.get();
    got.list = "changed";
    expect(store.state()).toEqual({ list: [1], value: { inner: [1] }, more: [1] });
  });

  test("makes a member of a key named __proto__, and no prototype", () => {
    const { store, state: edit } = editor({});
    edit.set("__proto__", { polluted: true });
    expect(Object.hasOwn(store.state(), "__proto__")).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(store.state())).toBe(Object.prototype);
  });

  test("changes nothing when a patch does not apply whole", () => {
    const { store, state: edit } = editor({ a: 1 });
    expect(() =>
      edit.patch([
        { op: "replace", path: "/a", value: 2 },
        { op: "remove", path: "/missing" },
      ]),
    ).toThrow();
    expect(() => edit.patch([{ op: "add", path: "/__proto__/polluted", value: true }])).toThrow();
    expect(store.state()).toEqual({ a: 1 });
  });

  test("keeps the state an object of bounded length", () => {
    const { store, state: edit } = editor({ a: 1 });
    for (const value of [5, null, []]) {
      expect(() => edit.patch([{ op: "replace", path: "", value }])).toThrow("must be an object");
    }
    expect(() => edit.set("big", "x".repeat(500_000))).toThrow(
      "The shared state would have 500016 characters; it can have 500000.",
    );
    expect(store.state()).toEqual({ a: 1 });
  });
});

describe("a turn that changes the state", () => {
  const withTool = (change: (state: ToolContext["state"]) => void, initialState: JsonObject = {}) =>
    new Session(
      defineDeepAgent({
        systemPrompt: "",
        initialState,
        tools: [
          tool(
            (_, { state: edit }) => {
              change(edit);
              return null;
            },
            { name: "change", description: "", schema: z.object({}) },
          ),
        ],
        script: answers([call("change", {}, "c1")]),
      }),
    );

  test("begins with a snapshot, tells a change when it is made, and closes with what is not as it was", async () => {
    const session = withTool(
      (edit) => {
        edit.set("count", 2);
        edit.delete("old");
      },
      { old: true, kept: "x" },
    );
    const { events } = await session.say("go");
    expect(events[1]).toEqual({ type: "state-snapshot", state: { old: true, kept: "x" } });
    expect(events.filter(({ type }) => type === "state-delta")).toEqual([
      {
        type: "state-delta",
        patch: [
          { op: "remove", path: "/old" },
          { op: "add", path: "/count", value: 2 },
        ],
      },
      { type: "state-delta", patch: [{ op: "add", path: "/count", value: 2 }] },
    ]);
    const types = events.map(({ type }) => type);
    expect(types.indexOf("state-delta")).toBe(types.indexOf("call-result") + 1);
    expect(types.at(-3)).toBe("state-delta");
  });

  test("to what it was says nothing", async () => {
    const session = withTool(
      (edit) => {
        edit.set("a", 2);
        edit.set("a", 1);
      },
      { a: 1 },
    );
    const { events } = await session.say("go");
    expect(events.some(({ type }) => type === "state-delta")).toBe(false);
  });

  test("by names every object has is told all the same", async () => {
    const session = withTool((edit) => {
      edit.set("__proto__", 1);
      edit.set("constructor", { prototype: 1 });
    });
    // The session's checks apply the delta as a client does.
    const { events } = await session.say("go");
    expect(events.some(({ type }) => type === "state-delta")).toBe(true);
  });
});

describe("a state told anew", () => {
  test("makes the new state of the old one and of itself", () => {
    const before = { same: { a: [1] }, changed: [1, 2], gone: 1, "a/b~c": 1 };
    const after = { same: { a: [1] }, changed: [2], new: null, "a/b~c": 2 };
    const patch = stateRestated(before, after);
    expect(patch).toEqual([
      { op: "add", path: "/changed", value: [2] },
      { op: "add", path: "/new", value: null },
      { op: "add", path: "/a~1b~0c", value: 2 },
    ]);
    const apply = (state: JsonObject) =>
      jsonPatch.applyPatch(structuredClone(state), patch, true).newDocument;
    expect(apply(after)).toEqual(after);
    expect(apply(before)).toEqual({ ...after, gone: 1 });
  });
});

describe("state that a client sends", () => {
  const schemas: { [key: string]: JsonObject } = {
    draft: { type: "string", maxLength: 5 },
    todos: {
      type: "array",
      items: { type: "object", properties: { done: { type: "boolean" } }, required: ["done"] },
    },
    any: {},
    "a/b": { type: ["number", "null"] },
    constructor: { type: "string" },
  };
  const editable = () =>
    new Session(
      defineDeepAgent({
        systemPrompt: "",
        initialState: { own: 1, draft: "first" },
        editableState: schemas,
        script: ({ state: seen }) => [{ text: JSON.stringify(seen) }],
      }),
    );

  test("sets the editable keys whose values fit, and leaves the rest be", async () => {
    const session = editable();
    const { text, events } = await session.say("go", {
      state: {
        draft: "short",
        todos: [{ done: true }],
        any: { deep: [null] },
        "a/b": null,
        own: 2,
        other: 3,
        toString: "x",
      },
    });
    const expected = { own: 1, draft: "short", todos: [{ done: true }], any: { deep: [null] }, "a/b": null };
    expect(JSON.parse(text)).toEqual(expected);
    expect(events[1]).toEqual({ type: "state-snapshot", state: expected });
  });

  test("drops values that do not fit by value, not only by type", async () => {
    for (const state of [
      { draft: "too long" },
      { draft: ["x"] },
      { todos: [{ done: "yes" }] },
      { todos: [{}] },
      { todos: { done: true } },
      { "a/b": "1" },
      { constructor: 1 },
    ]) {
      const session = editable();
      await session.say("go", { state });
      expect(session.store.state()).toEqual({ own: 1, draft: "first" });
    }
  });

  test("clears a key with null, whatever its schema", async () => {
    const session = editable();
    await session.say("go", { state: { draft: null } });
    expect(session.store.state()).toEqual({ own: 1, draft: null });
  });

  test("does not bring back what the client was told before somebody else changed it", async () => {
    const session = editable();
    session.told = { draft: "first" };
    session.store.setState({ own: 1, draft: "newer" });
    await session.say("go", { state: { own: 1, draft: "first" } });
    expect(session.store.state()).toEqual({ own: 1, draft: "newer" });
    await session.say("go", { state: { own: 1, draft: "mine" } });
    expect(session.store.state()).toEqual({ own: 1, draft: "mine" });
  });

  test("cannot make the state too long", async () => {
    const session = editable();
    await session.say("go", { state: { any: "x".repeat(500_000), draft: "short" } });
    expect(session.store.state()).toEqual({ own: 1, draft: "first" });
  });
});
