import type { Json, JsonObject } from "../../turn/json.ts";

/** A copy of plain data as JSON holds it: what is undefined is left out. */
export function asJson<T extends object>(value: T): T extends readonly unknown[] ? Json[] : JsonObject {
  return JSON.parse(JSON.stringify(value));
}

/** The same text for equal values: object keys in order at every depth. */
export function stableText(value: Json): string {
  return JSON.stringify(value, (_key, inside: Json) =>
    typeof inside === "object" && inside !== null && !Array.isArray(inside)
      ? Object.fromEntries(Object.entries(inside).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inside,
  );
}

/** A short name of a text: 53 bits, the same everywhere, not for secrets. */
export function textHash(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
