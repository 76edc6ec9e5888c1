import type { LanguageModel, ModelPart } from "./language-model.ts";

/** Longest event that is looked for in memory, characters; what is longer is the package's to read. */
const maxEventChars = 262_144;

/** What a plain chunk's delta may have in it: texts, and whose they are. */
const plainDeltaKeys: ReadonlySet<string> = new Set(["role", "content", "reasoning_content", "reasoning"]);

/**
 * A model of a provider's package for Chat Completions, of whose streams the package reads less. Chunks that bring
 * nothing but text or reasoning are read here; from the first other one on (a call, the end, usage, an error, anything
 * unusual) the package reads, so that all of that means what it means to the package. In the Workers runtime a chunk
 * costs the package a third of a millisecond, and most of an answer is text.
 */
export function plainTextFirst(
  make: (fetch: typeof globalThis.fetch) => LanguageModel,
  fetch: typeof globalThis.fetch,
): LanguageModel {
  // A call is known by its signal. One that is not found is the package's alone.
  const calls = new WeakMap<AbortSignal, DividedBody>();
  const model = make(async (input, init) => {
    const response = await fetch(input, init);
    const call = init?.signal ? calls.get(init.signal) : undefined;
    if (call === undefined || !response.ok || response.body === null) return response;
    const { status, headers } = response;
    return new Response(call.divide(response.body), { status, headers });
  });
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      if (options.abortSignal === undefined) return model.doStream(options);
      const call = new DividedBody();
      calls.set(options.abortSignal, call);
      const result = await model.doStream(options);
      return { ...result, stream: call.partsBefore(result.stream) };
    },
  };
}

/** The body of one answer: its plain beginning, read here, and the rest, which is handed to the package. */
class DividedBody {
  private reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  private readonly decoder = new TextDecoder();
  /** Decoded, and not yet part of anything. */
  private text = "";
  private open: "text" | "reasoning" | null = null;
  private left = false;
  /** Resolved when the package's turn has come. */
  private readonly handedOver = Promise.withResolvers<void>();
  private failure: { error: unknown } | null = null;

  /** Takes the body; returns what the package gets to read of it. */
  divide(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const encoder = new TextEncoder();
    this.reader = reader;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          await this.handedOver.promise;
          if (this.failure !== null) throw this.failure.error;
          if (this.text !== "") {
            controller.enqueue(encoder.encode(this.text));
            this.text = "";
            return;
          }
          const { done, value } = await reader.read();
          // Not the bytes themselves: half a character may have been decoded already.
          const text = done ? this.decoder.decode() : this.decoder.decode(value, { stream: true });
          if (text !== "" || !done) controller.enqueue(encoder.encode(text));
          if (done) controller.close();
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  /** The plain parts, then those of the package. */
  partsBefore(others: ReadableStream<ModelPart>): ReadableStream<ModelPart> {
    let rest: ReadableStreamDefaultReader<ModelPart> | null = null;
    return new ReadableStream<ModelPart>(
      {
        pull: async (controller) => {
          while (rest === null) {
            const parts = await this.plainParts();
            if (this.left) return;
            if (parts === null) {
              rest = others.getReader();
              this.handedOver.resolve();
            } else if (parts.length > 0) {
              for (const part of parts) controller.enqueue(part);
              return;
            }
          }
          const { done, value } = await rest.read();
          if (this.left) return;
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async (reason) => {
          this.left = true;
          this.handedOver.resolve();
          await this.reader?.cancel(reason);
          await (rest ?? others).cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Parts of the next chunks that have arrived; `null`: what comes next is not plain, or the body has ended. */
  private async plainParts(): Promise<ModelPart[] | null> {
    const parts: ModelPart[] = [];
    if (this.reader === null) return null;
    if (!this.takePlain(parts)) return this.closed(parts);
    if (parts.length > 0) return parts;
    try {
      const { done, value } = await this.reader.read();
      if (done) return this.closed(parts);
      this.text += this.decoder.decode(value, { stream: true });
    } catch (error) {
      this.failure = { error };
      return this.closed(parts);
    }
    return parts;
  }

  /** What was found before something that is not plain; after that, nothing. */
  private closed(parts: ModelPart[]): ModelPart[] | null {
    this.change(null, parts);
    return parts.length > 0 ? parts : null;
  }

  /** Takes the plain events off the text; false: there is one that is not. */
  private takePlain(parts: ModelPart[]): boolean {
    for (;;) {
      const end = /\r?\n\r?\n/.exec(this.text);
      if (end === null) return this.text.length <= maxEventChars;
      const event = this.text.slice(0, end.index);
      // A comment, as gateways send while they wait.
      if (!/^:.*$/.test(event) && !this.readPlain(event, parts)) return false;
      this.text = this.text.slice(end.index + end[0].length);
    }
  }

  private readPlain(event: string, parts: ModelPart[]): boolean {
    const delta = /^data:.*$/.test(event) ? plainDelta(event.slice("data:".length)) : null;
    if (delta === null) return false;
    if (delta.reasoning !== "") {
      this.change("reasoning", parts);
      parts.push({ type: "reasoning-delta", id: "reasoning", delta: delta.reasoning });
    }
    if (delta.text !== "") {
      this.change("text", parts);
      parts.push({ type: "text-delta", id: "text", delta: delta.text });
    }
    return true;
  }

  private change(to: "text" | "reasoning" | null, parts: ModelPart[]): void {
    if (this.open === to) return;
    if (this.open !== null) parts.push({ type: `${this.open}-end`, id: this.open });
    this.open = to;
    if (to !== null) parts.push({ type: `${to}-start`, id: to });
  }
}

/** Text and reasoning of a chunk that brings nothing else; `null` for any other. */
function plainDelta(data: string): { text: string; reasoning: string } | null {
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch {
    return null;
  }
  if (!isObject(chunk) || !Array.isArray(chunk.choices) || chunk.choices.length !== 1) return null;
  if (!isAbsent(chunk.usage) || "error" in chunk) return null;
  const choice: unknown = chunk.choices[0];
  if (!isObject(choice) || !isAbsent(choice.finish_reason) || !isObject(choice.delta)) return null;
  const { delta } = choice;
  for (const [key, value] of Object.entries(delta)) {
    if (isAbsent(value)) continue;
    if (!plainDeltaKeys.has(key) || typeof value !== "string") return null;
    if (key === "role" && value !== "assistant" && value !== "") return null;
  }
  return { text: textOf(delta.content), reasoning: textOf(delta.reasoning_content ?? delta.reasoning) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
