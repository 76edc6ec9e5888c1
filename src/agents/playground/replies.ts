import type { ModelErrorKind } from "../../models/model-error.ts";
import type { ScriptPart, ScriptTurn } from "../authoring/script.ts";

/** Milliseconds between the pieces of a slow answer. */
const slowPauseMs = 15;

/** Text that trips up whoever cuts strings carelessly: surrogate pairs, joined emoji, combining marks, both directions. */
export const unicodePieces = [
  "Grüße 👩‍👩‍👧‍👦",
  " — e\u0301",
  " שלום",
  " 日本語 \u{1F9D1}\u200D\u{1F680}",
  " \u2028\u0000 end",
];

const failures: readonly ModelErrorKind[] = [
  "rate_limited",
  "unavailable",
  "auth",
  "bad_request",
  "stalled",
  "malformed",
];

type Reply = (match: RegExpExecArray, turn: ScriptTurn) => readonly ScriptPart[];

/** Answers without a tool. The first that fits is given. */
const replies: readonly (readonly [RegExp, Reply])[] = [
  [
    new RegExp(String.raw`\bfail (after some text )?as (${failures.join("|")})\b`, "i"),
    ([, late, kind = ""]) => [
      ...(late ? [{ text: "This answer begins well, " }] : []),
      { fail: { kind: asFailure(kind), message: `asked to fail as ${kind}` } },
    ],
  ],
  [
    /\bthink about (.+)/i,
    ([, subject = ""]) => [
      { reasoning: `The user wants me to think about ${subject.trim()} ` },
      { reasoning: "I have thought about it." },
      { text: `I thought about ${subject.trim()}` },
    ],
  ],
  [/\bcount slowly to (\d+)/i, ([, last = "80"]) => countTo(Math.min(Number(last), 1_000), slowPauseMs)],
  [/\bcount to (\d+)/i, ([, last = "80"]) => countTo(Math.min(Number(last), 10_000), 0)],
  [/\bremember the word (\S+)/i, ([, word = ""]) => [{ text: `I will remember the word ${bare(word)}.` }]],
  [/\bwhat was the word\b/i, (_, turn) => [{ text: rememberedWord(turn) }]],
  [/\bwhat is in the state\b/i, (_, { state }) => [{ text: JSON.stringify(state) }]],
  [/\bwhat is in the note\b/i, (_, { state }) => [{ text: `The note says: ${String(state.note ?? "")}` }]],
  [/\bwhat did i send\b/i, (_, turn) => [{ text: attachments(turn) }]],
  [/\bunicode\b/i, () => [{ pieces: unicodePieces }]],
  [/\bsay nothing\b/i, () => []],
];

/** The answer to a prompt that asks for no tool; `null` when it is none of the known ones. */
export function readReply(turn: ScriptTurn): readonly ScriptPart[] | null {
  for (const [pattern, reply] of replies) {
    const match = pattern.exec(turn.user);
    if (match !== null) return reply(match, turn);
  }
  return null;
}

function asFailure(kind: string): ModelErrorKind {
  return failures.find((one) => one === kind.toLowerCase()) ?? "unavailable";
}

function countTo(last: number, pauseMs: number): ScriptPart[] {
  const pieces = Array.from({ length: last }, (_, index) => `${index + 1}${index + 1 === last ? "." : ", "}`);
  if (pauseMs === 0) return [{ pieces }];
  return pieces.flatMap((text) => [{ wait: pauseMs }, { text }]);
}

function rememberedWord({ messages }: ScriptTurn): string {
  for (const message of messages.toReversed()) {
    if (message.role !== "user") continue;
    for (const part of message.parts.toReversed()) {
      const word = part.type === "text" ? /\bremember the word (\S+)/i.exec(part.text)?.[1] : undefined;
      if (word !== undefined) return `The word was ${bare(word)}.`;
    }
  }
  return "You have not told me a word.";
}

function bare(word: string): string {
  return word.replace(/[.,!?"']+$/, "");
}

function attachments({ messages }: ScriptTurn): string {
  const newest = messages.findLast(({ role }) => role === "user");
  const media = newest?.role === "user" ? newest.parts.filter((part) => part.type === "media") : [];
  if (media.length === 0) return "You sent nothing but text.";
  return `You sent ${media.map(({ kind, mediaType }) => `${kind} (${mediaType})`).join(", ")}.`;
}
