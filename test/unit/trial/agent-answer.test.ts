import { describe, expect, it } from "vitest";
import { readAgentAnswer } from "../../../src/sandtable/trial/agent-answer.ts";

describe("readAgentAnswer", () => {
  it("reads a reply", () => {
    expect(readAgentAnswer(200, '{"reply":"Best I can do is $1,375."}')).toEqual({
      kind: "response",
      response: { kind: "reply", reply: "Best I can do is $1,375." },
    });
  });

  it("takes an empty reply and any 2xx status", () => {
    expect(readAgentAnswer(201, '{"reply":""}')).toEqual({
      kind: "response",
      response: { kind: "reply", reply: "" },
    });
  });

  it("lets the reply win over calls", () => {
    const body = '{"reply":"Hi","tool_calls":[{"id":"c1","name":"x","arguments":{}}]}';
    expect(readAgentAnswer(200, body)).toEqual({
      kind: "response",
      response: { kind: "reply", reply: "Hi", ignoredCalls: 1 },
    });
    expect(readAgentAnswer(200, '{"reply":"Hi","tool_calls":[]}')).toEqual({
      kind: "response",
      response: { kind: "reply", reply: "Hi" },
    });
  });

  it("reads calls, a null reply beside them counting as none", () => {
    const body =
      '{"reply":null,"tool_calls":[{"id":"c1","name":"get_load","arguments":{"load_id":"L-1002"}},{"id":"c2","name":"ping","arguments":{}}]}';
    expect(readAgentAnswer(200, body)).toEqual({
      kind: "response",
      response: {
        kind: "calls",
        calls: [
          { id: "c1", name: "get_load", arguments: { load_id: "L-1002" } },
          { id: "c2", name: "ping", arguments: {} },
        ],
      },
    });
  });

  it.each([
    [500, "boom", "agent answered HTTP 500"],
    [302, "", "agent answered HTTP 302"],
    [200, "<html>", "agent answered with a body that is not JSON"],
    [200, " ", "agent answered with an empty body, not JSON"],
    [200, "[]", "agent answered with JSON that is not an object"],
    [200, "null", "agent answered with JSON that is not an object"],
    [200, "{}", 'agent answered with neither "reply" nor "tool_calls"'],
    [200, '{"reply":null,"tool_calls":null}', 'agent answered with neither "reply" nor "tool_calls"'],
    [200, '{"tool_calls":[]}', 'agent answered with neither "reply" nor any call in "tool_calls"'],
    [
      200,
      `${"[".repeat(101)}${"]".repeat(101)}`,
      "agent answered with JSON nested more than 100 levels deep",
    ],
    [200, '{"reply":7}', '"reply" must be a string, not a number'],
    [200, '{"tool_calls":{}}', '"tool_calls" must be a list, not an object'],
    [200, '{"tool_calls":["x"]}', '"tool_calls[0]" must be an object, not a string'],
    [200, '{"tool_calls":[{"name":"x"}]}', '"tool_calls[0].id" must be a string, not missing'],
    [200, '{"tool_calls":[{"id":"a","name":null}]}', '"tool_calls[0].name" must be a string, not null'],
    [
      200,
      '{"tool_calls":[{"id":"a","name":"x","arguments":"{}"}]}',
      `"tool_calls[0].arguments" must be an object, not a string; parse the model's JSON text before sending it`,
    ],
    [
      200,
      '{"tool_calls":[{"id":"a","name":"x","arguments":[1]}]}',
      '"tool_calls[0].arguments" must be an object, not a list',
    ],
    [
      200,
      '{"tool_calls":[{"id":"a","name":"x"}]}',
      '"tool_calls[0].arguments" must be an object, not missing; a call without arguments sends {}',
    ],
    [
      200,
      '{"tool_calls":[{"id":"a","name":"x","arguments":null}]}',
      '"tool_calls[0].arguments" must be an object, not null; a call without arguments sends {}',
    ],
    ...["input", "args", "parameters"].map((name): [number, string, string] => [
      200,
      `{"tool_calls":[{"id":"a","name":"x","arguments":{}},{"id":"b","name":"x","${name}":{"load_id":"L-1"}}]}`,
      `"tool_calls[1].arguments" must be an object, not missing; did you mean to send "${name}" as "arguments"?`,
    ]),
  ])("HTTP %i with %s is a failure that shows both", (status, body, message) => {
    expect(readAgentAnswer(status, body)).toEqual({ kind: "failure", message, status, body });
  });

  it("takes 1,000 calls at once and no more", () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ id: `c${n}`, name: "x", arguments: {} }));
    expect(readAgentAnswer(200, JSON.stringify({ tool_calls: calls(1_000) }))).toEqual({
      kind: "response",
      response: { kind: "calls", calls: calls(1_000) },
    });
    expect(readAgentAnswer(200, JSON.stringify({ tool_calls: calls(1_001) }))).toMatchObject({
      kind: "failure",
      message: "agent answered with 1001 tool calls at once, more than 1000; none of them was run",
      status: 200,
    });
  });

  it("shows only the beginning of a long body", () => {
    const answer = readAgentAnswer(503, "x".repeat(5_000));
    expect(answer).toEqual({
      kind: "failure",
      message: "agent answered HTTP 503",
      status: 503,
      body: `${"x".repeat(2_000)}… (5000 characters)`,
    });
  });
});
