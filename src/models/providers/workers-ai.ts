import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createParser } from "eventsource-parser";
import type { ModelBinding, ModelProvider } from "../provider.ts";

/**
 * Cloudflare's Workers AI, as `workers-ai/@cf/vendor/model`: through the Worker's own `AI` binding where it has one,
 * else over its OpenAI-compatible API with an account and a token. Both are read as Chat Completions, which the older
 * models do not quite speak.
 */
export const workersAi: ModelProvider = {
  name: "workers-ai",
  keyVariables: ["CLOUDFLARE_API_TOKEN"],
  keyRequired: true,
  baseUrl: "https://api.cloudflare.com/client/v4/accounts/{account}/ai/v1",
  accountVariable: "CLOUDFLARE_ACCOUNT_ID",
  binding: { name: "AI", fetch: bindingFetch },
  defaultModel: "@cf/meta/llama-3.3-70b-instruct-fp8-fast",
  gateway: false,
  create: ({ model, key, baseUrl, fetch }) =>
    createOpenAICompatible({
      name: "workers-ai",
      baseURL: baseUrl,
      ...(key === undefined ? {} : { apiKey: key }),
      fetch: asChatCompletions(fetch),
      includeUsage: true,
      supportsStructuredOutputs: true,
    }).chatModel(model),
};

/** A frame of either kind: an OpenAI chunk, or the older `{ response, tool_calls }`. */
interface Frame {
  choices?: { index?: number; delta?: Delta; finish_reason?: string | null }[];
  response?: unknown;
  tool_calls?: unknown;
  usage?: unknown;
  errors?: { code?: unknown }[];
}

interface Delta {
  tool_calls?: unknown;
  [field: string]: unknown;
}

interface CallPiece {
  index?: number;
  id?: string | null;
  name?: string | null;
  arguments?: unknown;
  function?: { name?: string | null; arguments?: unknown };
}

/** Sends a Chat Completions request to the binding, which refuses messages without content. */
function bindingFetch(binding: ModelBinding): typeof globalThis.fetch {
  return (_input, init) => {
    const { model, messages, response_format, ...inputs } = JSON.parse(String(init?.body)) as {
      model: string;
      messages: { content: unknown }[];
      response_format?: { json_schema?: { schema: object } };
    };
    const format = response_format?.json_schema;
    const signal = init?.signal;
    return binding.run(
      model,
      {
        ...inputs,
        messages: messages.map((message) => ({ ...message, content: message.content ?? "" })),
        // The binding takes the schema itself, without the envelope that OpenAI puts it into.
        ...(format === undefined
          ? response_format && { response_format }
          : { response_format: { type: "json_schema", json_schema: format.schema } }),
      },
      { returnRawResponse: true, ...(signal ? { signal } : {}) },
    );
  };
}

/** The same answers with every frame an OpenAI chunk. What is no frame of either kind is left as it is. */
function asChatCompletions(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input: Parameters<typeof fetch>[0], init?: Parameters<typeof fetch>[1]) => {
    const response = await fetch(input, init);
    if (!response.ok || response.body === null) return response;
    const body = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(chunks())
      .pipeThrough(new TextEncoderStream());
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

function chunks(): TransformStream<string, string> {
  const reader = new FrameReader();
  const pending: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => pending.push(...reader.read(data)) });
  return new TransformStream({
    transform(text, controller) {
      parser.feed(text);
      for (const data of pending.splice(0)) controller.enqueue(`data: ${data}\n\n`);
    },
  });
}

/** Reads the frames of one answer; remembers what the older kind leaves out. */
class FrameReader {
  private finished = false;
  private calls = 0;

  /** The data of the frames that say the same as an OpenAI stream would. */
  read(data: string): string[] {
    if (data === "[DONE]") return [...(this.finished ? [] : [this.finish()]), data];
    let frame: Frame;
    try {
      frame = JSON.parse(data) as Frame;
    } catch {
      return [data];
    }
    if (typeof frame !== "object" || frame === null) return [data];
    if (Array.isArray(frame.errors)) {
      return [JSON.stringify({ error: { message: "error", code: frame.errors[0]?.code ?? null } })];
    }
    if (Array.isArray(frame.choices)) return this.readChunk(frame, frame.choices);
    if ("response" in frame || "tool_calls" in frame) return this.readOlder(frame);
    return [data];
  }

  private readChunk(frame: Frame, choices: NonNullable<Frame["choices"]>): string[] {
    const read = choices.map((choice) => {
      if (typeof choice.finish_reason === "string") this.finished = true;
      const pieces = choice.delta?.tool_calls;
      if (!Array.isArray(pieces)) return choice;
      return { ...choice, delta: { ...choice.delta, tool_calls: this.readCalls(pieces) } };
    });
    return [JSON.stringify({ ...frame, choices: read })];
  }

  private readOlder({ response, tool_calls: calls, usage }: Frame): string[] {
    // A model that was asked for JSON gives the value itself.
    const content = typeof response === "object" && response !== null ? JSON.stringify(response) : response;
    const delta = {
      ...(content === undefined || content === null || content === "" ? {} : { content: String(content) }),
      ...(Array.isArray(calls) && calls.length > 0 ? { tool_calls: this.readCalls(calls) } : {}),
    };
    const said = { choices: [{ index: 0, delta, finish_reason: null }] };
    return [JSON.stringify(usage === undefined ? said : { ...said, usage })];
  }

  /** Each piece with its index, arguments as text, and without the empty piece that marks the end of a call. */
  private readCalls(pieces: CallPiece[]): object[] {
    return pieces.flatMap((piece) => {
      const name = piece.function?.name ?? piece.name ?? undefined;
      const args = piece.function?.arguments ?? piece.arguments ?? "";
      const text = typeof args === "string" ? args : JSON.stringify(args);
      const { id, index } = piece;
      if (!id && !name && text === "") return [];
      // The older kind has no indexes: each of its calls comes whole.
      const place = index ?? this.calls;
      this.calls = Math.max(this.calls, place + 1);
      return [
        {
          index: place,
          ...(name === undefined ? {} : { id: id || `call_${place}`, type: "function" }),
          function: { ...(name === undefined ? {} : { name }), arguments: text },
        },
      ];
    });
  }

  private finish(): string {
    this.finished = true;
    const finish_reason = this.calls > 0 ? "tool_calls" : "stop";
    return JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason }] });
  }
}
