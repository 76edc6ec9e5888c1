import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import type { Json, JsonObject } from "../../turn/json.ts";
import { CelError } from "./cel-error.ts";
import { setOwn } from "./path.ts";

/**
 * JSON as the CEL engine takes it. The engine tells objects apart by their `constructor`, so an object that has a key
 * of that name, or `__proto__`, goes in as a Map; so does one with many keys, as the engine lists all keys of an object
 * each time it looks at its type. Everything else goes in as it is, without a copy.
 */
export function toCel(value: Json): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const elements = value.map(toCel);
    return elements.some((element, i) => element !== value[i]) ? elements : value;
  }
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [name, toCel(inner)]);
  const plain =
    entries.length <= manyKeys &&
    entries.every(([name, inner]) => name !== "constructor" && name !== "__proto__" && inner === value[name]);
  return plain ? value : new Map(entries);
}

const manyKeys = 100;

/** Bounds of one result: values in it, and characters of its texts together. */
const largestResult = { values: 100_000, characters: 1_000_000 };

/**
 * A CEL result as JSON: numbers to 15 digits, so that 1500 * 1.1 is 1650; timestamps as ISO 8601 without empty
 * milliseconds; durations such as `90s`. Throws CelError for what JSON cannot carry (NaN, infinities, bytes, types) and
 * for a result that is too large.
 */
export function fromCel(value: unknown): Json {
  return new ResultReader().read(value);
}

class ResultReader {
  private values: number = largestResult.values;
  private characters: number = largestResult.characters;

  read(value: unknown): Json {
    this.values -= 1;
    if (typeof value === "string") this.characters -= value.length;
    if (this.values < 0 || this.characters < 0) throw new CelError("the result is too large");
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "bigint":
        return Number(value);
      case "number":
        if (Number.isFinite(value)) return Number(value.toPrecision(15));
        throw new CelError("the result is not a number (division by zero?)");
      case "object":
        if (value === null) return null;
        if (Array.isArray(value)) return value.map((element) => this.read(element));
        if (value instanceof Date) return timestampText(value);
        if (value instanceof Duration) return value.toString();
        if (value instanceof UnsignedInt) return Number(value.value);
        if (value instanceof Map) return this.readEntries(value);
        if (!(value instanceof Uint8Array) && isPlain(value)) return this.readEntries(Object.entries(value));
    }
    throw new CelError("the result is not text, a number, true or false, null, a list or an object");
  }

  private readEntries(entries: Iterable<[unknown, unknown]>): JsonObject {
    const object: JsonObject = {};
    for (const [name, inner] of entries) setOwn(object, String(name), this.read(inner));
    return object;
  }
}

/** ISO 8601 UTC, without `.000`. Throws CelError for a time that is none. */
export function timestampText(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new CelError("the result is not a time");
  return date.toISOString().replace(".000Z", "Z");
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
