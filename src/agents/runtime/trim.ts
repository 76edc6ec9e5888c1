import type { Part } from "../../turn/message.ts";
import type { Entry } from "./transcript.ts";
import { TurnFailedError } from "./turn-failed.ts";

/** Tokens a picture or document is taken for; providers scale pictures down to about this. */
const mediaTokens = 2_000;

/** What an entry costs beside its text. */
const entryTokens = 8;

/** More than the mark costs that stands where messages are missing. */
const markTokens = 32;

/** Lengths long tool results of the newest turn are cut to, one after the other, until it fits. Characters. */
const resultLimits = [100_000, 30_000, 10_000, 3_000, 1_000, 300];

/**
 * About how many tokens a text has: a third of its UTF-8 bytes, which is on the safe side for English (four bytes a
 * token) and close for scripts of three bytes a character.
 */
export function textTokens(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) bytes += code > 0x7ff ? 2 : 1;
  }
  return Math.ceil(bytes / 3);
}

/**
 * Leaves out the oldest turns until the rest fits into `room` tokens, and says so at the place: `omitted` counts older
 * messages that are missing already. Cuts in steps of a quarter of the room, so that the beginning of the prompt stays
 * the same for many turns and the provider's cache holds. When the newest turn alone does not fit, its longest tool
 * results are cut, each with a mark.
 *
 * Throws `TurnFailedError` (`context_too_long`) when that is not enough.
 */
export function trimEntries(entries: readonly Entry[], room: number, omitted: number): readonly Entry[] {
  const costs = entries.map(entryCost);
  const total = sum(costs);
  let first = 0;
  if (total + (omitted > 0 ? markTokens : 0) > room) {
    const step = Math.max(1, room / 4);
    const drop = Math.ceil((total + markTokens - room) / step) * step;
    const newest = Math.max(
      0,
      entries.findLastIndex(({ role }) => role === "user"),
    );
    for (let dropped = 0; first < newest && (dropped < drop || entries[first]?.role !== "user"); first += 1) {
      dropped += costs[first] ?? 0;
    }
  }
  const left = omitted + first;
  const whole: readonly Entry[] = left === 0 ? entries : marked(entries.slice(first), left);
  let cost = sum(whole.map(entryCost));
  if (cost <= room) return whole;
  for (const limit of resultLimits) {
    const kept = whole.map((entry) => withShortResults(entry, limit));
    cost = sum(kept.map(entryCost));
    if (cost <= room) return kept;
  }
  throw new TurnFailedError(
    "context_too_long",
    `The conversation is too long for the model: about ${cost} tokens, and there is room for ${Math.max(0, Math.floor(room))}.`,
  );
}

function marked(entries: readonly Entry[], left: number): Entry[] {
  const text = `[${left} earlier message${left === 1 ? "" : "s"} of this conversation left out]`;
  const mark: Part = { type: "text", text };
  const [head, ...rest] = entries;
  if (head?.role === "user") return [{ ...head, parts: [mark, ...head.parts] }, ...rest];
  return [{ role: "user", parts: [mark] }, ...entries];
}

function withShortResults(entry: Entry, limit: number): Entry {
  if (entry.role === "user") return entry;
  return {
    ...entry,
    answers: entry.answers.map((answer) => ({ ...answer, content: shortened(answer.content, limit) })),
  };
}

/** Keeps the beginning and the end, where results say most. */
function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters left out]\n${text.slice(-half)}`;
}

function entryCost(entry: Entry): number {
  let tokens = entryTokens;
  if (entry.role === "user") {
    for (const part of entry.parts) tokens += part.type === "text" ? textTokens(part.text) : mediaTokens;
    return tokens;
  }
  for (const block of entry.blocks) {
    if (block.type === "call")
      tokens += textTokens(block.name) + textTokens(JSON.stringify(block.args)) + entryTokens;
    else if (block.type === "text") tokens += textTokens(block.text);
    else tokens += textTokens(block.text) + textTokens(block.signature ?? block.redacted ?? "");
  }
  for (const { content } of entry.answers) tokens += textTokens(content) + entryTokens;
  return tokens;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
