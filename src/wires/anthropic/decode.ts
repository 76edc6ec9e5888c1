import { HttpError } from "../../http/errors.ts";
import type { ClientTool, Message, Sampling, TurnRequest } from "../../turn/index.ts";
import type { SessionKeys } from "../session-headers.ts";
import { systemMessage, withoutRepeatedSystem } from "../system-messages.ts";
import { toolChoiceAmong } from "../tool-choice.ts";
import { decodeMessages } from "./decode-messages.ts";
import type { CountRequest, MessagesRequest } from "./schema.ts";

type MintId = (prefix: string) => string;

/** A request as the turn takes it, and how the client wants the reply. */
export interface DecodedMessages {
  request: TurnRequest;
  stream: boolean;
}

/** What a request asks of the turn. Throws `HttpError` 400 with the parameter that cannot be used as `param`. */
export function decodeRequest(body: MessagesRequest, keys: SessionKeys, mintId: MintId): DecodedMessages {
  const { messages, tools } = decodeInput(body, mintId);
  return {
    request: {
      agent: body.model,
      wire: "anthropic",
      runId: mintId("run_"),
      ...keys,
      messages,
      clientTools: tools,
      state: null,
      resume: [],
      sampling: { ...samplingOf(body), ...toolChoiceAmong(tools, toolChoiceOf(body)) },
      snapshot: false,
      context: [],
      forwarded: body.metadata ?? null,
    },
    stream: body.stream ?? false,
  };
}

/** The conversation, instructions first, and the client's tools. */
export function decodeInput(
  body: CountRequest,
  mintId: MintId,
): { messages: Message[]; tools: ClientTool[] } {
  const text = (body.system ?? []).map((block) => block.text).join("\n\n");
  const system: Message[] = text === "" ? [] : [systemMessage(text)];
  const messages = withoutRepeatedSystem([...system, ...decodeMessages(body.messages, mintId)]);
  return { messages, tools: toolsOf(body) };
}

function toolsOf({ tools }: CountRequest): ClientTool[] {
  const names = new Set<string>();
  return (tools ?? []).map(({ name, description, input_schema: parameters, strict }, index) => {
    if (names.has(name)) {
      throw new HttpError("invalid_request", `tools[${index}].name is the name of another tool.`, {
        details: { param: `tools[${index}].name` },
      });
    }
    names.add(name);
    const held = strict === null || strict === undefined ? {} : { strict };
    return { name, description: description ?? "", parameters, ...held };
  });
}

function samplingOf(body: MessagesRequest): Sampling {
  const { temperature, top_p: topP } = body;
  const stop = (body.stop_sequences ?? []).filter((sequence) => sequence !== "");
  const format = body.output_config?.format ?? body.output_format;
  return {
    maxOutputTokens: body.max_tokens,
    ...(temperature === null || temperature === undefined ? {} : { temperature }),
    ...(topP === null || topP === undefined ? {} : { topP }),
    // 0 stands for no limit.
    ...(body.top_k ? { topK: body.top_k } : {}),
    ...reasoningOf(body),
    ...(body.tool_choice?.disable_parallel_tool_use === true ? { parallelCalls: false } : {}),
    ...(stop.length === 0 ? {} : { stop }),
    ...(format === null || format === undefined
      ? {}
      : { responseFormat: { type: "json", schema: format.schema } }),
  };
}

/**
 * How much is to be thought. What a budget means differs from model to model, so it is taken for an effort; the newer
 * way names one.
 */
function reasoningOf({ thinking, output_config: config }: MessagesRequest): Pick<Sampling, "reasoning"> {
  if (thinking?.type === "disabled") return { reasoning: "none" };
  const effort = efforts.find((one) => one === config?.effort);
  if (effort !== undefined) return { reasoning: effort };
  if (thinking === null || thinking === undefined) return {};
  const budget = thinking.budget_tokens;
  if (budget === null || budget === undefined) return { reasoning: "high" };
  return { reasoning: budget <= 4_096 ? "low" : budget <= 16_384 ? "medium" : "high" };
}

const efforts = ["low", "medium", "high", "xhigh", "max"] as const;

function toolChoiceOf({ tool_choice: choice }: CountRequest): Sampling["toolChoice"] {
  if (choice === null || choice === undefined) return undefined;
  if (choice.type === "tool") return { type: "tool", name: choice.name };
  return { type: choice.type === "any" ? "required" : choice.type };
}
