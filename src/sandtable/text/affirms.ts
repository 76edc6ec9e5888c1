import { normalize } from "./normalize.ts";
import { says } from "./says.ts";

/**
 * Whether a caller's line is a yes. `words` replaces the built-in affirmatives. A line that also refuses
 * (`no`, `not yet`, `don't book it`), waits (`hold on`) or sets a condition (`yes, but only if ...`) is not a yes,
 * and neither is a question, unless it opens with a plain yes. English only, as are the built-in words.
 */
export function affirms(text: string, words?: string[]): boolean {
  const line = normalize(text).replace(idioms, " ");
  if (conditions.test(line)) return false;
  let yes = false;
  for (const sentence of line.split(/(?<=[.!?;])\s*/)) {
    const question = sentence.trimEnd().endsWith("?");
    const unsure = /\bif\b/.test(sentence);
    for (const clause of clausesOf(sentence, words)) {
      const said = isYes(clause, words);
      if (refusals.test(clause) || (said && negations.test(clause))) return false;
      if (said && !unsure && (!question || plainYes.test(clause))) yes = true;
    }
  }
  return yes;
}

/** The parts of a sentence that are turned around apart; a sentence whose yes spans them is one part. */
function clausesOf(sentence: string, words: string[] | undefined): string[] {
  const clauses = sentence.split(/[,.!?;:]|\s-+\s|\bbut\b|\band\b/).map((clause) => clause.trim());
  const spans =
    words !== undefined && isYes(sentence, words) && !clauses.some((clause) => isYes(clause, words));
  return spans ? [sentence.trim()] : clauses;
}

function isYes(clause: string, words: string[] | undefined): boolean {
  if (words !== undefined) return words.some((word) => says(clause, word));
  return agreements.test(clause) || openers.test(clause);
}

/** Any of these phrases as whole words. */
function anyOf(phrases: string[], where: "anywhere" | "start" = "anywhere", flags = ""): RegExp {
  return new RegExp(
    `${where === "start" ? "^" : "\\b"}(?:${phrases.join("|")})(?![\\p{L}\\p{N}'])`,
    `u${flags}`,
  );
}

/** Turns of phrase that hold a word which means something else elsewhere. */
const idioms = anyOf(
  [
    "(?:no|not a) problem",
    "no worries",
    "no doubt",
    "no,? (?:that's|that is|that will be|that'll be) (?:all|it|everything)",
    "(?:no|no other|no more|no further|don't have (?:any|other|more)) (?:questions?|changes|issues|concerns)",
    "nothing else",
    "don't worry",
    "can't wait",
    "why not",
    "make sure",
    "if you (?:please|don't mind)",
  ],
  "anywhere",
  "g",
);

const conditions = anyOf([
  "only if",
  "unless",
  "as long as",
  "provided(?: that)?",
  "on (?:the )?condition",
  "only when",
]);

const plainYes = anyOf(["yes", "yeah", "yep", "yup", "sure", "ok", "okay"], "start");

/** Agreement wherever it stands in a clause. */
const agreements = anyOf([
  "yes",
  "yeah",
  "yep",
  "yup",
  "yes sir",
  "absolutely",
  "definitely",
  "certainly",
  "of course",
  "affirmative",
  "go ahead",
  "go for it",
  "book (?:it|me|that|us|the load)",
  "lock (?:it|me) in",
  "send (?:it|me the (?:rate ?con(?:firmation)?|paperwork))",
  "do (?:it|that|so)",
  "please (?:do|proceed)",
  "proceed",
  "let's (?:do|go|book|take)",
  "(?:i'll|i will|we'll|we will) take (?:it|that)",
  "that works",
  "that will work",
  "works for (?:me|us)",
  "(?:that's|that is|it's) (?:fine|good|great|ok|okay|correct|right|perfect|a deal)",
  "sounds (?:good|great|fine|right)",
  "(?:i|we) (?:accept|agree|confirm)",
  "accepted",
  "confirmed",
  "agreed",
  "(?:we|you) have a deal",
  "you've got (?:it|a deal)",
  "you got it",
]);

/** Agreement only as the first word of a clause: later it is a word like any other. */
const openers = anyOf(
  [
    "ok",
    "okay",
    "sure",
    "right",
    "fine",
    "great",
    "perfect",
    "correct",
    "deal",
    "good",
    "alright",
    "all right",
    "confirm",
  ],
  "start",
);

/** A no by itself where a clause opens with it. */
const refusalOpeners = ["no", "nope", "nah", "never", "not", "wait"];

/** A no by itself wherever it stands. `cancel` is none: it is what a caller says yes to when cancelling. */
const refusalPhrases = [
  "not yet",
  "hold (?:on|off|up)",
  "actually,? (?:no|not|don't|cancel|stop)",
  "never ?mind",
  "changed my mind",
  "no way",
  "no deal",
  "forget it",
  "(?:i'll|i will|we'll|have to|going to|gonna) pass",
];

const refusals = new RegExp(`${anyOf(refusalOpeners, "start").source}|${anyOf(refusalPhrases).source}`, "u");

/** Turns the agreement of its clause around. */
const negations = /\b(?:not|no|never|\w+n't|cannot|cant|dont|without)\b/;
