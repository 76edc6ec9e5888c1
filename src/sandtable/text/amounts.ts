import { type Text, type Token, tokensOf } from "./tokens.ts";

/**
 * Amounts of money a text names, in order: `$1,375`, `1375 dollars`, `1.4k`, `USD 1,400`, `sixteen hundred`, and bare
 * numbers from 100 to 99,999 that nothing marks as something else. Not ids, dates, times, telephone numbers,
 * percentages, or counts such as `450 miles`.
 */
export function amounts(text: Text): number[] {
  return tokensOf(text).flatMap((token) => (isAmount(token) ? [token.value] : []));
}

function isAmount(token: Token): token is Token & { kind: "number" } {
  if (token.kind !== "number") return false;
  return token.role === "money" || (token.role === "plain" && token.value >= 100 && token.value < 100_000);
}
