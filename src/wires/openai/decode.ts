import { HttpError } from "../../http/errors.ts";
import type { ClientTool, Sampling, TurnRequest } from "../../turn/index.ts";
import type { SessionKeys } from "../session-headers.ts";
import { toolChoiceAmong } from "../tool-choice.ts";
import { decodeMessages } from "./decode-messages.ts";
import type { ChatRequest } from "./schema.ts";

/** A request as the turn takes it, and how the client wants the reply. */
export interface DecodedChat {
  request: TurnRequest;
  stream: boolean;
  /** Whether a streamed reply ends with a chunk that tells the usage. */
  includeUsage: boolean;
}

/** What a request asks of the turn. Throws `HttpError` 400 with the parameter that cannot be used as `param`. */
export function decodeChat(
  body: ChatRequest,
  keys: SessionKeys,
  mintId: (prefix: string) => string,
): DecodedChat {
  const offered = offeredTools(body);
  const { toolChoice, allowed } = chosenTool(body);
  const tools = allowed === null ? offered : offered.filter(({ name }) => allowed.includes(name));
  return {
    request: {
      agent: body.model,
      wire: "openai",
      runId: mintId("run_"),
      ...keys,
      messages: decodeMessages(body.messages, mintId),
      clientTools: tools,
      state: null,
      resume: [],
      sampling: { ...samplingOf(body), ...toolChoiceAmong(tools, toolChoice) },
      snapshot: false,
      context: [],
      forwarded: body.metadata ?? null,
    },
    stream: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
  };
}

/** The client's tools, those declared in the older way included. */
function offeredTools({ tools, functions }: ChatRequest): ClientTool[] {
  const declared = [...(tools ?? []).map((tool) => tool.function), ...(functions ?? [])];
  const names = new Set<string>();
  return declared.map(({ name, description, parameters, strict }) => {
    if (names.has(name)) {
      throw new HttpError("invalid_request", `tools declares ${JSON.stringify(name)} twice.`, {
        details: { param: "tools" },
      });
    }
    names.add(name);
    return {
      name,
      description: description ?? "",
      parameters: parameters ?? { type: "object", properties: {} },
      ...(isGiven(strict) ? { strict } : {}),
    };
  });
}

/** `allowed`: only these of the client's tools may be called; `null`: any. */
function chosenTool({ tool_choice: choice, function_call: legacy }: ChatRequest): {
  toolChoice?: NonNullable<Sampling["toolChoice"]>;
  allowed: string[] | null;
} {
  if (choice !== null && choice !== undefined) {
    if (typeof choice === "string") return { toolChoice: { type: choice }, allowed: null };
    if (choice.type === "function") {
      return { toolChoice: { type: "tool", name: choice.function.name }, allowed: null };
    }
    const { mode, tools } = choice.allowed_tools;
    return { toolChoice: { type: mode }, allowed: tools.map((tool) => tool.function.name) };
  }
  if (legacy === null || legacy === undefined) return { allowed: null };
  if (typeof legacy === "string") return { toolChoice: { type: legacy }, allowed: null };
  return { toolChoice: { type: "tool", name: legacy.name }, allowed: null };
}

function samplingOf(body: ChatRequest): Sampling {
  const maxOutputTokens = body.max_completion_tokens ?? body.max_tokens;
  const stop = (body.stop ?? []).filter((sequence) => sequence !== "");
  return {
    ...(isGiven(maxOutputTokens) ? { maxOutputTokens } : {}),
    ...(isGiven(body.temperature) ? { temperature: body.temperature } : {}),
    ...(isGiven(body.top_p) ? { topP: body.top_p } : {}),
    ...(isGiven(body.frequency_penalty) ? { frequencyPenalty: body.frequency_penalty } : {}),
    ...(isGiven(body.presence_penalty) ? { presencePenalty: body.presence_penalty } : {}),
    ...(isGiven(body.seed) ? { seed: body.seed } : {}),
    ...(isGiven(body.reasoning_effort) ? { reasoning: body.reasoning_effort } : {}),
    ...(body.parallel_tool_calls === false ? { parallelCalls: false } : {}),
    ...(stop.length === 0 ? {} : { stop }),
    ...responseFormatOf(body),
  };
}

function responseFormatOf({ response_format: format }: ChatRequest): Pick<Sampling, "responseFormat"> {
  if (!isGiven(format) || format.type === "text") return {};
  if (format.type === "json_object") return { responseFormat: { type: "json" } };
  const { name, schema, strict } = format.json_schema;
  return {
    responseFormat: {
      type: "json",
      ...(isGiven(schema) ? { schema } : {}),
      ...(isGiven(name) ? { name } : {}),
      ...(isGiven(strict) ? { strict } : {}),
    },
  };
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined;
}
