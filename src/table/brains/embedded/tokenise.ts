import { fold, stemOf } from "./words.ts";

/** A word, a number, a quoted text or a sign of a message, with where it stands in it. */
export interface Token {
  kind: "word" | "number" | "quoted" | "sign";
  /** Folded; of a quoted text, what stands between the quotes, as it was written. */
  word: string;
  stem: string;
  /** As it was written, without a possessive's ending. */
  raw: string;
  start: number;
  end: number;
  /** It ended in `'s`: what follows belongs to it. */
  possessive: boolean;
  number?: { value: number; money: boolean; percent: boolean; short: boolean; ordinal: boolean };
}

/** Longest message that is read, characters, and most tokens. */
export const maxMessageChars = 2_000;
const maxTokens = 400;

const pattern =
  /"([^"]{0,500})"|“([^”]{0,500})”|(?<![\p{L}\p{N}])['‘]([^'’]{1,200})['’](?![\p{L}\p{N}])|(\d{4}-\d{2}-\d{2})(?!\d)|([$€£]?)(\d+(?:,\d{3})*(?:\.\d+)?)(?:\s?([%€])|(k|m|bn|st|nd|rd|th))?(?![\p{L}\p{N}]|-[\p{L}\p{N}])|([\p{L}\p{N}_]+(?:['’-][\p{L}\p{N}_]+)*)|(>=|<=|!=|==|[<>=,;.!?&:()+])/giu;

const scales: Record<string, number> = { k: 1_000, m: 1_000_000, bn: 1_000_000_000 };
const contracted: ReadonlySet<string> = new Set([
  "what's",
  "who's",
  "that's",
  "it's",
  "there's",
  "how's",
  "when's",
  "where's",
  "let's",
]);

/** The tokens of a message, in one pass over at most `maxMessageChars` of it. */
export function tokenise(message: string): Token[] {
  const tokens: Token[] = [];
  for (const match of message.slice(0, maxMessageChars).matchAll(pattern)) {
    if (tokens.length >= maxTokens) break;
    const [whole, double, curly, single, date, sign, digits, mark, suffix, word, symbol] = match;
    const start = match.index;
    const quoted = double ?? curly ?? single;
    if (quoted !== undefined) tokens.push(token("quoted", quoted, quoted, start, start + whole.length));
    else if (date !== undefined) tokens.push(token("word", date, date, start, start + date.length));
    else if (digits !== undefined)
      tokens.push(numberToken(whole, digits, start, `${sign ?? ""}${mark ?? ""}`, fold(suffix ?? "")));
    else if (word !== undefined) tokens.push(...wordTokens(word, start));
    else if (symbol !== undefined) tokens.push(token("sign", symbol, symbol, start, start + symbol.length));
  }
  return tokens;
}

function token(kind: Token["kind"], word: string, raw: string, start: number, end: number): Token {
  return { kind, word, stem: kind === "word" ? stemOf(word) : word, raw, start, end, possessive: false };
}

function numberToken(raw: string, digits: string, start: number, marks: string, suffix: string): Token {
  const value = Number(digits.replace(/,/g, "")) * (scales[suffix] ?? 1);
  return {
    ...token("number", fold(raw), raw, start, start + raw.length),
    number: {
      value: Number(value.toPrecision(15)),
      money: /[$€£]/.test(marks),
      percent: marks.includes("%"),
      short: suffix in scales,
      ordinal: /^(?:st|nd|rd|th)$/.test(suffix),
    },
  };
}

/** `Ana's` is a word that owns, `what's` two words, `longest-serving` and `start_date` too; `SO-1010` and `a-z` stay whole. */
function wordTokens(raw: string, start: number): Token[] {
  const word = fold(raw);
  const end = start + raw.length;
  if (contracted.has(word)) {
    const first = word.slice(0, -2);
    return [token("word", first, raw.slice(0, -2), start, end - 2), token("word", "is", "is", end - 2, end)];
  }
  if (word.endsWith("'s"))
    return [{ ...token("word", word.slice(0, -2), raw.slice(0, -2), start, end), possessive: true }];
  const parts = [...raw.matchAll(/[^_-]+/g)];
  const whole = !raw.includes("_") && parts.some(([part]) => part.length < 2 || /\d/.test(part));
  if (parts.length === 0 || whole) return [token("word", word, raw, start, end)];
  return parts.map(({ 0: part, index }) => {
    const at = start + index;
    return token("word", fold(part), part, at, at + part.length);
  });
}
