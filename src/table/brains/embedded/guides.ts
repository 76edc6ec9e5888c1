import type { Json, JsonObject } from "../../../turn/json.ts";
import type { TableContract } from "../../protocol/contract.ts";
import type { ToolResult } from "../../protocol/messages.ts";
import { ownValue } from "./own-value.ts";
import { Pause } from "./pause.ts";

/** Schemas of capabilities' arguments: those that came with the contract, and those that were asked for. */
export class Guides {
  readonly #contract: TableContract;
  readonly #told = new Map<string, Json>();
  #asked = false;

  constructor(contract: TableContract, results: readonly ToolResult[]) {
    this.#contract = contract;
    for (const entry of results) {
      if ("error" in entry) continue;
      const guides = isObject(entry.result) ? ownValue(entry.result, "guides") : null;
      if (!Array.isArray(guides)) continue;
      this.#asked = true;
      for (const guide of guides) {
        if (!isObject(guide)) continue;
        const key = ownValue(guide, "key");
        if (typeof key === "string") this.#told.set(key, ownValue(guide, "input"));
      }
    }
  }

  /**
   * The values an argument of a capability may have; null when it is free. Pauses to ask for the guide, once, when the
   * contract came without it.
   */
  choices(key: string, argument: string): string[] | null {
    const own = this.#contract.capabilities.find((capability) => capability.key === key)?.input;
    const input = own ?? this.#told.get(key);
    if (input === undefined && !this.#asked) throw new Pause({ guide: key });
    const property = isObject(input ?? null) ? at(at(input ?? null, "properties"), argument) : null;
    const values = at(property, "enum");
    if (!Array.isArray(values)) return null;
    return values.filter((value) => typeof value === "string");
  }
}

function at(value: Json, key: string): Json {
  return isObject(value) ? ownValue(value, key) : null;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
