import jsonPatch from "fast-json-patch";
import type { Json, JsonObject } from "../../turn/index.ts";
import type { ToolContext } from "../authoring/tool.ts";
import type { SessionStore } from "./session-store.ts";

/** Longest shared state, characters of JSON: every client gets all of it on every turn, and it must fit a row. */
export const maxStateChars = 500_000;

/**
 * A tool's hand on the shared state. Each change is stored when it is made; what `get` gives is a copy. A change that
 * makes the state too long, or anything but an object, throws and changes nothing; so does any change once the turn is
 * given up.
 */
export function stateEditor(store: SessionStore, signal: AbortSignal): ToolContext["state"] {
  const change = (changed: Json) => {
    signal.throwIfAborted();
    if (typeof changed !== "object" || changed === null || Array.isArray(changed))
      throw new Error("The shared state must be an object.");
    const { length } = JSON.stringify(changed);
    if (length > maxStateChars)
      throw new Error(`The shared state would have ${length} characters; it can have ${maxStateChars}.`);
    store.setState(changed);
  };
  return {
    get: () => structuredClone(store.state()),
    set: (key, value) => change(withKey(store.state(), key, value)),
    delete: (key) =>
      change(Object.fromEntries(Object.entries(store.state()).filter(([name]) => name !== key))),
    patch: (operations) =>
      change(
        jsonPatch.applyPatch<Json>(store.state(), structuredClone(operations), true, false, true).newDocument,
      ),
  };
}

/** A copy with one key set. A key named `__proto__` becomes an ordinary member. */
export function withKey(state: JsonObject, key: string, value: Json): JsonObject {
  return Object.fromEntries(new Map([...Object.entries(state), [key, structuredClone(value)]]));
}
