import { APICallError } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import type { LanguageModel, ModelPart } from "../../../src/models/language-model.ts";
import { ModelError } from "../../../src/models/model-error.ts";
import { streamModel } from "../../../src/models/stream-model.ts";
import { stillTiming } from "./provider-server.ts";

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const start: ModelPart = { type: "stream-start", warnings: [] };
const textStart: ModelPart = { type: "text-start", id: "0" };
const hi: ModelPart = { type: "text-delta", id: "0", delta: "Hi" };
const finish: ModelPart = { type: "finish", finishReason: { unified: "stop", raw: "end" }, usage };
const down: ModelPart = {
  type: "error",
  error: new APICallError({ message: "secret-body", url: "", requestBodyValues: {}, statusCode: 503 }),
};

/** A model whose calls stream these parts, one list a call. `onCancel` is told when a stream is given up. */
function scripted(calls: ModelPart[][], onCancel: () => void = () => undefined): LanguageModel {
  const left = [...calls];
  return {
    specificationVersion: "v4",
    provider: "test.chat",
    modelId: "m",
    supportedUrls: {},
    doGenerate: () => expect.fail("doGenerate is never used"),
    doStream: async () => {
      const parts = left.shift() ?? expect.fail("one call too many");
      let next = 0;
      const stream = new ReadableStream<ModelPart>({
        pull(controller) {
          const part = parts[next];
          next += 1;
          if (part) controller.enqueue(part);
          else controller.close();
        },
        cancel: onCancel,
      });
      return { stream };
    },
  };
}

async function collect(model: LanguageModel): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of streamModel(model, { prompt: [] }, { timing: stillTiming() })) parts.push(part);
  return parts;
}

test("what comes before the content is not given out twice after a retry", async () => {
  const model = scripted([
    [start, textStart, down],
    [start, textStart, hi, finish],
  ]);
  expect(await collect(model)).toEqual([start, textStart, hi, finish]);
});

test("an answer without content still has its start and its finish", async () => {
  expect(await collect(scripted([[start, finish]]))).toEqual([start, finish]);
});

test("pings and raw chunks are kept back; the finish comes last", async () => {
  const model = scripted([[start, { type: "ping" }, hi, { type: "raw", rawValue: {} }, finish]]);
  expect(await collect(model)).toEqual([start, hi, finish]);
});

test("once content is out, an error ends the stream", async () => {
  const seen: ModelPart[] = [];
  const read = async () => {
    const model = scripted([[start, hi, down]]);
    for await (const part of streamModel(model, { prompt: [] }, { timing: stillTiming() })) seen.push(part);
  };
  await expect(read()).rejects.toThrow(
    new ModelError("unavailable", "test/m: the provider is unavailable (HTTP 503)", 503),
  );
  expect(seen).toEqual([start, hi]);
});

test.each([
  ["a stream without a finish", [start, hi]],
  [
    "an interrupted one",
    [start, hi, { ...finish, finishReason: { unified: "interrupted", raw: undefined } }],
  ],
] as [string, ModelPart[]][])("%s is malformed", async (_name, parts) => {
  await expect(collect(scripted([parts]))).rejects.toThrow(
    new ModelError("malformed", "test/m: the answer ended before it was finished"),
  );
});

test("a reader that leaves ends the request", async () => {
  let cancelled = 0;
  const model = scripted([[start, hi, hi, hi, finish]], () => {
    cancelled += 1;
  });
  for await (const part of streamModel(model, { prompt: [] }, { timing: stillTiming() })) {
    if (part.type === "text-delta") break;
  }
  expect(cancelled).toBe(1);
});

test("parts of no length do not go on for ever", async () => {
  const model = scripted([Array<ModelPart>(50).fill(textStart)]);
  const read = async () => {
    for await (const _ of streamModel(model, { prompt: [] }, { timing: stillTiming(), maxChars: 20 }));
  };
  await expect(read()).rejects.toThrow(
    new ModelError("malformed", "test/m: the answer is longer than 20 characters"),
  );
});

test.each([
  [{ message: "secret-body", type: "rate_limit_exceeded" }, "rate_limited", true],
  [{ message: "secret-body", code: 502 }, "unavailable", true],
  [{ message: "secret-body", code: "429" }, "rate_limited", true],
  [{ message: "secret-body", code: "invalid_api_key" }, "auth", false],
  [{ message: "secret-body", type: "insufficient_quota" }, "auth", false],
  [{ message: "secret-body", type: "invalid_request_error" }, "bad_request", false],
  ["secret-body", "unavailable", true],
  [null, "unavailable", true],
] as const)("an error event %j", async (error, kind, retried) => {
  const failing: ModelPart[] = [start, { type: "error", error }];
  if (retried) expect(await collect(scripted([failing, [hi, finish]]))).toEqual([hi, finish]);
  const thrown = await collect(scripted([failing, failing, failing, failing])).catch(
    (failed: unknown) => failed,
  );
  if (!(thrown instanceof ModelError)) throw thrown;
  expect(thrown.kind).toBe(kind);
  expect(thrown.message).not.toContain("secret-body");
});
