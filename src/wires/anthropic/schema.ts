import * as z from "zod";

/**
 * A Messages request as clients send it: `null` stands for an optional field left out, a text for a list with one text
 * block, and unknown fields are ignored.
 */

/** A list of blocks; a text is one text block. */
function blocksOf<Block extends z.ZodType>(block: Block) {
  return z.preprocess(
    (content) => (typeof content === "string" ? [{ type: "text", text: content }] : content),
    z.array(block),
  );
}

/** Says what a tag may be, where a plain union would only say that it is wrong. */
function oneOf(...tags: string[]) {
  const must = `must be ${tags.length === 1 ? "" : "one of "}${tags.map((tag) => `"${tag}"`).join(", ")}`;
  return { error: (issue: { code: string }) => (issue.code === "invalid_union" ? must : undefined) };
}

const textBlock = z.object({ type: z.literal("text"), text: z.string() });
const searchResultBlock = z.object({
  type: z.literal("search_result"),
  source: z.string(),
  title: z.string(),
  content: z.array(textBlock),
});
const base64Source = z.object({ type: z.literal("base64"), media_type: z.string(), data: z.string() });
const urlSource = z.object({ type: z.literal("url"), url: z.string() });
const imageBlock = z.object({
  type: z.literal("image"),
  source: z.discriminatedUnion("type", [base64Source, urlSource], oneOf("base64", "url")),
});
const documentBlock = z.object({
  type: z.literal("document"),
  title: z.string().nullish(),
  context: z.string().nullish(),
  source: z.discriminatedUnion(
    "type",
    [
      base64Source,
      urlSource,
      z.object({ type: z.literal("text"), data: z.string() }),
      z.object({
        type: z.literal("content"),
        content: blocksOf(z.discriminatedUnion("type", [textBlock, imageBlock], oneOf("text", "image"))),
      }),
    ],
    oneOf("base64", "url", "text", "content"),
  ),
});
const mediaBlocks = [textBlock, imageBlock, documentBlock, searchResultBlock] as const;
const toolResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string().min(1),
  content: blocksOf(
    z.discriminatedUnion("type", mediaBlocks, oneOf("text", "image", "document", "search_result")),
  ).nullish(),
  is_error: z.boolean().nullish(),
});
const userBlock = z.discriminatedUnion(
  "type",
  [...mediaBlocks, toolResultBlock],
  oneOf("text", "image", "document", "search_result", "tool_result"),
);

const schemaObject = z.record(z.string(), z.json());
const assistantTypes = ["text", "thinking", "redacted_thinking", "tool_use"];
/** What an assistant said, here or anywhere: blocks of tools that ran at another provider are let through unread. */
const assistantBlock = z.preprocess(
  (block) => (isForeign(block) ? { type: "foreign" } : block),
  z.discriminatedUnion("type", [
    textBlock,
    z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string().nullish() }),
    z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
    z.object({
      type: z.literal("tool_use"),
      id: z.string().min(1),
      name: z.string().min(1),
      input: schemaObject.nullish(),
    }),
    z.object({ type: z.literal("foreign") }),
  ]),
);

function isForeign(block: unknown): boolean {
  return (
    typeof block === "object" &&
    block !== null &&
    "type" in block &&
    typeof block.type === "string" &&
    !assistantTypes.includes(block.type)
  );
}

const message = z.discriminatedUnion(
  "role",
  [
    z.object({ role: z.literal("user"), content: blocksOf(userBlock) }),
    z.object({ role: z.literal("assistant"), content: blocksOf(assistantBlock) }),
    z.object({
      role: z.literal("system"),
      content: blocksOf(z.discriminatedUnion("type", [textBlock], oneOf("text"))),
    }),
  ],
  oneOf("user", "assistant", "system"),
);

const tool = z.object({
  type: z
    .literal("custom", { error: 'must be "custom": the provider\'s own tools are not offered here' })
    .nullish(),
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,128}$/, { error: 'must be 1 to 128 letters, digits, "_" and "-"' }),
  description: z.string().nullish(),
  input_schema: schemaObject,
  strict: z.boolean().nullish(),
});

const toolChoice = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.enum(["auto", "any", "none"]), disable_parallel_tool_use: z.boolean().nullish() }),
    z.object({
      type: z.literal("tool"),
      name: z.string().min(1),
      disable_parallel_tool_use: z.boolean().nullish(),
    }),
  ],
  oneOf("auto", "any", "tool", "none"),
);

const jsonFormat = z.discriminatedUnion(
  "type",
  [z.object({ type: z.literal("json_schema"), schema: schemaObject })],
  oneOf("json_schema"),
);

/** What counts as input: the part of a request whose tokens can be counted. */
export const countRequestSchema = z.object({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  system: blocksOf(textBlock).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
});

export const messagesRequestSchema = countRequestSchema.extend({
  max_tokens: z.int().min(1),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(0).nullish(),
  thinking: z.object({ type: z.string(), budget_tokens: z.int().min(1).nullish() }).nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  output_config: z.object({ format: jsonFormat.nullish(), effort: z.string().nullish() }).nullish(),
  output_format: jsonFormat.nullish(),
  metadata: schemaObject.nullish(),
});

export type CountRequest = z.output<typeof countRequestSchema>;
export type MessagesRequest = z.output<typeof messagesRequestSchema>;
export type WireMessage = CountRequest["messages"][number];
export type UserBlock = z.output<typeof userBlock>;
export type MediaBlock = Exclude<UserBlock, { type: "tool_result" }>;
export type AssistantBlock = z.output<typeof assistantBlock>;
