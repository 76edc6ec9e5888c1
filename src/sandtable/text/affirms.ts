import { normalize } from "./normalize.ts";
import { says } from "./says.ts";

/**
 * Whether a caller's line is a yes. `words` replaces the built-in affirmatives. A line that also refuses
 * (`no`, `not yet`, `don't book it`), waits (`hold on`) or sets a condition (`yes, but only if ...`) is not a yes,
 * and neither is a question, unless it opens with a plain yes.
 */
export function affirms(text: string, words?: string[]): boolean {
  const line = idioms.reduce((rest, idiom) => rest.replace(idiom, " "), normalize(text));
  let yes = false;
  for (const sentence of line.split(/(?<=[.!?;])\s*/)) {
    if (conditions.test(sentence)) return false;
    const question = sentence.trimEnd().endsWith("?");
    const unsure = /\bif\b/.test(sentence);
    for (const clause of sentence.split(/[,.!?;:]|\s-+\s|\bbut\b|\band\b/)) {
      const said = isYes(clause.trim(), words);
      if (refusals.test(clause) || (negations.test(clause) && (said || agreed(clause)))) return false;
      if (said && !unsure && (!question || plainYes.test(clause))) yes = true;
    }
  }
  return yes;
}

function isYes(clause: string, words: string[] | undefined): boolean {
  if (words !== undefined) return words.some((word) => says(clause, word));
  return agreed(clause) || openers.test(clause);
}

function agreed(clause: string): boolean {
  return agreements.test(clause);
}

/** Turns of phrase that hold a word which means something else elsewhere. */
const idioms = [
  /\b(?:no|not a) problem\b/g,
  /\bno worries\b/g,
  /\bno doubt\b/g,
  /\bdon't worry\b/g,
  /\bcan't wait\b/g,
  /\bwhy not\b/g,
  /\bif you (?:please|don't mind|would)\b/g,
  /\bmake sure\b/g,
];

const conditions = /\b(?:only if|unless|as long as|provided(?: that)?|on (?:the )?condition|only when)\b/;

const plainYes = /^\s*(?:yes|yeah|yep|yup|sure|ok|okay)\b/;

/** Agreement wherever it stands in a clause. */
const agreements = new RegExp(
  String.raw`\b(?:yes|yeah|yep|yup|yessir|absolutely|definitely|certainly|of course|affirmative|go ahead|go for it|` +
    String.raw`book (?:it|me|that|us|the load)|lock (?:it|me) in|send (?:it|me the (?:rate ?con(?:firmation)?|paperwork))|do it|do that|` +
    String.raw`please (?:do|proceed)|proceed|let's (?:do|go|book|take)|i(?:'ll| will) take (?:it|that)|` +
    String.raw`that works|works for (?:me|us)|that'?(?:s| is) (?:fine|good|great|ok|okay|correct|right|perfect)|` +
    String.raw`sounds (?:good|great|fine|right)|i (?:accept|agree|confirm)|we (?:accept|agree|have a deal)|` +
    String.raw`accepted|confirmed|agreed|it'?s a deal|you have a deal|you'?ve got (?:it|a deal)|you got it)\b`,
);

/** Agreement only as the first word of a clause: later it is a word like any other. */
const openers = /^(?:ok|okay|sure|right|fine|great|perfect|correct|deal|good|alright|all right|confirm)\b/;

/** A no by itself. */
const refusals =
  /^\s*(?:no|nope|nah|never|not)\b|\b(?:not yet|hold (?:on|off|up)|wait|stop|cancel|never ?mind|changed my mind|no thanks|no thank you|no way|no deal|forget it|pass on)\b/;

/** Turns the agreement of its clause around. */
const negations = /\b(?:not|no|never|\w+n't|cannot|cant|dont|without)\b/;
