import jsonPatch from "fast-json-patch";
import type { Json, JsonObject } from "../../turn/index.ts";
import type { ToolContext } from "../authoring/tool.ts";
import type { SessionStore } from "./session-store.ts";

/** A tool's hand on the shared state. Each change is stored when it is made; what `get` gives is a copy. */
export function stateEditor(store: SessionStore): ToolContext["state"] {
  return {
    get: () => structuredClone(store.state()),
    set: (key, value) => store.setState(withKey(store.state(), key, value)),
    delete: (key) => store.setState(withoutKey(store.state(), key)),
    patch: (operations) =>
      store.setState(jsonPatch.applyPatch(store.state(), operations, true, false, true).newDocument),
  };
}

/** A copy with one key set. A key named `__proto__` becomes an ordinary member. */
export function withKey(state: JsonObject, key: string, value: Json): JsonObject {
  return fromEntries([...new Map([...Object.entries(state), [key, structuredClone(value)]])]);
}

function withoutKey(state: JsonObject, key: string): JsonObject {
  return fromEntries(Object.entries(state).filter(([name]) => name !== key));
}

/** Defines its members, where an assignment to `__proto__` would change what the object is. */
function fromEntries(entries: [string, Json][]): JsonObject {
  return Object.fromEntries(entries);
}
