import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { HttpError } from "../../../../src/http/errors.ts";
import type { TurnFailureCode } from "../../../../src/turn/index.ts";
import { openaiError, openaiFailure } from "../../../../src/wires/openai/errors.ts";

async function told(response: Response) {
  const body = (await response.json()) as { error: Record<string, unknown> };
  expect(Object.keys(body)).toEqual(["error"]);
  expect(Object.keys(body.error).sort()).toEqual(["code", "message", "param", "type"]);
  const { code, type, param, message } = body.error;
  return {
    status: response.status,
    code,
    type,
    param,
    message,
    retry: response.headers.get("x-should-retry"),
  };
}

const invalid = "invalid_request_error";
/** Status, code, type and parameter of each failure, and whether it is worth another try as it stands. */
const failures: { [code in TurnFailureCode]: [number, string, string, string | null] } = {
  approval_pending: [409, "approval_pending", invalid, null],
  turn_in_progress: [409, "turn_in_progress", invalid, null],
  session_required: [400, "session_required", invalid, null],
  unknown_interrupt: [400, "unknown_interrupt", invalid, null],
  incomplete_resume: [400, "incomplete_resume", invalid, null],
  invalid_resume: [400, "invalid_resume", invalid, null],
  invalid_messages: [400, "invalid_messages", invalid, "messages"],
  unknown_agent: [404, "model_not_found", invalid, "model"],
  model_not_configured: [503, "model_not_configured", "server_error", null],
  model_rate_limited: [429, "rate_limit_exceeded", "rate_limit_error", null],
  model_unavailable: [503, "model_unavailable", "server_error", null],
  model_failed: [502, "model_failed", "server_error", null],
  context_too_long: [400, "context_length_exceeded", invalid, "messages"],
  step_limit: [500, "step_limit", "server_error", null],
  interrupted: [500, "interrupted", "server_error", null],
  internal_error: [500, "internal_error", "server_error", null],
};

describe("a failed turn", () => {
  test.each(Object.entries(failures))("%s", async (name, [status, code, type, param]) => {
    const failure = { code: name as TurnFailureCode, message: "m", retryable: false };
    const retried = status === 409 || status === 429 || status >= 500;
    const wanted = { status, code, type, param, message: "m" };
    expect(await told(openaiFailure(failure, true))).toEqual({ ...wanted, retry: retried ? "false" : null });
    const passing = { ...failure, retryable: true };
    expect(await told(openaiFailure(passing, true))).toEqual({ ...wanted, retry: null });
    expect(await told(openaiFailure(passing, false))).toEqual({ ...wanted, retry: retried ? "false" : null });
  });

  test("with a decision pending is the seed's sample", async () => {
    const message = "A tool approval is pending for this session — decide it before sending a new message.";
    const response = openaiFailure({ code: "approval_pending", message, retryable: false }, true);
    expect(await response.json()).toEqual({
      error: { message, type: "invalid_request_error", param: null, code: "approval_pending" },
    });
  });
});

describe("anything thrown", () => {
  test.each([
    [new HttpError("unauthorized", "m"), 401, "invalid_api_key", invalid, null],
    [new HttpError("not_found", "m"), 404, "not_found", invalid, null],
    [new HttpError("method_not_allowed", "m"), 405, "method_not_allowed", invalid, null],
    [new HttpError("body_too_large", "m"), 413, "body_too_large", invalid, null],
    [new HttpError("body_timeout", "m"), 408, "body_timeout", invalid, null],
    [new HttpError("unavailable", "m"), 503, "unavailable", "server_error", null],
    [new HttpError("configuration_invalid", "m"), 503, "configuration_invalid", "server_error", "false"],
    [new HttpError("conflict", "m"), 409, "conflict", invalid, "false"],
  ])("%s", async (thrown, status, code, type, retry) => {
    expect(await told(openaiError(thrown, "req_1"))).toEqual({
      status,
      code,
      type,
      retry,
      param: null,
      message: "m",
    });
  });

  test("keeps its headers, and names the parameter of a refused body or header", async () => {
    const refused = new HttpError("method_not_allowed", "m", { headers: { allow: "POST" } });
    expect(openaiError(refused, "req_1").headers.get("allow")).toBe("POST");
    const param = async (details: HttpError["details"]) =>
      (await told(openaiError(new HttpError("invalid_body", "m", { details }), "req_1"))).param;
    expect(await param({ param: "x-stackbone-session" })).toBe("x-stackbone-session");
    expect(await param({ issues: [{ path: "messages[0].role", message: "m" }] })).toBe("messages[0].role");
    expect(await param({ issues: [{ path: "", message: "m" }] })).toBe(null);
    expect(await param({ issues: [] })).toBe(null);
  });

  test("unforeseen says nothing but the request id", async () => {
    expect(await told(openaiError(new Error("secret"), "req_1"))).toEqual({
      status: 500,
      code: "internal_error",
      type: "server_error",
      param: null,
      retry: null,
      message: "Something went wrong on our side. The request id is req_1.",
    });
  });
});

test("the vendor's client asks once and again only where another try may help", async () => {
  const tries = async (response: () => Response) => {
    let asked = 0;
    const client = new OpenAI({
      apiKey: "k",
      baseURL: "http://test/v1",
      fetch: async () => {
        asked += 1;
        const reply = response();
        reply.headers.set("retry-after-ms", "1");
        return reply;
      },
    });
    await expect(client.models.list()).rejects.toThrow(OpenAI.APIError);
    return asked;
  };
  const failure = (code: TurnFailureCode, retryable: boolean) => ({ code, message: "m", retryable });
  expect(await tries(() => openaiFailure(failure("approval_pending", false), true))).toBe(1);
  expect(await tries(() => openaiFailure(failure("model_rate_limited", true), true))).toBe(3);
  expect(await tries(() => openaiFailure(failure("model_rate_limited", true), false))).toBe(1);
  expect(await tries(() => openaiFailure(failure("model_not_configured", false), true))).toBe(1);
});
