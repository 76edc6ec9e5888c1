import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deskFiles } from "../support/live-domain.ts";
import { LiveEngine } from "../support/live-engine.ts";

/*
 * Garbage against every route that asks for a credential: each answer is below 500, in the one error shape when it is an
 * error, and nothing of it reaches the log as a failure of ours.
 */

let engine: LiveEngine;
let runId: string;
let templates: string[];
beforeAll(async () => {
  engine = await LiveEngine.start();
  const { paths } = (await (await fetch(`${engine.url}/openapi.json`)).json()) as { paths: object };
  templates = Object.keys(paths).filter((template) => template.startsWith("/api/"));
  runId = await engine.begin({
    domain: { files: deskFiles },
    agent: { kind: "builtin", name: "careless" },
    tasks: ["hello"],
  });
  await engine.ended(runId);
});
afterAll(() => engine.close());

const awkward = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    "",
    "..",
    "%",
    "%00",
    "%ff",
    "%2e%2e%2f",
    "\u0000",
    "💥",
    "a".repeat(5_000),
    "__proto__",
    "null",
    "-0",
    "1e309",
    "~",
    "a~b~c",
    "'; DROP TABLE rehearsals; --",
  ),
);
const segment = fc.oneof(
  awkward.map(encodeURIComponent),
  fc.constantFrom("%", "%zz", "%c3%28", "%00", ".", ";a=b"),
  fc.constant(null).map(() => runId),
);
/** Addresses on every route under /api that the Worker says it has, garbage for their parameters, and near them. */
function addresses(): fc.Arbitrary<string> {
  const known = templates.map((template) =>
    fc
      .array(segment, { minLength: 4, maxLength: 4 })
      .map((parts) => template.replace(/\{\w+\}/g, () => parts.pop() ?? "")),
  );
  return fc.oneof(
    ...known,
    fc.array(segment, { maxLength: 3 }).map((parts) => `/api/${parts.join("/")}`),
    fc.constantFrom("/api", "/api/", "/api//"),
  );
}

const query = fc.oneof(
  fc.constant(""),
  fc
    .dictionary(fc.oneof(fc.constantFrom("limit", "cursor", "after"), awkward), awkward, { maxKeys: 3 })
    .map((all) => `?${new URLSearchParams(all)}`),
  fc.constantFrom(
    "?limit=0",
    "?limit=101",
    "?limit=1.5",
    "?limit=&limit=1",
    "?cursor=~",
    "?cursor=a~b",
    "?cursor=%00~%00",
    "?%",
    "?limit=1e2",
    "?limit=0x10",
  ),
);
const json = fc.json({ maxDepth: 4 });

/** A start request with one thing wrong somewhere, or several. */
const started = fc
  .record(
    {
      domain: fc.oneof(
        fc.constant({ files: deskFiles }),
        fc.constant({ name: "freight" }),
        fc.dictionary(awkward, fc.oneof(awkward, fc.jsonValue()), { maxKeys: 3 }).map((files) => ({ files })),
        awkward.map((name) => ({ name })),
        fc.jsonValue({ maxDepth: 2 }),
      ),
      agent: fc.oneof(
        fc.constant({ kind: "builtin", name: "careful" }),
        fc.record({
          kind: fc.constant("http"),
          url: fc.oneof(
            awkward,
            fc.constantFrom(
              "https://agent.invalid/",
              "https://10.0.0.1/",
              "ftp://agent.invalid/",
              "http://[::1",
            ),
            fc.constant("http://127.0.0.1:9/"),
          ),
          headers: fc.dictionary(awkward, awkward, { maxKeys: 2 }),
        }),
        fc.record({ kind: fc.constantFrom("builtin", "agent"), name: awkward }),
        fc.jsonValue({ maxDepth: 2 }),
      ),
      trials: fc.oneof(fc.integer({ min: -1, max: 3 }), fc.double(), awkward),
      concurrency: fc.oneof(fc.integer({ min: -1, max: 70 }), fc.double()),
      seed: fc.oneof(fc.nat(), fc.double(), fc.maxSafeInteger()),
      tasks: fc.oneof(
        fc.constant(["hello"]),
        fc.array(awkward, { maxLength: 2 }),
        fc.jsonValue({ maxDepth: 1 }),
      ),
      tags: fc.array(awkward, { maxLength: 2 }),
      maxSteps: fc.integer({ min: -1, max: 2_000 }),
      stepTimeoutMs: fc.oneof(fc.constant(null), fc.integer()),
      failUnder: fc.array(fc.oneof(awkward, fc.constantFrom("0.5", "pass^2=1", "pass^0=1", "2")), {
        maxLength: 2,
      }),
      floors: fc.array(fc.oneof(awkward, fc.constantFrom("a=1", "=1", "a=")), { maxLength: 2 }),
    },
    { requiredKeys: ["domain", "agent"] },
  )
  .map((body) => JSON.stringify(body));

const bytes = fc.oneof(
  started,
  json,
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(
    "",
    "{",
    "[]",
    "null",
    '"\\ud800"',
    '{"domain":{"files":{"__proto__":"x"}}}',
    `{"a":${"[".repeat(200)}${"]".repeat(200)}}`,
  ),
);

const headers = fc.dictionary(
  fc.constantFrom(
    "content-type",
    "last-event-id",
    "content-encoding",
    "accept",
    "origin",
    "x-request-id",
    "range",
    "if-none-match",
  ),
  fc.oneof(
    fc.constantFrom(
      "application/json",
      "text/plain",
      "gzip",
      "0",
      "999999999999",
      "*",
      "null",
      "bytes=0-1",
      "application/json; charset=utf-16",
    ),
    fc.string({ unit: "grapheme-ascii", maxLength: 30 }).map((text) => text.trim()),
  ),
  { maxKeys: 3 },
);

async function ask(
  method: string,
  url: string,
  sent: Record<string, string>,
  body: string | Uint8Array<ArrayBuffer> | undefined,
): Promise<void> {
  const response = await fetch(`${engine.url}${url}`, {
    method,
    headers: { "content-type": "application/json", ...sent, authorization: `Bearer ${engine.token}` },
    redirect: "manual",
    ...(body === undefined || method === "GET" || method === "HEAD" ? {} : { body }),
  });
  const text = await response.text();
  const about = `${method} ${url} ${JSON.stringify(sent)} -> ${response.status} ${text.slice(0, 500)}`;
  expect(response.status, about).toBeLessThan(500);
  expect(response.headers.get("x-request-id"), about).not.toBeNull();
  const { pathname } = new URL(`${engine.url}${url}`);
  if (response.status >= 400 && method !== "HEAD" && /^\/api(\/|$)/.test(pathname)) {
    const { error } = JSON.parse(text) as { error: { code: string; message: string; requestId: string } };
    expect(error.message, about).not.toBe("");
    expect(error.requestId, about).toBe(response.headers.get("x-request-id"));
  }
}

const runs = { numRuns: 250, endOnFailure: true, seed: Number(process.env.FAULT_SEED ?? 7) };

describe("garbage", () => {
  test("as a start request", async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (body) =>
        ask("POST", "/api/rehearsals", {}, typeof body === "string" ? body : new Uint8Array(body)),
      ),
      runs,
    );
  });

  test("as a domain to validate", async () => {
    const files = fc.dictionary(
      fc.oneof(fc.constantFrom(...Object.keys(deskFiles), "tasks/x.yaml", "world/rows.jsonl"), awkward),
      fc.oneof(
        fc.constantFrom(...Object.values(deskFiles)),
        fc.string({ maxLength: 60 }),
        json,
        fc.constantFrom(
          "a: &a [*a]",
          "x: !!binary AAAA",
          "? [a]\n: b",
          "a: 1\na: 2",
          "\t",
          "- - - -",
          "<<: *x",
          "{".repeat(500),
        ),
      ),
      { maxKeys: 6 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          files.map((all) => JSON.stringify({ files: all })),
          json,
        ),
        async (body) => ask("POST", "/api/domains/validate", {}, body),
      ),
      { ...runs, numRuns: 150 },
    );
  });

  test("as a path, a query and headers", async () => {
    const method = fc.constantFrom("GET", "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS");
    await fc.assert(
      fc.asyncProperty(
        method,
        addresses(),
        query,
        headers,
        fc.oneof(fc.constant(undefined), json),
        async (verb, at, asked, sent, body) => {
          // What no client can send is none of the Worker's.
          try {
            new Request(`${engine.url}${at}${asked}`, { method: verb, headers: sent });
          } catch {
            return fc.pre(false);
          }
          await ask(verb, `${at}${asked}`, sent, body);
        },
      ),
      { ...runs, numRuns: 400 },
    );
  });

  test("as bytes on the connection", async () => {
    const lines = fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 30 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("GET", "POST", "G\u0000T", ""),
        awkward,
        lines,
        async (verb, at, more) => {
          const head = [
            `${verb} /api/rehearsals/${at} HTTP/1.1`,
            "host: 127.0.0.1",
            `authorization: Bearer ${engine.token}`,
            ...more,
            "",
            "",
          ];
          const answer = await raw(head.join("\r\n"));
          expect(answer).not.toMatch(/^HTTP\/1\.1 50[0-24-9]/);
        },
      ),
      { ...runs, numRuns: 60 },
    );
  });

  test("was nobody's failure, and the Worker still answers", async () => {
    expect(engine.logs.filter((line) => line.includes("request_failed"))).toEqual([]);
    expect((await fetch(`${engine.url}/health`)).status).toBe(200);
    expect((await engine.results(runId)).status).toBe("finished");
  });
});

/** What the Worker answers to bytes, until it hangs up or says nothing for a moment. */
function raw(text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(new URL(engine.url).port), "127.0.0.1", () => socket.end(text));
    socket.setTimeout(300, () => socket.destroy());
    socket.setEncoding("latin1").on("data", (data: string) => {
      answer += data;
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(answer));
  });
}
