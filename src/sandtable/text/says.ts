import { normalize } from "./normalize.ts";
import { type Text, type Token, tokenize, tokensOf } from "./tokens.ts";

/**
 * Whether `phrase` occurs in `text`, whatever the case, spacing, punctuation, quotes and format of numbers:
 * `$1,375.00` says `1375`. Whole words and numbers only: `1375` is not in `13750`, nor `1002` in `L-1002`.
 * A phrase without letters or digits is looked for as it is, in a text that is not tokens; an empty one is never said.
 */
export function says(text: Text, phrase: string): boolean {
  const wanted = tokenize(phrase);
  if (wanted.length > 0) return occurs(tokensOf(text), wanted);
  const exact = normalize(phrase);
  return exact !== "" && typeof text === "string" && normalize(text).includes(exact);
}

/** Whether the tokens of a phrase occur in a row. */
function occurs(tokens: readonly Token[], wanted: readonly Token[]): boolean {
  for (let start = 0; start + wanted.length <= tokens.length; start++) {
    if (wanted.every((token, i) => same(tokens[start + i], token))) return true;
  }
  return false;
}

function same(a: Token | undefined, b: Token): boolean {
  if (a === undefined) return false;
  if (a.kind === "number" || a.kind === "percent")
    return a.kind === b.kind && "value" in b && a.value === b.value;
  return a.kind === b.kind && "text" in b && a.text === b.text;
}
