import {
  agreements,
  bareCondition,
  conditions,
  doubts,
  idioms,
  negations,
  openers,
  plainYes,
  puttingOff,
  refusals,
} from "./agreement.ts";
import { normalize } from "./normalize.ts";

/** Stands in a line for one of the author's words; a character that no one writes. */
const ownWord = "\ue000";

/**
 * Whether a caller's line is a yes. `words` replaces the built-in affirmatives; what they hold themselves refuses
 * nothing, so `[cancel it]` and `[no objections]` can be said. A line that also refuses (`no`, `not yet`, `don't book
 * it`), waits (`hold on`), sets a condition (`yes, but only if ...`), asks for more, doubts (`I think so`) or puts the
 * answer off (`okay, I'd have to ask my driver`) is not a yes, and neither is a question, unless it opens with a plain
 * yes. English only, as are the built-in words.
 */
export function affirms(text: string, words?: string[]): boolean {
  const line = replaceWords(normalize(text), words ?? []).replace(idioms, " ");
  if (puttingOff.test(line)) return false;
  const doubtful = doubts.test(line) || conditions.test(line);
  let yes = false;
  for (const sentence of line.split(/(?<=[.!?;])\s*/)) {
    if (bareCondition.test(sentence)) return false;
    const conditional = conditions.test(sentence);
    const question = sentence.trimEnd().endsWith("?");
    const clauses = sentence
      .split(/[,.!?;:]|\s-+\s|\bbut\b|\band\b/)
      .map((clause) => clause.trim())
      .filter((clause) => clause !== "");
    for (const [position, clause] of clauses.entries()) {
      const firm = words === undefined ? agreements.test(clause) : clause.includes(ownWord);
      const said = firm || (words === undefined && openers.test(clause));
      if (refusals.test(clause) || (said && negations.test(clause))) return false;
      if (doubts.test(clause) && (said || clause.split(" ").length <= 3)) return false;
      const answers = !question || (position === 0 && isMoreThanYes(sentence) && opensWithYes(clause));
      if (said && answers && !conditional && (firm || !doubtful)) yes = true;
    }
  }
  return yes;
}

function opensWithYes(clause: string): boolean {
  return plainYes.test(clause) || clause.startsWith(ownWord);
}

/** `Yes?` by itself only asks. */
function isMoreThanYes(sentence: string): boolean {
  return /\s/.test(sentence.trim());
}

function replaceWords(line: string, words: string[]): string {
  const longestFirst = words.map(normalize).sort((a, b) => b.length - a.length);
  return longestFirst.reduce(replaceWord, line);
}

/** As `says` finds a phrase: whole words, whatever stands between them. One without letters is taken as it is. */
function replaceWord(line: string, phrase: string): string {
  const parts = phrase.match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*/gu);
  if (parts === null) return phrase === "" ? line : line.replaceAll(phrase, ownWord);
  const words = parts.join("[^\\p{L}\\p{N}]+");
  return line.replace(new RegExp(`(?<!${letter}|${letter}')${words}(?!${letter}|'${letter})`, "gu"), ownWord);
}

/** A letter or digit, of those scripts that put spaces between words. */
const letter = "(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}])[\\p{L}\\p{N}]";
