import * as z from "zod";

/** Most trials one rehearsal may plan. */
export const maxPlanned = 10_000;

const agent = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("http"),
      url: z.string().max(2_000).describe("Where the agent answers POST /step."),
      headers: z
        .record(z.string(), z.string())
        .default({})
        .describe("Sent with every step. Kept only while the rehearsal runs; never in results."),
      label: z
        .strictObject({ kind: z.literal("module"), name: z.string().min(1).max(500) })
        .optional()
        .describe("How reports name an agent that a module describes."),
    })
    .describe("An agent that runs as a service."),
  z
    .strictObject({ kind: z.literal("agent"), name: z.string() })
    .describe("An agent that this Worker serves."),
  z
    .strictObject({ kind: z.literal("builtin"), name: z.string() })
    .describe("An agent that ships with Greenroom."),
]);

/** A domain folder: path inside it to text. */
export const filesSchema = z
  .record(z.string().min(1).max(500), z.string())
  .describe("Text of each file of a domain folder, by its path inside the folder.");

const domain = z.union([
  z.strictObject({ files: filesSchema }),
  z.strictObject({ name: z.string() }).describe("A domain that ships with Greenroom."),
]);

/** Body of `POST /api/rehearsals`. */
export const startRequestSchema = z.strictObject({
  domain,
  agent,
  trials: z.int().min(1).max(1_000).default(1).describe("Trials of each task."),
  concurrency: z.int().min(1).max(64).default(4).describe("Trials under way at once."),
  tasks: z.array(z.string()).default([]).describe("Only these tasks; empty: all."),
  tags: z
    .array(z.string())
    .default([])
    .describe("Only tasks with one of these tags, `untagged` among them; empty: all."),
  seed: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(1)
    .describe("Chooses among a scripted caller's lines."),
  maxSteps: z.int().min(1).max(1_000).default(16).describe("Rounds of tool calls in one turn."),
  stepTimeoutMs: z
    .int()
    .min(1)
    .max(3_600_000)
    .nullable()
    .default(null)
    .describe("Limit on one step in milliseconds; null: as long as the agent takes."),
  failUnder: z.array(z.string()).default([]).describe("Gates such as `0.9` or `pass^3=0.8`."),
  floors: z.array(z.string()).default([]).describe("Gates for a tag, such as `refusal=1`."),
});

export type StartRequest = z.infer<typeof startRequestSchema>;
