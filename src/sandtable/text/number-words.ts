import { moneyWords, numberWords, scaleWords } from "./vocabulary.ts";

/**
 * An English number that starts at `words[0]`, and how many words it takes, or null.
 * Read only where it is plain that a number is meant: with hundred, thousand, grand or million
 * (`sixteen hundred`, `one thousand four hundred and fifty`), or before a word for money (`fourteen fifty dollars`).
 */
export function readNumberWords(words: readonly string[]): { value: number; length: number } | null {
  let total = 0;
  let current: number | null = null;
  let scaled = false;
  let length = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    const scale = scaleWords.get(word);
    const small = numberWords.get(word);
    if (scale !== undefined && word !== "k" && current !== null) {
      if (scale === 100) current *= 100;
      else {
        total += current * scale;
        current = 0;
      }
      scaled = true;
    } else if (small !== undefined && (current === null || fits(current, small))) {
      current = (current ?? 0) + small;
    } else if (small !== undefined && !scaled && current !== null && current < 100 && small >= 10) {
      current = current * 100 + small;
    } else if ((word === "a" || word === "and") && continues(word, words, i, scaled)) {
      if (word === "a") current = 1;
      continue;
    } else break;
    length = i + 1;
  }
  if (current === null || length === 0) return null;
  if (!scaled && !moneyWords.has(words[length] ?? "")) return null;
  return { value: total + current, length };
}

/** Whether a small number goes below what is read so far: fifty below four hundred, five below twenty. */
function fits(current: number, small: number): boolean {
  if (current % 100 === 0) return true;
  return small < 10 && current % 10 === 0 && current % 100 >= 20;
}

function continues(word: string, words: readonly string[], at: number, scaled: boolean): boolean {
  const next = words[at + 1] ?? "";
  if (word === "a") return at === 0 && scaleWords.has(next) && next !== "k";
  return scaled && numberWords.has(next);
}
