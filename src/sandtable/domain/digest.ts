import type { Json } from "../../turn/json.ts";
import type { Domain } from "./types.ts";

/** SHA-256 of a compiled domain, 64 hex digits: of its JSON with keys in order, so equal domains have equal digests. */
export async function domainDigest(domain: Domain): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(domain, inKeyOrder));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function inKeyOrder(_key: string, value: Json): Json {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
