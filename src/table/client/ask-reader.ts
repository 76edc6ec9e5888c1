import type { AskUser, ToolResult } from "../protocol/messages.ts";
import { given } from "../protocol/shape.ts";
import { raced } from "./raced.ts";

/** What a reader answered: an option, words, or both. */
export interface ReaderAnswer {
  optionId?: string;
  text?: string;
}

/** Puts a question to the reader. Resolves to nothing when the reader does not answer. */
export type AskReader = (question: AskUser, signal: AbortSignal) => Promise<ReaderAnswer | undefined>;

/**
 * The reader's answer as the result the backend waits for, or why there is none. An option that was not offered is no
 * answer; words are one even beside options, and even when the backend wanted none: it is told what the reader said.
 */
export async function askReader(
  question: AskUser,
  ask: AskReader | undefined,
  signal: AbortSignal,
): Promise<ToolResult | "no-reader-channel" | "question-unanswered"> {
  if (!ask) return "no-reader-channel";
  const answer = await raced(ask(question, signal), signal);
  const text = answer?.text?.trim() || undefined;
  const chosen = question.options?.find((option) => option.id === answer?.optionId);
  if (!chosen && text === undefined) return "question-unanswered";
  return {
    id: question.id,
    result: {
      question: question.question,
      ...given("offered", question.options),
      ...given("optionId", chosen?.id),
      ...given("chose", chosen?.label),
      ...given("text", text),
    },
  };
}
