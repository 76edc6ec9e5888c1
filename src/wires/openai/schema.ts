import * as z from "zod";

/**
 * A Chat Completions request as clients send it: `null` stands for an optional field left out, a text for a list with
 * one text part, and unknown fields are ignored.
 */

/** A list of parts; a text is one text part. */
function partsOf<Part extends z.ZodType>(part: Part) {
  return z.preprocess(
    (content) => (typeof content === "string" ? [{ type: "text", text: content }] : content),
    z.array(part),
  );
}

/** Says what a tag may be, where a plain union would only say that it is wrong. */
function oneOf(...tags: string[]) {
  const must = `must be ${tags.length === 1 ? "" : "one of "}${tags.map((tag) => `"${tag}"`).join(", ")}`;
  return { error: (issue: { code: string }) => (issue.code === "invalid_union" ? must : undefined) };
}

const textPart = z.object({ type: z.literal("text"), text: z.string() });
const refusalPart = z.object({ type: z.literal("refusal"), refusal: z.string() });
const imagePart = z.object({
  type: z.literal("image_url"),
  // Older clients send the address alone.
  image_url: z.preprocess(
    (image) => (typeof image === "string" ? { url: image } : image),
    z.object({ url: z.string() }),
  ),
});
const audioPart = z.object({
  type: z.literal("input_audio"),
  input_audio: z.object({ data: z.string(), format: z.string() }),
});
const filePart = z.object({
  type: z.literal("file"),
  file: z.object({
    file_data: z.string().nullish(),
    file_id: z.string().nullish(),
    filename: z.string().nullish(),
  }),
});
const userPart = z.discriminatedUnion(
  "type",
  [textPart, imagePart, audioPart, filePart],
  oneOf("text", "image_url", "input_audio", "file"),
);
const onlyText = partsOf(z.discriminatedUnion("type", [textPart], oneOf("text")));

const functionCall = z.object({ name: z.string().min(1), arguments: z.string().nullish() });
const toolCall = z.object({
  id: z.string().min(1),
  type: z.literal("function").nullish(),
  function: functionCall,
});

const message = z.discriminatedUnion(
  "role",
  [
    z.object({ role: z.enum(["system", "developer"]), content: onlyText }),
    z.object({ role: z.literal("user"), content: partsOf(userPart) }),
    z.object({
      role: z.literal("assistant"),
      content: partsOf(
        z.discriminatedUnion("type", [textPart, refusalPart], oneOf("text", "refusal")),
      ).nullish(),
      reasoning_content: z.string().nullish(),
      tool_calls: z.array(toolCall).nullish(),
      function_call: functionCall.nullish(),
    }),
    z.object({ role: z.literal("tool"), tool_call_id: z.string().min(1), content: onlyText }),
    z.object({ role: z.literal("function"), name: z.string().min(1), content: onlyText.nullish() }),
  ],
  oneOf("developer", "system", "user", "assistant", "tool", "function"),
);

const schemaObject = z.record(z.string(), z.json());
const functionTool = z.object({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, "_" and "-"' }),
  description: z.string().nullish(),
  parameters: schemaObject.nullish(),
  strict: z.boolean().nullish(),
});
const tool = z.discriminatedUnion(
  "type",
  [z.object({ type: z.literal("function"), function: functionTool })],
  oneOf("function"),
);

const named = z.object({ type: z.literal("function"), function: z.object({ name: z.string() }) });
const toolChoice = z.union(
  [
    z.enum(["none", "auto", "required"]),
    named,
    z.object({
      type: z.literal("allowed_tools"),
      allowed_tools: z.object({ mode: z.enum(["auto", "required"]), tools: z.array(named) }),
    }),
  ],
  { error: 'must be "none", "auto", "required", one function, or allowed_tools of functions' },
);

const responseFormat = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.literal("text") }),
    z.object({ type: z.literal("json_object") }),
    z.object({
      type: z.literal("json_schema"),
      json_schema: z.object({
        name: z.string().nullish(),
        schema: schemaObject.nullish(),
        strict: z.boolean().nullish(),
      }),
    }),
  ],
  oneOf("text", "json_object", "json_schema"),
);

const stop = z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(z.string()));

export const chatRequestSchema = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, { error: "must be 1: an agent gives one answer" }).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  logprobs: z.literal(false, { error: "must be false: an agent tells no probabilities" }).nullish(),
  top_logprobs: z.literal(0, { error: "must be 0: an agent tells no probabilities" }).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop: stop.nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  functions: z.array(functionTool).nullish(),
  function_call: z.union([z.enum(["none", "auto"]), z.object({ name: z.string() })]).nullish(),
  response_format: responseFormat.nullish(),
  modalities: z.array(z.literal("text", { error: 'must be "text": an agent answers in text' })).nullish(),
  metadata: schemaObject.nullish(),
});

export type ChatRequest = z.output<typeof chatRequestSchema>;
export type ChatMessage = ChatRequest["messages"][number];
export type ChatUserPart = z.output<typeof userPart>;
