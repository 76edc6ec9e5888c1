import * as z from "zod";
import { AGENT_HTTP_LIMITS, schemaVersion } from "../src/table/protocol/limits.ts";

/**
 * The messages of adapttable.agent.v1 as schemas, for backends that read no TypeScript. The parsers in src/table/protocol
 * judge messages without them, so that a page need not carry them; test/unit/table holds the two to each other.
 */

const { audioTypes, maxAudioMs, maxAudioBytes, maxToolCalls } = AGENT_HTTP_LIMITS;

const filled = z.string().min(1);
const jsonObject = z.looseObject({});
const version = z.literal(schemaVersion);

const toolCall = z
  .looseObject({
    id: filled.describe("Unique within its reply; a handle for the result, not the identity of a write."),
    name: filled.describe('A capability key, or "describe" or "read", which ask the client.'),
    args: jsonObject.optional().describe("{} unless given."),
    expectedRevision: z
      .number()
      .optional()
      .describe("A revision the backend observed; left out, the view of the request."),
  })
  .meta({ id: "toolCall" });

const toolResult = z
  .union([
    z.looseObject({ id: filled, result: z.json() }),
    z.looseObject({ id: filled, error: z.looseObject({ code: filled, message: filled }) }),
  ])
  .meta({ id: "toolResult" });

const audio = z
  .looseObject({
    mimeType: z
      .string()
      .regex(new RegExp(`^(${audioTypes.join("|")})(;.*)?$`))
      .describe("Parameters after the semicolon are passed over."),
    base64: filled
      .max(Math.floor((maxAudioBytes * 4) / 3))
      .describe(`At most ${maxAudioBytes} bytes decoded.`),
    durationMs: z.number().positive().max(maxAudioMs),
  })
  .meta({ id: "audio" });

const contract = z
  .looseObject({
    tableId: filled,
    version: z.string(),
    capabilities: z.array(z.looseObject({ key: filled })),
    columns: z.array(z.looseObject({ id: filled })),
    filters: z.array(z.looseObject({ key: filled })),
    policy: z.looseObject({
      write: z.enum(["deny", "allow"]),
      approval: z.enum(["writes", "destructive", "never"]),
      commit: z.enum(["stage", "immediate"]),
    }),
  })
  .meta({ id: "contract", description: "What the table permits. It never holds a row." });

const view = z
  .looseObject({ revision: z.number(), page: z.number(), limit: z.number(), search: z.string() })
  .meta({ id: "view", description: "Where the table is now; sent fresh each time, never pinned." });

const manifest = z
  .looseObject({
    schemaVersion: version,
    tableId: filled,
    viewRevision: z.number(),
    capabilities: z.array(z.string()),
    policy: jsonObject,
  })
  .meta({ id: "manifest" });

const catalog = z.array(z.looseObject({ key: filled })).meta({ id: "catalog" });

const anyRequest = z.looseObject({
  schemaVersion: version,
  tableId: filled,
  sessionId: filled.optional().describe("The handle a backend gave out; it need not know it any more."),
  context: z.looseObject({ contract, selection: jsonObject.optional() }).optional(),
  manifest: manifest.optional(),
  catalog: catalog.optional().describe("With manifest, or without it neither."),
  contractVersion: z.string().optional().describe("Opaque; acknowledged by repeating it exactly."),
  selectionVersion: z.string().optional(),
  viewRevision: z.number().optional().describe("Instead of the context, on a pinned turn."),
  view: view.optional(),
  message: z.string().optional(),
  audio: audio.optional().describe("On the first round of a spoken turn only."),
  conversation: z.array(z.looseObject({ role: z.enum(["user", "assistant"]), text: z.string() })).optional(),
  turnId: z.string().optional(),
  phaseId: z.number().optional(),
  toolResults: z.array(toolResult).optional(),
  pendingCalls: z.array(toolCall).optional().describe("The plan so far; the reply replaces it."),
});

const described = anyRequest.extend({ kind: z.enum(["hello", "schema"]), manifest, catalog });
const typed = anyRequest.extend({ kind: z.literal("turn"), message: z.string() });
const spoken = anyRequest.extend({ kind: z.literal("turn"), audio });

/** A request of a table. */
export const request = z.union([described, typed, spoken]).meta({ id: "request" });

const askUser = z
  .looseObject({
    id: filled,
    question: filled,
    options: z.array(z.looseObject({ id: filled, label: filled })).optional(),
    allowFreeText: z.boolean().optional().describe("true unless given; false needs options."),
  })
  .meta({ id: "askUser" });

const pin = z
  .looseObject({
    status: z.enum(["acknowledged", "expired", "unknown", "unsupported"]),
    contractVersion: filled.optional(),
    ttlMs: z.number().positive().optional(),
  })
  .meta({ id: "pin" });

/** A reply of a backend. */
export const reply = z
  .looseObject({
    schemaVersion: version,
    ok: z.boolean().optional().describe("On hello and schema only."),
    sessionId: filled.optional(),
    text: z.string().optional(),
    toolCalls: z.array(toolCall).max(maxToolCalls).nullish(),
    askUser: askUser.nullish(),
    transcript: z.string().optional().describe("What was heard, on a spoken turn."),
    pin: pin.nullish(),
    continueWithResults: z.boolean().optional().describe("The receipts of these calls are wanted."),
  })
  .meta({ id: "reply" });

const streamEvents = z
  .object({
    "text-delta": z.looseObject({ text: z.string() }),
    transcript: z.looseObject({ text: z.string() }),
    "ask-user": askUser,
    "tool-calls": z.looseObject({ toolCalls: z.array(toolCall).max(maxToolCalls) }),
    done: jsonObject,
    error: z.looseObject({ code: z.string().optional(), message: z.string().optional() }),
  })
  .meta({ id: "streamEvents", description: "Data of each event of a streamed reply, by the event's name." });

/** The document `schemas/agent-http.v1.json`: definitions, and the limits both sides hold messages to. */
export function agentHttpSchema(): object {
  const whole = z.object({ request, reply, streamEvents });
  const { $defs } = z.toJSONSchema(whole, { io: "input" });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "adapttable.agent.v1: a table's requests and a backend's replies",
    oneOf: [{ $ref: "#/$defs/request" }, { $ref: "#/$defs/reply" }],
    $defs,
    "x-limits": AGENT_HTTP_LIMITS,
  };
}
