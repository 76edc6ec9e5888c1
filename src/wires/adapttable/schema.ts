import * as z from "zod";

const call = z.object({
  id: z.string(),
  name: z.string().describe("A capability of the contract, `describe` or `read`."),
  args: z.record(z.string(), z.json()),
  expectedRevision: z.number().optional(),
});

/** What a request is, for the description of the API; it is read by the parser of the protocol. */
export const tableRequestSchema = z.looseObject({
  schemaVersion: z.literal("adapttable.agent.v1"),
  kind: z.enum(["hello", "schema", "turn"]),
  tableId: z.string().min(1),
  sessionId: z.string().min(1).max(512).optional().describe("As the reply to a hello gave it."),
  context: z
    .looseObject({ contract: z.looseObject({}), selection: z.looseObject({}).optional() })
    .optional()
    .describe("What the table permits. Left out on a turn whose contract is pinned."),
  contractVersion: z.string().optional(),
  view: z.looseObject({ revision: z.number() }).optional().describe("Where the table is now."),
  message: z.string().optional(),
  audio: z.object({ mimeType: z.string(), base64: z.string(), durationMs: z.number() }).optional(),
  conversation: z.array(z.object({ role: z.enum(["user", "assistant"]), text: z.string() })).optional(),
  turnId: z.string().optional(),
  phaseId: z.number().optional(),
  toolResults: z.array(z.looseObject({ id: z.string() })).optional(),
  pendingCalls: z.array(call).optional(),
});

/** A reply, for the description of the API. */
export const tableResponseSchema = z.object({
  schemaVersion: z.literal("adapttable.agent.v1"),
  ok: z.boolean().optional(),
  sessionId: z.string().optional(),
  text: z.string().optional(),
  toolCalls: z.array(call).optional(),
  askUser: z
    .object({
      id: z.string(),
      question: z.string(),
      options: z.array(z.object({ id: z.string(), label: z.string() })).optional(),
      allowFreeText: z.boolean(),
    })
    .optional(),
  transcript: z.string().optional(),
  pin: z
    .object({
      status: z.enum(["acknowledged", "expired", "unknown", "unsupported"]),
      contractVersion: z.string().optional(),
      ttlMs: z.number().optional(),
    })
    .optional(),
  continueWithResults: z.boolean().optional(),
});
