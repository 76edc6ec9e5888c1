import * as z from "zod";

/** Longest thread and run id accepted, characters. */
const maxIdLength = 512;

const id = z.string().nullish().describe("Left out: one is made.");
const content = z.unknown().describe("A text, or a list of parts.");

const toolCall = z.object({
  id: z.string().min(1),
  function: z.object({ name: z.string(), arguments: z.string().nullish() }),
});

const message = z.discriminatedUnion(
  "role",
  [
    z.object({ role: z.enum(["developer", "system", "user"]), id, content }),
    z.object({
      role: z.literal("assistant"),
      id,
      content: content.optional(),
      toolCalls: z.array(toolCall).nullish(),
      subagentRunId: z.string().nullish(),
    }),
    z.object({
      role: z.literal("tool"),
      id,
      content: content.optional(),
      toolCallId: z.string().min(1),
      error: z.string().nullish(),
      metadata: z.unknown().optional(),
      subagentRunId: z.string().nullish(),
    }),
    z.object({
      role: z.literal("reasoning"),
      id,
      content: content.optional(),
      encryptedValue: z.string().nullish(),
      subagentRunId: z.string().nullish(),
    }),
    z.object({ role: z.literal("activity") }).describe("Ignored: it is the client's own."),
  ],
  {
    error: "must be a message whose role is developer, system, user, assistant, tool, reasoning or activity",
  },
);

const tool = z.object({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" and "-"'),
  description: z.string().nullish(),
  parameters: z.unknown().optional().describe("JSON Schema of the arguments."),
});

const resumeEntry = z.object({
  interruptId: z.string(),
  status: z.string().describe("`resolved` or `cancelled`."),
  payload: z
    .unknown()
    .optional()
    .describe("`{approved}`, `{editedArgs}` or both; `reason` says why not. `cancelled` needs none."),
});

/**
 * `RunAgentInput` as any client sends it: what newer and older ones leave out, send as null or add is taken as it is
 * meant. Only what cannot be understood is refused.
 */
export const runInputSchema = z.object({
  threadId: z.string().max(maxIdLength).describe("Names the durable session; empty: a stateless turn."),
  runId: z.string().min(1).max(maxIdLength).describe("Sent back on the events."),
  protocolVersion: z.string().nullish(),
  messages: z.array(message),
  tools: z.array(tool).nullish().describe("Tools the client runs itself."),
  context: z.array(z.object({ description: z.string().nullish(), value: z.unknown().optional() })).nullish(),
  state: z.unknown().optional().describe("Sets the keys of the shared state that a client may write."),
  forwardedProps: z.unknown().optional().describe("For tools to read."),
  resume: z.array(resumeEntry).nullish().describe("Answers to all open interrupts."),
});

/** Query of a thread's replay. */
export const threadEventsQuery = z.object({
  after: z.string().optional().describe("Number of the last event already seen."),
});

export type RunInput = z.output<typeof runInputSchema>;
export type RunInputMessage = RunInput["messages"][number];
export type RunInputResume = NonNullable<RunInput["resume"]>[number];
