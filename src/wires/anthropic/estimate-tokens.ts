import type { ClientTool, Message, Part } from "../../turn/index.ts";

/** What a model is sent, as far as it is known before it is asked. */
export interface ModelInput {
  /** Instructions of the agent itself. */
  system: string;
  messages: readonly Message[];
  tools: readonly ClientTool[];
}

/** Characters of plain English, code or JSON that make one token, by common experience. */
const asciiPerToken = 4;
/** A letter of any other script makes about one; accented Latin less, some signs more. */
const tokensPerOther = 1;
/** Role and separators of a message, name and braces of a tool. */
const tokensPerEntry = 4;
/** A picture or a page at the size providers scale them to. */
const tokensPerMedia = 1_600;

/**
 * About how many tokens a model will count as its input. No tokenizer runs: which model answers, and so which
 * vocabulary counts, is the agent's affair. Text is a token for every four ASCII characters and for every other one,
 * each message and tool adds four, a picture, a sound or a file counts 1,600 whatever its size. English prose and code
 * come out within a quarter; never less for more input.
 */
export function estimateTokens({ system, messages, tools }: ModelInput): number {
  let tokens = system === "" ? 0 : textTokens(system) + tokensPerEntry;
  for (const message of messages) tokens += tokensPerEntry + messageTokens(message);
  for (const { name, description, parameters } of tools) {
    tokens += tokensPerEntry + textTokens(name + description + JSON.stringify(parameters));
  }
  return Math.ceil(tokens);
}

function messageTokens(message: Message): number {
  switch (message.role) {
    case "system":
      return textTokens(message.text);
    case "user":
      return sum(message.parts.map(partTokens));
    case "tool":
      return textTokens(message.content) + tokensPerEntry;
    case "assistant":
      return sum(
        message.blocks.map((block) => {
          if (block.type === "call") {
            return tokensPerEntry + textTokens(block.name + JSON.stringify(block.args));
          }
          return textTokens(block.text) + (block.type === "reasoning" ? textTokens(block.redacted ?? "") : 0);
        }),
      );
  }
}

function partTokens(part: Part): number {
  return part.type === "text" ? textTokens(part.text) : tokensPerMedia;
}

function textTokens(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < 0x80) ascii += 1;
  return ascii / asciiPerToken + (text.length - ascii) * tokensPerOther;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
