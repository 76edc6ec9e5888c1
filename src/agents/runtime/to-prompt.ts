import type {
  JSONSchema7,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import type { LanguageModel, ModelCall } from "../../models/language-model.ts";
import type { JsonObject } from "../../turn/json.ts";
import type { Message } from "../../turn/message.ts";
import type { Sampling } from "../../turn/request.ts";
import { contextWindow } from "./context-window.ts";
import { providerOptions } from "./provider-options.ts";
import { providerOf } from "./signature.ts";
import { surroundings } from "./surroundings.ts";
import { assistantParts, toolParts, userParts } from "./to-prompt-parts.ts";
import { type Entry, readTranscript } from "./transcript.ts";
import { textTokens, trimEntries } from "./trim.ts";

interface Asked {
  model: LanguageModel;
  system: string;
  messages: readonly Message[];
  omitted?: number;
  tools: readonly { name: string; description: string; parameters: JsonObject; strict?: boolean }[];
  sampling: Sampling;
  context: readonly { description: string; value: string }[];
  state: JsonObject;
  contextTokens?: number;
}

/** Tokens kept free for an answer whose length the caller does not limit. */
const answerTokens = 8_192;

/**
 * Makes the call to a provider's model: its prompt, trimmed to its window with a mark where something is missing, its
 * tools and its settings. Throws `TurnFailedError` (`context_too_long`) when even the newest turn does not fit.
 */
export function toModelCall(asked: Asked): ModelCall {
  const { model, messages, sampling, tools } = asked;
  const provider = providerOf(model);
  const { system: instructions, entries } = readTranscript(messages);
  const system = [asked.system, ...instructions].filter((text) => text.trim() !== "").join("\n\n");
  const around = surroundings(asked.context, asked.state);
  const offered = tools.length > 0 ? tools.map(functionTool) : calledTools(entries);
  const window = asked.contextTokens ?? contextWindow(model);
  const room =
    window -
    Math.min(sampling.maxOutputTokens ?? answerTokens, Math.floor(window / 2)) -
    textTokens(system) -
    textTokens(around ?? "") -
    textTokens(JSON.stringify(offered));
  const special = providerOptions(provider, sampling, tools.length > 0);
  const kept = trimEntries(entries, room, asked.omitted ?? 0);
  return {
    prompt: toPrompt(system, withSurroundings(kept, around), provider),
    ...(offered.length === 0 ? {} : { tools: offered }),
    ...toolChoice(sampling, tools, entries),
    ...settings(sampling),
    ...(special === null ? {} : { providerOptions: special }),
  };
}

function toPrompt(system: string, entries: readonly Entry[], provider: string): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = [];
  if (system !== "") prompt.push({ role: "system", content: system });
  // Not every provider lets its own side speak first, as chat pages do when they greet.
  if (entries[0]?.role === "assistant") {
    prompt.push({ role: "user", content: [{ type: "text", text: "(The conversation begins.)" }] });
  }
  const newest = entries.findLastIndex(({ role }) => role === "user");
  for (const [index, entry] of entries.entries()) {
    if (entry.role === "user") {
      prompt.push({ role: "user", content: userParts(entry.parts) });
      continue;
    }
    const content = assistantParts(entry, provider, index > newest);
    if (content.length > 0) prompt.push({ role: "assistant", content });
    if (entry.answers.length > 0) prompt.push({ role: "tool", content: toolParts(entry.answers) });
  }
  return provider === "anthropic" ? cached(prompt) : prompt;
}

/** Anthropic caches only what it is told to: the instructions with the tools, and the conversation so far. */
function cached(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const marks = new Set([0, prompt.length - 1]);
  const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
  return prompt.map((message, index) => (marks.has(index) ? { ...message, providerOptions } : message));
}

/** Puts what the client told beside the user's newest words. */
function withSurroundings(entries: readonly Entry[], around: string | null): readonly Entry[] {
  if (around === null) return entries;
  const newest = entries.findLastIndex(({ role }) => role === "user");
  const part = { type: "text" as const, text: around };
  if (newest < 0) return [{ role: "user", parts: [part] }, ...entries];
  return entries.map((entry, index) =>
    index === newest && entry.role === "user" ? { ...entry, parts: [...entry.parts, part] } : entry,
  );
}

function functionTool({
  name,
  description,
  parameters,
  strict,
}: Asked["tools"][number]): LanguageModelV4FunctionTool {
  return {
    type: "function",
    name,
    description,
    inputSchema: parameters as JSONSchema7,
    ...(strict === undefined ? {} : { strict }),
  };
}

/** Anthropic refuses a conversation with calls and no tools, so the tools that were called are named. */
function calledTools(entries: readonly Entry[]): LanguageModelV4FunctionTool[] {
  const names = new Set(
    entries.flatMap((entry) =>
      entry.role === "assistant" ? entry.answers.map(({ call }) => call.name) : [],
    ),
  );
  return [...names].map((name) => ({
    type: "function",
    name,
    description: "No longer available.",
    inputSchema: { type: "object" },
  }));
}

/**
 * Who is forced to call a tool is forced once: after the first answer of a turn the model decides, or it would call for
 * ever. A choice of a tool that is not offered is left to the model as well.
 */
function toolChoice(
  { toolChoice: choice }: Sampling,
  tools: Asked["tools"],
  entries: readonly Entry[],
): Pick<ModelCall, "toolChoice"> {
  if (tools.length === 0)
    return entries.some((entry) => isCalling(entry)) ? { toolChoice: { type: "none" } } : {};
  if (choice === undefined) return {};
  if (choice.type === "none") return { toolChoice: { type: "none" } };
  if (entries.at(-1)?.role === "assistant") return {};
  if (choice.type !== "tool") return { toolChoice: { type: choice.type } };
  return tools.some(({ name }) => name === choice.name)
    ? { toolChoice: { type: "tool", toolName: choice.name } }
    : {};
}

function isCalling(entry: Entry): boolean {
  return entry.role === "assistant" && entry.answers.length > 0;
}

function settings(sampling: Sampling): Partial<ModelCall> {
  const { stop, responseFormat, parallelCalls: _calls, toolChoice: _choice, ...asTheyAre } = sampling;
  return {
    ...asTheyAre,
    ...(stop === undefined ? {} : { stopSequences: stop }),
    ...(responseFormat === undefined
      ? {}
      : {
          responseFormat: {
            type: "json",
            ...(responseFormat.schema === undefined ? {} : { schema: responseFormat.schema as JSONSchema7 }),
            ...(responseFormat.name === undefined ? {} : { name: responseFormat.name }),
          },
        }),
  };
}
