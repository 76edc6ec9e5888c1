import * as z from "zod";

const head = z.object({
  session_id: z.string().min(1).max(512).describe("Keys the agent's conversation."),
  system: z.string().default("").describe("A default prompt; the agent reads it beside its own."),
  tools: z
    .array(
      z.object({
        name: z.string().min(1),
        description: z.string().default(""),
        input_schema: z.record(z.string(), z.json()).default({}),
      }),
    )
    .default([]),
  message: z.string().optional().describe("A new user turn, or:"),
  tool_results: z
    .array(
      z.object({
        id: z.string(),
        ok: z.boolean(),
        result: z.json().optional(),
        error: z.string().optional(),
      }),
    )
    .optional()
    .describe("Results of the tool calls of the last answer."),
});

/** Body of a step as this Worker's agents take it: `message` or `tool_results`, never both. */
export const stepRequestSchema = head.refine(
  ({ message, tool_results }) => (message === undefined) !== (tool_results === undefined),
  { error: 'expected either "message" or "tool_results", and not both' },
);

/** Answer to a step. */
export const stepResponseSchema = z.union([
  z.object({ reply: z.string() }),
  z.object({
    tool_calls: z.array(
      z.object({ id: z.string(), name: z.string(), arguments: z.record(z.string(), z.json()) }),
    ),
  }),
]);

export type StepBody = z.infer<typeof stepRequestSchema>;
export type StepAnswer = z.infer<typeof stepResponseSchema>;
