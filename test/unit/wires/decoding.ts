import * as fc from "fast-check";
import { readConfig } from "../../../src/config.ts";
import { HttpError } from "../../../src/http/errors.ts";

/** Mints `msg_1`, `run_2`, …: ids that a test can foresee. */
export function counter(): (prefix: string) => string {
  let last = 0;
  return (prefix) => {
    last += 1;
    return `${prefix}${last}`;
  };
}

/** A request with this JSON body, as a route is given one. */
export function posted(body: unknown) {
  const request = new Request("http://127.0.0.1/", {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  return { request, config: readConfig({}).config };
}

/** What decoding a body throws. */
export async function refusal(decode: () => Promise<unknown>): Promise<HttpError> {
  try {
    await decode();
  } catch (thrown) {
    if (thrown instanceof HttpError) return thrown;
    throw thrown;
  }
  throw new Error("it was taken");
}

/** `body` with one value somewhere in it replaced by another, or taken away. */
export function damaged(body: object): fc.Arbitrary<object> {
  const paths: string[][] = [];
  const walk = (value: unknown, path: string[]): void => {
    if (path.length > 0) paths.push(path);
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
  };
  walk(body, []);
  const replacement = fc.oneof(
    fc.constant(undefined),
    fc.constant(null),
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("", -1, 0, 1.5, true, [], {}, [null], { type: "text" }, "data:,x", "http://a/b"),
  );
  return fc.tuple(fc.constantFrom(...paths), replacement).map(([path, value]) => replaced(body, path, value));
}

function replaced(body: object, path: string[], value: unknown): object {
  const copy = structuredClone(body);
  let at: object = copy;
  for (const key of path.slice(0, -1)) {
    const inner: unknown = Reflect.get(at, key);
    if (typeof inner !== "object" || inner === null) throw new Error("no such place");
    at = inner;
  }
  Reflect.set(at, path.at(-1) ?? "", value);
  return copy;
}
