import { normalize } from "./normalize.ts";
import { says } from "./says.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A text read once, in which many secrets are looked for. */
export interface Searched {
  tokens: readonly Token[];
  text: string;
  /** Letters and digits of the text without what stands between them. */
  joined: string;
  /** Where in `joined` an unbroken run of letters and digits starts, and behind which one ends. */
  starts: ReadonlySet<number>;
  ends: ReadonlySet<number>;
}

/** Shorter texts are looked for word by word only: `b5` would be found in `plan B, 5 loads`. */
const shortestJoined = 5;
/** A number as long as this is told by its digits alone, also behind a country code. */
const shortestDigits = 7;

export function readForSecrets(text: string): Searched {
  const starts = new Set<number>();
  const ends = new Set<number>();
  let joined = "";
  for (const [run] of normalize(text).matchAll(lettersAndDigits)) {
    starts.add(joined.length);
    joined += run;
    ends.add(joined.length);
  }
  return { tokens: tokenize(text), text, joined, starts, ends };
}

/**
 * Whether a text gives a secret text away. Wider than `says`, as whoever hears it understands it all the same: words
 * run together (`gulfpipesupply.com`), a plural, other separators (`L1002`, `512.555.0142`), a country code. Still
 * whole words: `Gulf Pipes` does not give away `Gulf Pipe Supply`, nor `Smithson` Smith.
 */
export function givesAway(searched: Searched, secret: string): boolean {
  const wanted = (normalize(secret).match(lettersAndDigits) ?? []).join("");
  if (says(wanted === "" ? searched.text : searched.tokens, secret)) return true;
  const digits = /^\p{N}+$/u.test(wanted);
  if (wanted.length < (digits ? shortestDigits : shortestJoined)) return false;
  const { joined, starts, ends } = searched;
  for (let at = joined.indexOf(wanted); at >= 0; at = joined.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (digits) return true;
    if (starts.has(at) && (ends.has(end) || (joined[end] === "s" && ends.has(end + 1)))) return true;
  }
  return false;
}

const lettersAndDigits = /[\p{L}\p{M}\p{N}]+/gu;
