import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { type Context, param } from "../../../src/http/context.ts";
import { HttpError } from "../../../src/http/errors.ts";
import { readJson } from "../../../src/http/read-json.ts";
import { get, post, type Route } from "../../../src/http/route.ts";
import { serve } from "../../../src/http/serve.ts";
import { callRoutes, errorOf, loopback } from "./call.ts";

afterEach(() => vi.restoreAllMocks());

const open = (handle: (context: Context) => Response | Promise<Response>): Route => ({
  access: "open",
  summary: "Test.",
  responses: { 200: { description: "Done." } },
  handle,
});
const throwing = (thrown: unknown) => [
  get(
    "/api/x/:id",
    open(() => Promise.reject(thrown)),
  ),
];

describe("foreseen failures", () => {
  it("are rendered with code, message, request id and details", async () => {
    const failure = new HttpError("conflict", "It runs already.", {
      details: { runId: "r1", code: "spoofed", requestId: "spoofed" },
      headers: { "retry-after": "3" },
    });
    const response = await callRoutes(throwing(failure), `${loopback}/api/x/1`, {
      headers: { "x-request-id": "abc" },
    });
    expect(response.status).toBe(409);
    expect(response.headers.get("retry-after")).toBe("3");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      error: { runId: "r1", code: "conflict", message: "It runs already.", requestId: "abc" },
    });
  });

  it("are not logged and keep their cause to themselves", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const response = await callRoutes(
      throwing(new HttpError("not_found", "Gone.", { cause: new Error("canary") })),
      `${loopback}/api/x/1`,
    );
    expect(await response.text()).not.toContain("canary");
    expect(log).not.toHaveBeenCalled();
  });
});

describe("unforeseen failures", () => {
  it("answer 500 without a word about them, and are logged once without secrets", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const thrown = new Error("failed with canary-token and canary-presented");
    const response = await callRoutes(
      throwing(thrown),
      `${loopback}/api/x/canary-path?q=canary-query`,
      { headers: { "x-request-id": "req-7", "x-api-key": "canary-presented" } },
      { AGENT_HTTP_TOKEN: "canary-token" },
    );
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: {
        code: "internal_error",
        message: "Something went wrong on our side. Quote the request id when you report it.",
        requestId: "req-7",
      },
    });
    expect(log).toHaveBeenCalledOnce();
    const line = String(log.mock.calls[0]?.[0]);
    expect(line).not.toContain("canary");
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      event: "request_failed",
      requestId: "req-7",
      method: "GET",
      route: "/api/x/:id",
      error: { name: "Error", message: "failed with [redacted] and [redacted]" },
    });
  });

  it.each(["text", null, undefined, 42, { status: 418, message: "teapot", secret: "canary" }])(
    "do not let %j choose the reply",
    async (thrown) => {
      vi.spyOn(console, "error").mockReturnValue();
      const response = await callRoutes(throwing(thrown), `${loopback}/api/x/1`);
      expect(response.status).toBe(500);
      expect(await errorOf(response)).toMatchObject({ code: "internal_error" });
    },
  );

  it("keep the request body out of the log", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const routes = [
      post(
        "/api/x",
        open(async (context) => Response.json(JSON.parse(await context.request.text()))),
      ),
    ];
    const response = await callRoutes(routes, `${loopback}/api/x`, { method: "POST", body: "canary-body" });
    expect(response.status).toBe(500);
    expect(log).toHaveBeenCalledOnce();
    expect(String(log.mock.calls[0]?.[0])).not.toContain("canary");
  });

  it("of an overloaded object tell the caller to come back", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const response = await callRoutes(
      throwing(Object.assign(new Error("overloaded"), { overloaded: true })),
      `${loopback}/api/x/1`,
    );
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await errorOf(response)).toMatchObject({ code: "unavailable" });
  });

  it("of a database without its tables name the command that makes them", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const routes = [
      get(
        "/api/x",
        open(async (context) =>
          Response.json(await context.env.DB.prepare("SELECT * FROM nothing_here").all()),
        ),
      ),
    ];
    const response = await callRoutes(routes, `${loopback}/api/x`);
    expect(response.status).toBe(503);
    expect(await errorOf(response)).toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(
        /^The database is not migrated\. Run: npx wrangler d1 migrations apply DB/,
      ),
    });
  });

  it("of a caller who left are nobody's fault", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const caller = new AbortController();
    const routes = [
      get(
        "/api/x",
        open(() => {
          caller.abort();
          throw new Error("stream closed");
        }),
      ),
    ];
    await callRoutes(routes, `${loopback}/api/x`, { signal: caller.signal });
    expect(log).not.toHaveBeenCalled();
  });

  it("of the static files answer in the same shape", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const ASSETS = { fetch: () => Promise.reject(new Error("canary")) } as Partial<Fetcher> as Fetcher;
    const response = await serve([])(
      new Request(`${loopback}/page`),
      { ...env, ASSETS },
      createExecutionContext(),
    );
    expect(response.status).toBe(500);
    expect(await errorOf(response)).toMatchObject({
      code: "internal_error",
      requestId: response.headers.get("x-request-id"),
    });
    expect(log).toHaveBeenCalledOnce();
  });
});

describe("path parameters", () => {
  const routes = [
    get(
      "/api/x/:id/y",
      open((context) =>
        Response.json({
          id: param(context, "id"),
          proto: "toString" in { ...context.params } && Object.hasOwn(context.params, "toString"),
        }),
      ),
    ),
  ];

  it.each([
    ["a%20b", "a b"],
    ["%E2%82%AC", "€"],
    ["a%2Fb", "a/b"],
    ["a+b", "a+b"],
    ["%2e%2e%00", "..\u0000"],
    ["__proto__", "__proto__"],
  ])("decodes %s", async (written, id) => {
    const response = await callRoutes(routes, `${loopback}/api/x/${written}/y`);
    expect(await response.json()).toEqual({ id, proto: false });
  });

  it.each(["%", "%zz", "%E2%82", "%FF"])("refuses %s", async (written) => {
    const response = await callRoutes(routes, `${loopback}/api/x/${written}/y`);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: "invalid_request" });
  });
});

describe("bodies, through the router", () => {
  const Body = z.object({ text: z.string() });
  const routes = [
    post(
      "/api/echo",
      open(async (context) => Response.json({ length: (await readJson(context, Body)).text.length })),
    ),
  ];
  const send = (
    body: BodyInit,
    variables = {},
    headers: { [name: string]: string } = { "content-type": "application/json" },
  ) => callRoutes(routes, `${loopback}/api/echo`, { method: "POST", body, headers }, variables);

  it("has room for a table request of 256,000 bytes by default", async () => {
    const response = await send(JSON.stringify({ text: "x".repeat(256_000) }));
    expect(await response.json()).toEqual({ length: 256_000 });
  });

  it("follows AGENT_MAX_BODY, for a body of unknown length too", async () => {
    const body = JSON.stringify({ text: "x".repeat(100) });
    for (const sent of [body, new Blob([body]).stream()]) {
      const response = await send(sent, { AGENT_MAX_BODY: "100" });
      expect(response.status).toBe(413);
      expect(await errorOf(response)).toMatchObject({
        code: "body_too_large",
        message: "The request body is larger than 100 bytes, the limit set by AGENT_MAX_BODY.",
        limit: 100,
        variable: "AGENT_MAX_BODY",
      });
    }
  });

  it.each([
    ["", 400, "invalid_json"],
    ["{", 400, "invalid_json"],
    ["[".repeat(100_000), 400, "invalid_json"],
    ['{"__proto__":1}', 400, "invalid_json"],
    ["null", 400, "invalid_body"],
    ['{"text":1}', 400, "invalid_body"],
    [Uint8Array.of(0xff, 0xfe), 400, "invalid_request"],
  ])("never answers 500 to %j", async (body, status, code) => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const response = await send(body);
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatchObject({ code });
    expect(log).not.toHaveBeenCalled();
  });

  it("takes a body in before it refuses the call, so that its sender sees the reply", async () => {
    let left = 100;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(1_000));
        if (--left === 0) controller.close();
      },
    });
    const response = await callRoutes([], `${loopback}/api/nothing`, { method: "POST", body });
    expect(response.status).toBe(404);
    expect(left).toBe(0);
  });

  it("refuses a form", async () => {
    const response = await send(new URLSearchParams({ text: "a" }), {}, {});
    expect(response.status).toBe(415);
  });
});

describe("HEAD on a stream", () => {
  it("stops what would have streamed", async () => {
    const cancelled = vi.fn();
    const routes = [
      get(
        "/api/s",
        open(
          () =>
            new Response(new ReadableStream({ cancel: cancelled }), {
              headers: { "cache-control": "no-transform" },
            }),
        ),
      ),
    ];
    const response = await callRoutes(routes, `${loopback}/api/s`, { method: "HEAD" });
    expect(response.body).toBeNull();
    expect(cancelled).toHaveBeenCalledOnce();
    // What the handler chose stays.
    expect(response.headers.get("cache-control")).toBe("no-transform");
  });
});

describe("a wrong base address", () => {
  it.each([
    ["POST", "/v1/chat/completions"],
    ["POST", "/chat"],
    ["GET", "/v1/models"],
  ])("%s %s is told in JSON where the wires are", async (method, path) => {
    const response = await exports.default.fetch(`http://127.0.0.1:8787${path}`, { method });
    expect(response.status).toBe(404);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toBe(
      `There is nothing at ${path}. Base addresses: /openai/, /anthropic/, /agui/, /adapttable/, /agent; all is described at /openapi.json.`,
    );
  });

  it("is told what its wire has, in the wire's own shape", async () => {
    const response = await exports.default.fetch("http://127.0.0.1:8787/openai/v1/responses", {
      method: "POST",
    });
    expect(response.status).toBe(404);
    const { error } = (await response.json()) as { error: { message: string; type: string } };
    expect(error.type).toBe("invalid_request_error");
    expect(error.message).toBe(
      "There is nothing at /openai/v1/responses. There is /openai/v1/chat/completions, /openai/v1/models, /openai/v1/models/:id; all is described at /openapi.json.",
    );
  });
});
