import type { Token } from "./tokenise.ts";

/** A number that was said, and the token after it. */
export interface SaidNumber {
  value: number;
  /** It had a currency, or a `k` as sums of money do. */
  money: "certain" | "likely" | null;
  percent: boolean;
  next: number;
}

const words: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  fifty: 50,
  hundred: 100,
};
const scales: Record<string, number> = {
  thousand: 1_000,
  k: 1_000,
  grand: 1_000,
  million: 1_000_000,
  billion: 1_000_000_000,
};
const currencies: ReadonlySet<string> = new Set([
  "euro",
  "euros",
  "eur",
  "dollar",
  "dollars",
  "usd",
  "pound",
  "pounds",
  "gbp",
  "bucks",
]);

/** The number at a token: digits, `80k`, `$500`, `65 thousand`, `10 percent`, or a small one in words; null when none. */
export function numberAt(tokens: readonly Token[], at: number): SaidNumber | null {
  const token = tokens[at];
  if (token === undefined) return null;
  const own = token.number;
  let value =
    own?.value ?? (token.kind === "word" && Object.hasOwn(words, token.word) ? words[token.word] : undefined);
  if (value === undefined || own?.ordinal) return null;
  let next = at + 1;
  let likely = own?.short ?? false;
  const scale = scaleAt(tokens[next]);
  if (scale !== null && !own?.percent) {
    value *= scale;
    likely = true;
    next++;
  }
  const unit = tokens[next]?.word ?? "";
  const named = currencies.has(unit);
  const percent = (own?.percent ?? false) || unit === "percent" || unit === "pct";
  if (named || (percent && !own?.percent)) next++;
  return { value, money: own?.money || named ? "certain" : likely ? "likely" : null, percent, next };
}

function scaleAt(token: Token | undefined): number | null {
  return token?.kind === "word" && Object.hasOwn(scales, token.word) ? (scales[token.word] ?? null) : null;
}
