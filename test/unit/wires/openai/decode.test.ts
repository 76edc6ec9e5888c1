import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HttpError } from "../../../../src/http/errors.ts";
import { readJson } from "../../../../src/http/read-json.ts";
import { decodeChat } from "../../../../src/wires/openai/decode.ts";
import { openaiError } from "../../../../src/wires/openai/errors.ts";
import { chatRequestSchema } from "../../../../src/wires/openai/schema.ts";
import { systemMessage } from "../../../../src/wires/system-messages.ts";
import { counter, damaged, posted, refusal } from "../decoding.ts";

const stateless = { session: null, conversation: null };
const png = "iVBORw0KGgo=";

async function decode(body: object) {
  return decodeChat(await readJson(posted(body), chatRequestSchema), stateless, counter());
}

async function messagesOf(...messages: object[]) {
  return (await decode({ model: "support", messages })).request.messages;
}

/** The reply to a body that is refused. */
async function refused(body: object): Promise<{ status: number; error: Record<string, unknown> }> {
  const response = openaiError(await refusal(() => decode(body)), "req_1");
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  return { status: response.status, error };
}

const user = { role: "user", content: "Hi" };
const ask = { model: "support", messages: [user] };

describe("a request", () => {
  test("is the seed's sample", async () => {
    const body = {
      model: "support",
      messages: [{ role: "user", content: "What plans do you offer?" }],
      stream: false,
    };
    expect(await decode(body)).toEqual({
      request: {
        agent: "support",
        wire: "openai",
        runId: "run_1",
        session: null,
        conversation: null,
        messages: [
          { role: "user", id: "msg_2", parts: [{ type: "text", text: "What plans do you offer?" }] },
        ],
        clientTools: [],
        state: null,
        resume: [],
        sampling: {},
        snapshot: false,
        context: [],
        forwarded: null,
      },
      stream: false,
      includeUsage: false,
    });
  });

  test("takes null for whatever may be left out, and unknown fields", async () => {
    const nulls = Object.fromEntries(
      Object.keys(chatRequestSchema.shape)
        .filter((name) => name !== "model" && name !== "messages")
        .map((name) => [name, null]),
    );
    const asked = await decode({ ...nulls, ...ask, store: true, foo: { bar: [] } });
    expect(asked).toEqual(await decode(ask));
  });

  test("takes settings, the newer name first", async () => {
    const { request, stream, includeUsage } = await decode({
      ...ask,
      stream: true,
      stream_options: { include_usage: true },
      n: 1,
      max_tokens: 5,
      max_completion_tokens: 7,
      temperature: 0,
      top_p: 1,
      frequency_penalty: -1,
      presence_penalty: 0.5,
      seed: 7,
      reasoning_effort: "low",
      parallel_tool_calls: false,
      logprobs: false,
      top_logprobs: 0,
      stop: "END",
      response_format: {
        type: "json_schema",
        json_schema: { name: "a", strict: true, schema: { type: "object" } },
      },
      metadata: { ticket: "7" },
    });
    expect([stream, includeUsage]).toEqual([true, true]);
    expect(request.forwarded).toEqual({ ticket: "7" });
    expect(request.sampling).toEqual({
      maxOutputTokens: 7,
      temperature: 0,
      topP: 1,
      frequencyPenalty: -1,
      presencePenalty: 0.5,
      seed: 7,
      reasoning: "low",
      parallelCalls: false,
      stop: ["END"],
      responseFormat: { type: "json", name: "a", strict: true, schema: { type: "object" } },
    });
  });

  test.each([
    [{ stop: ["a", "", "b"] }, { stop: ["a", "b"] }],
    [{ stop: "" }, {}],
    [{ max_tokens: 3 }, { maxOutputTokens: 3 }],
    [{ parallel_tool_calls: true }, {}],
    [{ response_format: { type: "text" } }, {}],
    [{ response_format: { type: "json_object" } }, { responseFormat: { type: "json" } }],
    [{ tool_choice: "required" }, { toolChoice: { type: "required" } }],
    [
      { tool_choice: { type: "function", function: { name: "f" } } },
      { toolChoice: { type: "tool", name: "f" } },
    ],
    [{ function_call: { name: "f" } }, { toolChoice: { type: "tool", name: "f" } }],
    [{ function_call: "none" }, { toolChoice: { type: "none" } }],
  ])("reads %j", async (fields, sampling) => {
    expect((await decode({ ...ask, ...fields })).request.sampling).toEqual(sampling);
  });

  test("takes tools of both kinds; allowed_tools leaves the others out", async () => {
    const body = {
      ...ask,
      tools: [
        {
          type: "function",
          function: { name: "a", description: "A", parameters: { type: "object" }, strict: null },
        },
        { type: "function", function: { name: "b", description: null } },
      ],
      functions: [{ name: "c" }],
    };
    const empty = { type: "object", properties: {} };
    expect((await decode(body)).request.clientTools).toEqual([
      { name: "a", description: "A", parameters: { type: "object" } },
      { name: "b", description: "", parameters: empty },
      { name: "c", description: "", parameters: empty },
    ]);
    const allowed = { mode: "required", tools: [{ type: "function", function: { name: "b" } }] };
    const { request } = await decode({
      ...body,
      tool_choice: { type: "allowed_tools", allowed_tools: allowed },
    });
    expect(request.clientTools.map(({ name }) => name)).toEqual(["b"]);
    // The only one that may be called.
    expect(request.sampling.toolChoice).toEqual({ type: "tool", name: "b" });
    const insisting = await decode({ ...body, tool_choice: "required" });
    expect(insisting.request.sampling.toolChoice).toEqual({ type: "required" });
  });
});

describe("messages", () => {
  test("of every role come as text or parts", async () => {
    expect(
      await messagesOf(
        {
          role: "developer",
          content: [
            { type: "text", text: "Be " },
            { type: "text", text: "kind." },
          ],
        },
        { role: "system", content: "Be brief.", name: null },
        { role: "user", content: [{ type: "text", text: "Hi" }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "No" },
            { type: "refusal", refusal: "!" },
          ],
        },
        { role: "user", content: "" },
      ),
    ).toEqual([
      systemMessage("Be kind."),
      systemMessage("Be brief."),
      { role: "user", id: "msg_4", parts: [{ type: "text", text: "Hi" }] },
      { role: "assistant", id: "msg_5", blocks: [{ type: "text", text: "No!" }] },
      { role: "user", id: "msg_6", parts: [{ type: "text", text: "" }] },
    ]);
  });

  test("with calls need no content, and arguments that are no object count for none", async () => {
    const call = (id: string, args?: string) => ({
      id,
      type: "function",
      function: { name: "f", arguments: args },
    });
    const decoded = await messagesOf(
      user,
      {
        role: "assistant",
        content: null,
        tool_calls: [call("a", '{"x":1}'), call("b", ""), call("c", "[1]")],
      },
      { role: "tool", tool_call_id: "a", content: [{ type: "text", text: "1" }] },
      { role: "assistant", tool_calls: [call("d", "{nonsense"), call("e")] },
      { role: "assistant", content: "" },
      { role: "assistant", reasoning_content: "Hm.", content: "Well." },
    );
    expect(decoded.slice(1)).toEqual([
      {
        role: "assistant",
        id: "msg_3",
        blocks: [
          { type: "call", callId: "a", name: "f", args: { x: 1 } },
          { type: "call", callId: "b", name: "f", args: {} },
          { type: "call", callId: "c", name: "f", args: {} },
        ],
      },
      { role: "tool", id: "msg_4", callId: "a", content: "1", isError: false },
      {
        role: "assistant",
        id: "msg_5",
        blocks: [
          { type: "call", callId: "d", name: "f", args: {} },
          { type: "call", callId: "e", name: "f", args: {} },
        ],
      },
      {
        role: "assistant",
        id: "msg_7",
        blocks: [
          { type: "reasoning", text: "Hm." },
          { type: "text", text: "Well." },
        ],
      },
    ]);
  });

  test("of the older function form find their call by name", async () => {
    const decoded = await messagesOf(
      user,
      { role: "assistant", content: null, function_call: { name: "f", arguments: '{"x":1}' } },
      { role: "function", name: "f", content: "1" },
    );
    expect(decoded.slice(1)).toEqual([
      {
        role: "assistant",
        id: "msg_3",
        blocks: [{ type: "call", callId: "call_4", name: "f", args: { x: 1 } }],
      },
      { role: "tool", id: "msg_5", callId: "call_4", content: "1", isError: false },
    ]);
  });

  test("carry pictures, sounds and files", async () => {
    const [message] = await messagesOf({
      role: "user",
      content: [
        { type: "image_url", image_url: { url: `data:image/PNG;base64,${png}`, detail: "low" } },
        { type: "image_url", image_url: "https://example.com/a.jpg" },
        { type: "input_audio", input_audio: { data: png, format: "mp3" } },
        { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${png}` } },
      ],
    });
    expect(message).toEqual({
      role: "user",
      id: "msg_2",
      parts: [
        { type: "media", kind: "image", mediaType: "image/png", data: png },
        { type: "media", kind: "image", mediaType: "image/*", url: "https://example.com/a.jpg" },
        { type: "media", kind: "audio", mediaType: "audio/mpeg", data: png },
        { type: "media", kind: "file", mediaType: "application/pdf", data: png, name: "a.pdf" },
      ],
    });
  });
});

describe("a refusal names the parameter", () => {
  const part = (content: object) => ({ ...ask, messages: [{ role: "user", content: [content] }] });
  const image = (url: string) => part({ type: "image_url", image_url: { url } });
  test.each([
    [{ messages: [user] }, "model"],
    [{ model: "", messages: [user] }, "model"],
    [{ model: "support" }, "messages"],
    [{ model: "support", messages: [] }, "messages"],
    [{ model: "support", messages: [{ role: "robot", content: "x" }] }, "messages[0].role"],
    [{ model: "support", messages: [user, { role: "user" }] }, "messages[1].content"],
    [{ model: "support", messages: [{ role: "user", content: null }] }, "messages[0].content"],
    [{ model: "support", messages: [{ role: "tool", content: "x" }] }, "messages[0].tool_call_id"],
    [{ model: "support", messages: [{ role: "function", name: "f", content: "x" }] }, "messages[0].name"],
    [{ ...ask, n: 2 }, "n"],
    [{ ...ask, logprobs: true }, "logprobs"],
    [{ ...ask, logprobs: false, top_logprobs: 3 }, "top_logprobs"],
    [{ ...ask, seed: 1.5 }, "seed"],
    [{ ...ask, reasoning_effort: "a lot" }, "reasoning_effort"],
    [{ ...ask, parallel_tool_calls: "no" }, "parallel_tool_calls"],
    [{ ...ask, stream: "yes" }, "stream"],
    [{ ...ask, max_tokens: 0 }, "max_tokens"],
    [{ ...ask, temperature: 3 }, "temperature"],
    [{ ...ask, stop: [1] }, "stop[0]"],
    [{ ...ask, tools: [{ type: "web_search" }] }, "tools[0].type"],
    [{ ...ask, tools: [{ type: "function", function: { name: "a b" } }] }, "tools[0].function.name"],
    [
      {
        ...ask,
        tools: [
          { type: "function", function: { name: "a" } },
          { type: "function", function: { name: "a" } },
        ],
      },
      "tools",
    ],
    [{ ...ask, tool_choice: "some" }, "tool_choice"],
    [{ ...ask, response_format: { type: "xml" } }, "response_format.type"],
    [{ ...ask, modalities: ["text", "audio"] }, "modalities[1]"],
    [part({ type: "video_url", video_url: { url: "https://a/b" } }), "messages[0].content[0].type"],
    [part({ type: "text", text: 1 }), "messages[0].content[0].text"],
    [image("http://example.com/a.jpg"), "messages[0].content[0].image_url.url"],
    [image("data:image/png;base64,not base64"), "messages[0].content[0].image_url.url"],
    [image("data:image/png,plain"), "messages[0].content[0].image_url.url"],
    [image(`data:text/html;base64,${png}`), "messages[0].content[0].image_url.url"],
    [image("https://"), "messages[0].content[0].image_url.url"],
    [
      part({ type: "input_audio", input_audio: { data: png, format: "flac" } }),
      "messages[0].content[0].input_audio.format",
    ],
    [
      part({ type: "input_audio", input_audio: { data: "", format: "wav" } }),
      "messages[0].content[0].input_audio.data",
    ],
    [part({ type: "file", file: { file_id: "file-1" } }), "messages[0].content[0].file.file_id"],
    [part({ type: "file", file: {} }), "messages[0].content[0].file.file_data"],
  ])("%j: %s", async (body, param) => {
    const { status, error } = await refused(body);
    expect(status).toBe(400);
    expect(Object.keys(error).sort()).toEqual(["code", "message", "param", "type"]);
    expect(error).toMatchObject({ type: "invalid_request_error", param });
    expect(error.message).toContain(param);
  });
});

test("any damaged request is taken or refused with a 400", async () => {
  const whole = {
    ...ask,
    messages: [
      { role: "system", content: "s" },
      {
        role: "user",
        content: [
          { type: "text", text: "t" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } },
          { type: "file", file: { file_data: `data:application/pdf;base64,${png}`, filename: "a" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "a", content: "1" },
    ],
    tools: [{ type: "function", function: { name: "f", parameters: { type: "object" } } }],
    tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [] } },
    response_format: { type: "json_schema", json_schema: { schema: {} } },
    stream_options: { include_usage: true },
    stop: ["a"],
  };
  await fc.assert(
    fc.asyncProperty(damaged(whole), async (body) => {
      try {
        await decode(body);
      } catch (thrown) {
        if (!(thrown instanceof HttpError)) throw thrown;
        expect(thrown.status).toBe(400);
      }
    }),
    { numRuns: 500 },
  );
});
