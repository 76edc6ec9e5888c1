import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, test } from "vitest";
import { HttpError } from "../../../../src/http/errors.ts";
import type { TurnFailureCode } from "../../../../src/turn/index.ts";
import { anthropicError, anthropicFailure } from "../../../../src/wires/anthropic/errors.ts";

async function told(response: Response) {
  const body = (await response.json()) as {
    type: string;
    error: Record<string, unknown>;
    request_id: string;
  };
  expect(Object.keys(body)).toEqual(["type", "error", "request_id"]);
  expect(Object.keys(body.error)).toEqual(["type", "message", "code"]);
  expect([body.type, body.request_id, response.headers.get("request-id")]).toEqual([
    "error",
    "req_1",
    "req_1",
  ]);
  return {
    status: response.status,
    type: body.error.type,
    code: body.error.code,
    retry: response.headers.get("x-should-retry"),
  };
}

const invalid = "invalid_request_error";
const failures: { [code in TurnFailureCode]: [number, string] } = {
  approval_pending: [409, invalid],
  turn_in_progress: [409, invalid],
  session_required: [400, invalid],
  unknown_interrupt: [400, invalid],
  incomplete_resume: [400, invalid],
  invalid_resume: [400, invalid],
  invalid_messages: [400, invalid],
  unknown_agent: [404, "not_found_error"],
  model_not_configured: [500, "api_error"],
  model_rate_limited: [429, "rate_limit_error"],
  model_unavailable: [529, "overloaded_error"],
  model_failed: [500, "api_error"],
  context_too_long: [400, invalid],
  step_limit: [500, "api_error"],
  interrupted: [500, "api_error"],
  internal_error: [500, "api_error"],
};

describe("a failed turn", () => {
  test.each(Object.entries(failures))("%s", async (name, [status, type]) => {
    const code = name as TurnFailureCode;
    const retried = status === 409 || status === 429 || status >= 500;
    const failure = { code, message: "m", retryable: false };
    const forbidden = retried ? "false" : null;
    expect(await told(anthropicFailure(failure, "req_1", true))).toEqual({
      status,
      type,
      code,
      retry: forbidden,
    });
    const passing = { ...failure, retryable: true };
    expect(await told(anthropicFailure(passing, "req_1", true))).toEqual({ status, type, code, retry: null });
    expect(await told(anthropicFailure(passing, "req_1", false))).toEqual({
      status,
      type,
      code,
      retry: forbidden,
    });
  });
});

describe("anything thrown", () => {
  test.each([
    [new HttpError("unauthorized", "m"), 401, "authentication_error", null],
    [new HttpError("not_found", "m"), 404, "not_found_error", null],
    [new HttpError("method_not_allowed", "m"), 405, invalid, null],
    [new HttpError("body_too_large", "m"), 413, "request_too_large", null],
    [new HttpError("unavailable", "m"), 503, "overloaded_error", null],
    [new HttpError("configuration_invalid", "m"), 503, "overloaded_error", "false"],
    [new HttpError("conflict", "m"), 409, invalid, "false"],
  ])("%s", async (thrown, status, type, retry) => {
    expect(await told(anthropicError(thrown, "req_1"))).toEqual({ status, type, code: thrown.code, retry });
  });

  test("keeps its headers; unforeseen it says nothing but the request id", async () => {
    const refused = new HttpError("method_not_allowed", "m", { headers: { allow: "POST" } });
    expect(anthropicError(refused, "req_1").headers.get("allow")).toBe("POST");
    const unforeseen = anthropicError(new Error("secret"), "req_1");
    expect(await unforeseen.clone().text()).not.toContain("secret");
    expect(await told(unforeseen)).toEqual({
      status: 500,
      type: "api_error",
      code: "internal_error",
      retry: null,
    });
  });
});

test("the vendor's client knows each by its class, type and request id, and does not try again in vain", async () => {
  let asked = 0;
  const client = new Anthropic({
    apiKey: "k",
    baseURL: "http://test",
    fetch: async () => {
      asked += 1;
      return anthropicFailure(
        { code: "approval_pending", message: "Decide first.", retryable: false },
        "req_1",
        true,
      );
    },
  });
  await expect(client.models.list()).rejects.toMatchObject({
    constructor: Anthropic.ConflictError,
    status: 409,
    type: "invalid_request_error",
    requestID: "req_1",
  });
  expect(asked).toBe(1);
});
