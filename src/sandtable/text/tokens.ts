import { normalize } from "./normalize.ts";
import { readNumberWords } from "./number-words.ts";
import { labelWords, moneyWords, monthWords, scaleWords, unitWords, yearWords } from "./vocabulary.ts";

/**
 * A piece of text that matching compares. Punctuation makes no token. An `'s` is a word of its own, so that a name is
 * found in `Gulf Pipe's` too; other contractions are one word, as `can't` must not hold `can`.
 * `name`: something with digits that is no number, such as `l-1002`, `2026-10-18`, `5:30pm`, a telephone number.
 */
export type Token =
  | { kind: "word"; text: string }
  | { kind: "name"; text: string }
  | { kind: "percent"; value: number }
  | { kind: "number"; value: number; role: NumberRole };

/**
 * What a number is taken for: `money` has a currency or is written as money is; `label` names something
 * (`MC 100101`, `#4`); `date` is part of one; `count` measures something (`450 miles`); `plain` could be anything.
 */
type NumberRole = "money" | "label" | "date" | "count" | "plain";

const number = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!,?\d)|\d+(?:\.\d+)?|\.\d+`;
const meridiem = String.raw`(?:am|pm|a\.m\.|p\.m\.)(?!\p{L})`;
const moneyAfter = String.raw`(?:-| )?(?:dollars?|bucks?|usd|euros?|eur|gbp|cad)(?!\p{L})`;

/** Tried in this order at each place. */
const patterns: [RegExp, (match: RegExpExecArray) => Draft | null][] = [
  [/\d{4}-\d{2}-\d{2}(?=t\d|(?![\p{L}\p{N}-]))/uy, ([text]) => ({ kind: "name", text })],
  [
    new RegExp(
      String.raw`(?:t?\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?${meridiem}|z|[+-]\d{2}:\d{2})?|\d{1,2} ?${meridiem})(?!\p{N})`,
      "uy",
    ),
    ([text]) => ({ kind: "name", text: text.replace(/[ .]/g, "").replace(/^t/, "") }),
  ],
  [/\d{1,4}\/\d{1,2}(?:\/\d{2,4})?(?![\d/])/y, ([text]) => ({ kind: "name", text })],
  [
    /(?:\+?\d{1,2}[-. ])?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\d-])/y,
    ([text]) => ({ kind: "name", text: text.replace(/\D/g, "") }),
  ],
  [
    new RegExp(String.raw`(${number}) ?(?:%|percent(?!\p{L})|per cent(?!\p{L}))`, "uy"),
    ([, digits]) => percent(digits),
  ],
  [
    new RegExp(
      String.raw`(?:(us\$|usd ?|cad ?|eur ?|gbp ?|[$€£]) ?)(${number}) ?(k|grand|hundred|thousand|million)?(?![\p{L}\p{N}])(?:${moneyAfter})?`,
      "uy",
    ),
    ([, , digits, scale]) => numberDraft(digits, scale, "money"),
  ],
  [
    new RegExp(`(${number}) ?(k|grand|hundred|thousand|million)?${moneyAfter}`, "uy"),
    ([, digits, scale]) => numberDraft(digits, scale, "money"),
  ],
  [
    /(\d{1,3}(?:,\d{3})+(?:\.\d+)?)(?!,?\d)(?![\p{L}\p{N}])/uy,
    ([, digits]) => numberDraft(digits, undefined, "separated"),
  ],
  [
    new RegExp(String.raw`(${number}) ?(k|grand|hundred|thousand|million)(?![\p{L}\p{N}])`, "uy"),
    ([, digits, scale]) => numberDraft(digits, scale, "separated"),
  ],
  [
    /(\d+(?:\.\d+)?|\.\d+)(?![\p{L}\p{N}_]|-[\p{L}\p{N}]|\.\d)/uy,
    ([, digits]) => numberDraft(digits, undefined, /\.\d\d$/.test(digits ?? "") ? "separated" : "bare"),
  ],
  // At most nine parts: a longer chain of dashes would be gone through again from each of its parts.
  [
    /[\p{L}\p{N}]+(?:(?:[-_]|(?<=\d)\.(?=\d))[\p{L}\p{N}]+){0,8}/uy,
    ([text]) => (/\d/.test(text) ? { kind: "name", text } : null),
  ],
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/uy,
    ([text]) => ({ kind: "word", text }),
  ],
  [/[\p{L}\p{M}]+(?:'(?!s(?!\p{L}))\p{L}+)*/uy, ([text]) => ({ kind: "word", text })],
];

type Draft =
  | Exclude<Token, { kind: "number" }>
  /** How it was written: with a currency, with separators or cents or a scale, or as bare digits. */
  | { kind: "number"; value: number; written: "money" | "separated" | "bare"; hash: boolean };

/** A text, or its tokens where one text is looked at often. */
export type Text = string | readonly Token[];

export function tokensOf(text: Text): readonly Token[] {
  return typeof text === "string" ? tokenize(text) : text;
}

/** Tokens of a text, in order. Two texts that differ only in case, spacing, quotes or number format have the same. */
export function tokenize(text: string): Token[] {
  const source = normalize(text);
  const drafts: Draft[] = [];
  let at = 0;
  let hash = false;
  while (at < source.length) {
    const found = draftAt(source, at);
    if (found === null) {
      hash = source[at] === "#" || (hash && source[at] === " ");
      at +=
        source.codePointAt(at) === undefined ? 1 : String.fromCodePoint(source.codePointAt(at) ?? 0).length;
      continue;
    }
    drafts.push(found.draft.kind === "number" && hash ? { ...found.draft, hash } : found.draft);
    hash = false;
    at = found.end;
  }
  return settle(joinNumberWords(drafts));
}

function draftAt(source: string, at: number): { draft: Draft; end: number } | null {
  const quick = quickDraftAt(source, at);
  if (quick !== undefined) return quick;
  for (const [pattern, read] of patterns) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    const draft = match === null ? null : read(match);
    if (match !== null && draft !== null) return { draft, end: at + match[0].length };
  }
  return null;
}

const plainWord = /[a-z]+(?:'(?!s(?![a-z]))[a-z]+)*/y;
const currencyWords = new Set(["us", "usd", "cad", "eur", "gbp"]);

/** What most of a text is made of, without trying every pattern: plain words and spaces. Undefined: not so plain. */
function quickDraftAt(source: string, at: number): { draft: Draft; end: number } | null | undefined {
  if (source[at] === " " || source[at] === ",") return null;
  plainWord.lastIndex = at;
  const text = plainWord.exec(source)?.[0];
  if (text === undefined || currencyWords.has(text)) return undefined;
  const next = source[at + text.length] ?? " ";
  return /[\p{L}\p{M}\p{N}_-]/u.test(next)
    ? undefined
    : { draft: { kind: "word", text }, end: at + text.length };
}

function percent(digits: string | undefined): Draft | null {
  return digits === undefined ? null : { kind: "percent", value: toNumber(digits) };
}

function numberDraft(
  digits: string | undefined,
  scale: string | undefined,
  written: "money" | "separated" | "bare",
): Draft | null {
  if (digits === undefined) return null;
  const value = toNumber(digits) * (scaleWords.get(scale ?? "") ?? 1);
  return { kind: "number", value: Number(value.toPrecision(15)), written, hash: false };
}

function toNumber(digits: string): number {
  return Number(digits.replaceAll(",", ""));
}

/** Puts a number where words spell one. */
function joinNumberWords(drafts: Draft[]): Draft[] {
  const joined: Draft[] = [];
  for (let i = 0; i < drafts.length; i++) {
    const draft = drafts[i];
    if (draft === undefined) break;
    const words: string[] = [];
    for (let j = i; j < drafts.length && words.length < 16; j++) {
      const next = drafts[j];
      if (next?.kind !== "word") break;
      words.push(next.text);
    }
    const read = readNumberWords(words);
    if (read === null) {
      joined.push(draft);
      continue;
    }
    const following = words[read.length];
    if (following === "percent") joined.push({ kind: "percent", value: read.value });
    else {
      const money = following !== undefined && moneyWords.has(following);
      joined.push({ kind: "number", value: read.value, written: money ? "money" : "separated", hash: false });
      if (!money) {
        i += read.length - 1;
        continue;
      }
    }
    i += read.length;
  }
  return joined;
}

/** Decides what each number is from its neighbours. */
function settle(drafts: Draft[]): Token[] {
  const tokens: Token[] = [];
  for (const [i, draft] of drafts.entries()) {
    if (draft.kind !== "number") {
      tokens.push(draft);
      continue;
    }
    const role = roleOf(draft, tokens.at(-1), drafts[i + 1], drafts[i + 2]);
    tokens.push({ kind: "number", value: draft.value, role });
  }
  return tokens;
}

function roleOf(
  draft: Draft & { kind: "number" },
  before: Token | undefined,
  after: Draft | undefined,
  second: Draft | undefined,
): NumberRole {
  if (draft.written === "money") return "money";
  const previous = before?.kind === "word" ? before.text : "";
  const next = after?.kind === "word" ? after.text : "";
  if (draft.hash || (draft.written === "bare" && labelWords.has(previous))) return "label";
  if (unitWords.has(next)) return "count";
  const whole = Number.isInteger(draft.value) && draft.written === "bare";
  if (whole && draft.value <= 31 && (monthWords.has(previous) || isMonth(next, second))) return "date";
  const yearLike = whole && draft.value >= 1900 && draft.value < 2100;
  if (yearLike && (yearWords.has(previous) || monthWords.has(previous))) return "date";
  if (yearLike && before?.kind === "number" && before.role === "date") return "date";
  if (draft.written === "separated") return "money";
  return "plain";
}

function isMonth(next: string, second: Draft | undefined): boolean {
  if (next === "of") return second?.kind === "word" && monthWords.has(second.text);
  return monthWords.has(next);
}
