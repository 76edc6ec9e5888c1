import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { readConfig } from "../../../src/config.ts";
import { HttpError } from "../../../src/http/errors.ts";
import { readJson, readQuery } from "../../../src/http/read-json.ts";

const Body = z.object({ name: z.string(), list: z.array(z.object({ n: z.number() })).default([]) });

describe("readJson", () => {
  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON;charset=UTF-8",
    "application/problem+json",
    "",
    null,
  ])("accepts the content type %j", async (type) => {
    expect(await read('{"name":"a"}', { type })).toEqual({ name: "a", list: [] });
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "json",
    "application/json; charset=utf-16",
  ])("refuses the content type %j", async (type) => {
    expect(await refusal('{"name":"a"}', { type })).toMatchObject({
      status: 415,
      code: "unsupported_media_type",
      message: "Send the request body as application/json, encoded as UTF-8.",
    });
  });

  it("refuses a compressed body", async () => {
    expect(await refusal('{"name":"a"}', { headers: { "content-encoding": "gzip" } })).toMatchObject({
      status: 415,
    });
  });

  it("drops a byte order mark", async () => {
    expect(await read('\uFEFF{"name":"a"}')).toEqual({ name: "a", list: [] });
  });

  it("reads characters cut anywhere by the network", async () => {
    const bytes = new TextEncoder().encode('{"name":"żółw 🐢"}');
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await read(streamOf(single))).toEqual({ name: "żółw 🐢", list: [] });
  });

  it.each([
    ["an invalid byte", [0x22, 0xff, 0x22]],
    ["an overlong form", [0x22, 0xc0, 0xaf, 0x22]],
    ["a lone surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["a cut character", [0x22, 0xe2, 0x82]],
    ["UTF-16", [0xff, 0xfe, 0x22, 0x00, 0x22, 0x00]],
  ])("refuses %s", async (_, bytes) => {
    expect(await refusal(streamOf([Uint8Array.from(bytes)]))).toMatchObject({
      status: 400,
      code: "invalid_request",
      message: "The request body is not valid UTF-8.",
    });
  });

  it.each(["", " \n"])("refuses the empty body %j", async (text) => {
    expect(await refusal(text)).toMatchObject({
      status: 400,
      code: "invalid_json",
      message: "The request body is empty; a JSON value is expected.",
    });
  });

  it("places what is not JSON", async () => {
    expect(await refusal('{\n  "name": tru\n}')).toMatchObject({
      status: 400,
      code: "invalid_json",
      message:
        'The request body is not valid JSON: at line 2, column 11 there is "t" where a value is expected.',
      details: { line: 2, column: 11 },
    });
    expect((await refusal('{"name"')).message).toBe(
      "The request body is not valid JSON: at line 1, column 8 the body ends where a colon is expected.",
    );
  });

  it("refuses deep nesting before parsing it", async () => {
    expect(await refusal("[".repeat(500_000))).toMatchObject({
      status: 400,
      message: "The request body is nested more than 100 levels deep.",
    });
  });

  it.each([
    '{"name":"a","__proto__":{"admin":true}}',
    '{"name":"a","list":[{"n":1,"\\u005f_proto__":1}]}',
    '{"__pr\\u006Fto__":1}',
  ])("refuses the key __proto__ in %s", async (text) => {
    expect(await refusal(text)).toMatchObject({
      status: 400,
      code: "invalid_json",
      message: 'The request body has a key named "__proto__", which is not accepted.',
    });
  });

  it("keeps other names of the prototype as plain data", async () => {
    const Loose = z.record(z.string(), z.string());
    const text = '{"constructor":"a","toString":"b","hasOwnProperty":"c","v":"__proto__"}';
    const value = await readJson(contextOf(text), Loose);
    expect(Object.entries(value)).toEqual([
      ["constructor", "a"],
      ["toString", "b"],
      ["hasOwnProperty", "c"],
      ["v", "__proto__"],
    ]);
  });

  it("lists what the schema refuses, with its path", async () => {
    expect(await refusal('{"list":[{"n":1},{"n":"2"}]}')).toMatchObject({
      status: 400,
      code: "invalid_body",
      message: 'The request body lacks "name": expected string.',
      details: {
        issues: [
          { path: "name", message: "Invalid input: expected string, received undefined" },
          { path: "list[1].n", message: "Invalid input: expected number, received string" },
        ],
      },
    });
    expect(await refusal("7")).toMatchObject({ code: "invalid_body", details: { issues: [{ path: "" }] } });
  });

  it("lists 50 issues at most and counts the rest", async () => {
    const text = JSON.stringify({ name: "a", list: Array.from({ length: 60 }, () => ({ n: "x" })) });
    const { details } = await refusal(text);
    expect(details.issues).toHaveLength(50);
    expect(details.issuesLeftOut).toBe(10);
  });

  it("accepts a body of exactly the limit and refuses one byte more", async () => {
    const text = '{"name":"a"}';
    expect(await read(text, { maxBody: text.length })).toEqual({ name: "a", list: [] });
    expect(await refusal(`${text} `, { maxBody: text.length })).toMatchObject({
      status: 413,
      code: "body_too_large",
      message: "The request body is larger than 12 bytes, the limit set by AGENT_MAX_BODY.",
      details: { limit: 12, variable: "AGENT_MAX_BODY" },
    });
  });

  it("refuses a declared length without reading", async () => {
    const pulled = vi.fn();
    const body = new ReadableStream<Uint8Array>({ pull: pulled }, { highWaterMark: 0 });
    const failure = await refusal(body, { maxBody: 10, headers: { "content-length": "11" } });
    expect(failure.status).toBe(413);
    expect(pulled).not.toHaveBeenCalled();
  });

  it("takes in the rest of a body beyond the limit, so that its sender sees the reply", async () => {
    let left = 1_000;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(1_000).fill(0x20));
        if (--left === 0) controller.close();
      },
    });
    expect((await refusal(body, { maxBody: 10_000 })).status).toBe(413);
    expect(left).toBe(0);
  });

  it("stops reading a body without an end, whatever length it declares", async () => {
    let pulls = 0;
    const cancelled = vi.fn();
    const chunk = new Uint8Array(1_048_576).fill(0x20);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls++;
        controller.enqueue(chunk);
      },
      cancel: cancelled,
    });
    expect((await refusal(body, { maxBody: 10_000, headers: { "content-length": "5" } })).status).toBe(413);
    expect(pulls).toBeLessThan(68);
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it("bounds a domain by its own variable", async () => {
    const text = JSON.stringify({ name: "a".repeat(100) });
    const context = contextOf(text, { maxBody: 10, maxDomain: 200 });
    expect((await readJson(context, Body, { limit: "AGENT_MAX_DOMAIN" })).name).toHaveLength(100);
    const small = contextOf(text, { maxBody: 1_000, maxDomain: 20 });
    await expect(readJson(small, Body, { limit: "AGENT_MAX_DOMAIN" })).rejects.toMatchObject({
      details: { variable: "AGENT_MAX_DOMAIN" },
    });
  });

  it("gives up on a body that falls silent", async () => {
    vi.useFakeTimers();
    try {
      const silent = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Uint8Array.of(0x7b)),
      });
      const failure = refusal(silent);
      // Ten seconds of silence, then five more for what may still come.
      await vi.advanceTimersByTimeAsync(15_000);
      expect(await failure).toMatchObject({
        status: 408,
        code: "body_timeout",
        message: "No byte of the request body arrived for 10 seconds.",
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it("takes a body cut off for the caller's failure", async () => {
    const cut = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new TypeError("connection lost")),
    });
    expect(await refusal(cut)).toMatchObject({
      status: 400,
      code: "invalid_request",
      message: "The request body ended before it was complete.",
    });
  });

  it("turns any bytes into a value or a refusal, never into another error", async () => {
    const samples = [
      "{",
      "}",
      '"',
      "\\",
      "nul",
      "-",
      "1e",
      "\u0000",
      '{"a":}',
      "[[[",
      '{"__proto__":',
      "\u2028",
    ];
    for (const text of samples) expect((await refusal(text)).status).toBe(400);
  });
});

describe("readQuery", () => {
  const Query = z.object({
    limit: z.coerce.number().int().min(1).default(20),
    tag: z.union([z.string(), z.array(z.string())]).optional(),
  });

  it("reads texts and repeated parameters", () => {
    expect(readQuery({ url: new URL("http://x/?limit=5&tag=a&tag=b") }, Query)).toEqual({
      limit: 5,
      tag: ["a", "b"],
    });
    expect(readQuery({ url: new URL("http://x/?__proto__=1&constructor=2") }, Query)).toEqual({ limit: 20 });
  });

  it("lists what it refuses", () => {
    expect(() => readQuery({ url: new URL("http://x/?limit=0") }, Query)).toThrowError(
      expect.objectContaining({
        status: 400,
        code: "invalid_request",
        details: { issues: [{ path: "limit", message: "Too small: expected number to be >=1" }] },
      }),
    );
  });
});

interface Options {
  type?: string | null;
  headers?: { [name: string]: string };
  maxBody?: number;
  maxDomain?: number;
}

function contextOf(body: string | ReadableStream<Uint8Array>, options: Options = {}) {
  const bytes = typeof body === "string" ? streamOf([new TextEncoder().encode(body)]) : body;
  const request = new Request("http://x/", {
    method: "POST",
    body: bytes,
    duplex: "half",
    headers: options.headers ?? {},
  });
  const { type = "application/json" } = options;
  if (type !== null) request.headers.set("content-type", type);
  const { config } = readConfig({});
  return {
    request,
    config: {
      ...config,
      maxBody: options.maxBody ?? config.maxBody,
      maxDomain: options.maxDomain ?? config.maxDomain,
    },
  };
}

function read(body: string | ReadableStream<Uint8Array>, options?: Options) {
  return readJson(contextOf(body, options), Body);
}

async function refusal(body: string | ReadableStream<Uint8Array>, options?: Options): Promise<HttpError> {
  const thrown = await read(body, options).then(
    (value) => value,
    (error: unknown) => error,
  );
  if (thrown instanceof HttpError) return thrown;
  throw new Error(`expected an HttpError, got ${String(thrown)}`);
}

function streamOf(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}
