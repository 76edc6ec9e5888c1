import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HttpError } from "../../../../src/http/errors.ts";
import { readJson } from "../../../../src/http/read-json.ts";
import { decodeRequest } from "../../../../src/wires/anthropic/decode.ts";
import { countRequestSchema, messagesRequestSchema } from "../../../../src/wires/anthropic/schema.ts";
import { systemMessage } from "../../../../src/wires/system-messages.ts";
import { counter, damaged, posted, refusal } from "../decoding.ts";

const stateless = { session: null, conversation: null };
const png = "iVBORw0KGgo=";

async function decode(body: object) {
  return decodeRequest(await readJson(posted(body), messagesRequestSchema), stateless, counter());
}

const user = { role: "user", content: "Hi" };
const ask = { model: "support", max_tokens: 10, messages: [user] };

async function messagesOf(...messages: object[]) {
  return (await decode({ ...ask, messages })).request.messages;
}

describe("a request", () => {
  test("is the seed's sample", async () => {
    const body = {
      model: "support",
      max_tokens: 1024,
      messages: [{ role: "user", content: "What plans do you offer?" }],
    };
    expect(await decode(body)).toEqual({
      request: {
        agent: "support",
        wire: "anthropic",
        runId: "run_2",
        session: null,
        conversation: null,
        messages: [
          { role: "user", id: "msg_1", parts: [{ type: "text", text: "What plans do you offer?" }] },
        ],
        clientTools: [],
        state: null,
        resume: [],
        sampling: { maxOutputTokens: 1024 },
        snapshot: false,
        context: [],
        forwarded: null,
      },
      stream: false,
    });
  });

  test("takes null for whatever may be left out, and unknown fields", async () => {
    const nulls = Object.fromEntries(
      Object.keys(messagesRequestSchema.shape)
        .filter((name) => !["model", "messages", "max_tokens"].includes(name))
        .map((name) => [name, null]),
    );
    const unknown = {
      context_management: { edits: [] },
      mcp_servers: [],
      service_tier: "auto",
      container: null,
    };
    expect(await decode({ ...nulls, ...unknown, ...ask })).toEqual(await decode(ask));
  });

  test("takes settings", async () => {
    const { request, stream } = await decode({
      ...ask,
      stream: true,
      temperature: 1,
      top_p: 0.5,
      stop_sequences: ["END", ""],
      top_k: 40,
      output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
      metadata: { user_id: "u" },
      tools: [
        {
          name: "a",
          description: "A",
          input_schema: { type: "object" },
          cache_control: { type: "ephemeral" },
        },
        { type: "custom", name: "b", input_schema: {}, strict: true },
      ],
      tool_choice: { type: "any", disable_parallel_tool_use: true },
    });
    expect(stream).toBe(true);
    expect(request.forwarded).toEqual({ user_id: "u" });
    expect(request.clientTools).toEqual([
      { name: "a", description: "A", parameters: { type: "object" } },
      { name: "b", description: "", parameters: {}, strict: true },
    ]);
    expect(request.sampling).toEqual({
      maxOutputTokens: 10,
      temperature: 1,
      topP: 0.5,
      topK: 40,
      reasoning: "low",
      parallelCalls: false,
      stop: ["END"],
      toolChoice: { type: "required" },
      responseFormat: { type: "json", schema: { type: "object" } },
    });
  });

  test.each([
    [{ tool_choice: { type: "auto" } }, { toolChoice: { type: "auto" } }],
    [{ tool_choice: { type: "none" } }, { toolChoice: { type: "none" } }],
    [{ tool_choice: { type: "tool", name: "f" } }, { toolChoice: { type: "tool", name: "f" } }],
    [
      { output_format: { type: "json_schema", schema: { a: 1 } } },
      { responseFormat: { type: "json", schema: { a: 1 } } },
    ],
    [{ output_config: { effort: "high" } }, { reasoning: "high" }],
    [{ output_config: { effort: "someday" } }, {}],
    [{ top_k: 0 }, {}],
    [{ tool_choice: { type: "auto", disable_parallel_tool_use: false } }, { toolChoice: { type: "auto" } }],
    [
      { tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true } },
      { toolChoice: { type: "tool", name: "f" }, parallelCalls: false },
    ],
    [{ thinking: { type: "disabled" } }, { reasoning: "none" }],
    [{ thinking: { type: "adaptive" } }, { reasoning: "high" }],
    [
      { thinking: { type: "adaptive", display: "omitted" }, output_config: { effort: "max" } },
      { reasoning: "max" },
    ],
    [{ thinking: { type: "enabled", budget_tokens: 1_024 } }, { reasoning: "low" }],
    [{ thinking: { type: "enabled", budget_tokens: 10_000 } }, { reasoning: "medium" }],
    [{ thinking: { type: "enabled", budget_tokens: 32_000 } }, { reasoning: "high" }],
  ])("reads %j", async (fields, sampling) => {
    expect((await decode({ ...ask, ...fields })).request.sampling).toEqual({
      maxOutputTokens: 10,
      ...sampling,
    });
  });

  test("puts the instructions first, and takes those among the messages where they stand", async () => {
    const system = [
      { type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } },
      { type: "text", text: "Be brief." },
    ];
    const messages = [user, { role: "system", content: "Be quick." }, user];
    expect((await decode({ ...ask, system, messages })).request.messages).toEqual([
      systemMessage("Be kind.\n\nBe brief."),
      { role: "user", id: "msg_1", parts: [{ type: "text", text: "Hi" }] },
      systemMessage("Be quick."),
      { role: "user", id: "msg_2", parts: [{ type: "text", text: "Hi" }] },
    ]);
    expect((await decode({ ...ask, system: "Be kind." })).request.messages[0]).toEqual(
      systemMessage("Be kind."),
    );
  });
});

describe("messages", () => {
  test("of the assistant keep thoughts, texts and calls, and let other providers' blocks go", async () => {
    const decoded = await messagesOf(
      user,
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "anthropic.sig" },
          { type: "thinking", thinking: "Well.", signature: "unsigned." },
          { type: "thinking", thinking: "Unsigned." },
          { type: "thinking", thinking: "", signature: "" },
          { type: "redacted_thinking", data: "opaque" },
          { type: "server_tool_use", id: "s", name: "web_search", input: {} },
          { type: "web_search_tool_result", tool_use_id: "s", content: [] },
          { type: "text", text: "Let me look." },
          { type: "text", text: "" },
          { type: "tool_use", id: "a", name: "f", input: { x: 1 } },
        ],
      },
      { role: "assistant", content: "" },
      { role: "assistant", content: "Two in a row." },
    );
    expect(decoded.slice(1)).toEqual([
      {
        role: "assistant",
        id: "msg_2",
        blocks: [
          { type: "reasoning", text: "Hm.", signature: "anthropic.sig" },
          { type: "reasoning", text: "Well." },
          { type: "reasoning", text: "Unsigned." },
          { type: "reasoning", text: "", redacted: "opaque" },
          { type: "text", text: "Let me look." },
          { type: "call", callId: "a", name: "f", args: { x: 1 } },
        ],
      },
      { role: "assistant", id: "msg_3", blocks: [{ type: "text", text: "Two in a row." }] },
    ]);
  });

  test("with results become one message a result, then what else the user says", async () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: png } };
    const decoded = await messagesOf({
      role: "user",
      content: [
        { type: "text", text: "Here." },
        { type: "tool_result", tool_use_id: "a", content: "plain" },
        { type: "tool_result", tool_use_id: "b", is_error: true },
        {
          type: "tool_result",
          tool_use_id: "c",
          content: [{ type: "text", text: "A picture:" }, image, { type: "text", text: "That is it." }],
        },
      ],
    });
    expect(decoded).toEqual([
      { role: "tool", id: "msg_1", callId: "a", content: "plain", isError: false },
      { role: "tool", id: "msg_2", callId: "b", content: "", isError: true },
      {
        role: "tool",
        id: "msg_3",
        callId: "c",
        content: "A picture:\n[image 1: follows the results]\nThat is it.",
        isError: false,
      },
      {
        role: "user",
        id: "msg_4",
        parts: [
          { type: "text", text: "Here." },
          { type: "media", kind: "image", mediaType: "image/png", data: png },
        ],
      },
    ]);
    expect(await messagesOf({ role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] })).toEqual([
      { role: "tool", id: "msg_1", callId: "a", content: "", isError: false },
    ]);
  });

  test("carry pictures, documents and search results", async () => {
    const [message] = await messagesOf({
      role: "user",
      content: [
        { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
        {
          type: "document",
          title: "Terms",
          context: "In force.",
          source: { type: "base64", media_type: "application/pdf", data: png },
        },
        { type: "document", source: { type: "url", url: "https://example.com/a.pdf" } },
        { type: "document", source: { type: "text", media_type: "text/plain", data: "Plain." } },
        { type: "document", source: { type: "content", content: "Inner." } },
        { type: "search_result", source: "s", title: "t", content: [{ type: "text", text: "found" }] },
      ],
    });
    expect(message).toEqual({
      role: "user",
      id: "msg_1",
      parts: [
        { type: "media", kind: "image", mediaType: "image/*", url: "https://example.com/a.png" },
        { type: "text", text: "Terms\nIn force." },
        { type: "media", kind: "file", mediaType: "application/pdf", data: png, name: "Terms" },
        { type: "media", kind: "file", mediaType: "application/pdf", url: "https://example.com/a.pdf" },
        { type: "text", text: "Plain." },
        { type: "text", text: "Inner." },
        { type: "text", text: "t\ns\nfound" },
      ],
    });
  });
});

describe("a refusal names the parameter", () => {
  const part = (content: object) => ({ ...ask, messages: [{ role: "user", content: [content] }] });
  test.each([
    [{ max_tokens: 1, messages: [user] }, "model"],
    [{ model: "support", messages: [user] }, "max_tokens"],
    [{ ...ask, max_tokens: 0 }, "max_tokens"],
    [{ ...ask, messages: [] }, "messages"],
    [{ ...ask, messages: [{ role: "tool", content: "x" }] }, "messages[0].role"],
    [{ ...ask, messages: [{ role: "user" }] }, "messages[0].content"],
    [{ ...ask, system: 1 }, "system"],
    [{ ...ask, temperature: 1.1 }, "temperature"],
    [{ ...ask, top_k: -1 }, "top_k"],
    [{ ...ask, thinking: { type: "enabled", budget_tokens: "much" } }, "thinking.budget_tokens"],
    [{ ...ask, tools: [{ type: "web_search_20250305", name: "web_search" }] }, "tools[0].type"],
    [{ ...ask, tools: [{ name: "a" }] }, "tools[0].input_schema"],
    [
      {
        ...ask,
        tools: [
          { name: "a", input_schema: {} },
          { name: "a", input_schema: {} },
        ],
      },
      "tools[1].name",
    ],
    [{ ...ask, tool_choice: { type: "tool" } }, "tool_choice.name"],
    [{ ...ask, tool_choice: { type: "some" } }, "tool_choice.type"],
    [part({ type: "container_upload", file_id: "f" }), "messages[0].content[0].type"],
    [part({ type: "tool_result", content: "x" }), "messages[0].content[0].tool_use_id"],
    [part({ type: "image", source: { type: "file", file_id: "f" } }), "messages[0].content[0].source.type"],
    [
      part({ type: "image", source: { type: "base64", media_type: "text/html", data: png } }),
      "messages[0].content[0].source.media_type",
    ],
    [
      part({ type: "image", source: { type: "base64", media_type: "image/png", data: "?" } }),
      "messages[0].content[0].source.data",
    ],
    [part({ type: "image", source: { type: "url", url: "ftp://a/b" } }), "messages[0].content[0].source.url"],
    [
      part({
        type: "tool_result",
        tool_use_id: "a",
        content: [{ type: "image", source: { type: "url", url: "http://a/b" } }],
      }),
      "messages[0].content[0].content[0].source.url",
    ],
    [
      {
        ...ask,
        messages: [user, { role: "assistant", content: [{ type: "tool_use", name: "f", input: {} }] }],
      },
      "messages[1].content[0].id",
    ],
  ])("%j: %s", async (body, param) => {
    const error = await refusal(() => decode(body));
    expect(error.status).toBe(400);
    expect(error.message).toContain(param);
  });
});

test("counting needs no max_tokens", async () => {
  const { max_tokens: _, ...body } = ask;
  expect((await readJson(posted(body), countRequestSchema)).model).toBe("support");
});

test("any damaged request is taken or refused with a 400", async () => {
  const whole = {
    ...ask,
    system: [{ type: "text", text: "s" }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "t" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
          { type: "document", source: { type: "content", content: [{ type: "text", text: "x" }] } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "x", signature: "y" },
          { type: "tool_use", id: "a", name: "f", input: { x: 1 } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "1" }] }],
      },
      { role: "system", content: "s" },
    ],
    tools: [{ name: "f", input_schema: { type: "object" } }],
    tool_choice: { type: "tool", name: "f" },
    output_config: { format: { type: "json_schema", schema: {} } },
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
