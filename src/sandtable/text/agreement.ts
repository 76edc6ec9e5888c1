/** What agreement, doubt and refusal sound like in English, as patterns over normalized text. */

/** Any of these phrases as whole words. */
function anyOf(phrases: string[], where: "anywhere" | "start" = "anywhere", flags = ""): RegExp {
  return new RegExp(
    `${where === "start" ? "^" : "\\b"}(?:${phrases.join("|")})(?![\\p{L}\\p{N}'])`,
    `u${flags}`,
  );
}

/** Turns of phrase that hold a word which means something else elsewhere. */
export const idioms = anyOf(
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
    "might as well",
    "even if",
    "if you (?:please|don't mind)",
    "if (?:you would|you could|you will|possible)(?=[,.!?;]|$)",
    "(?:(?:let|call|text|email|tell) (?:me|us)(?: know)?,? )?(?:if|in case) (?:you need (?:any|some|more|me)|you have any|any|something)[^.!?;]*",
  ],
  "anywhere",
  "g",
);

/** What somebody who has not decided yet still has to do: ask, check, talk it over. */
const consulting = [
  "ask(?! for)",
  "check(?= (?:with|if|whether|my|that|first|and)|[,.!?;]|$)",
  "(?:talk|speak)(?! to you| soon| later)",
  "look (?:at|into) (?:it|that|this|my)",
  "hear from(?! you)",
  "discuss",
  "consult",
  "decide",
  "verify",
  "sleep on",
  "(?:run|clear) (?:it|this|that)",
  "figure (?:it|this|that|out)",
  "see (?:if|what|whether|with)",
  "get (?:my|his|her|their|the|an?)? ?(?:ok|okay|approval)",
  "confirm (?:it |that |this )?with",
].join("|");

/** Makes the whole line no yes: it sets a condition, asks for more, or puts the answer off. */
export const puttingOff = anyOf([
  "only (?:if|when)",
  "unless",
  "as long as",
  "provided(?: that)?",
  "on (?:the )?condition",
  "subject to",
  "pending",
  "assuming",
  "depend(?:s|ing)",
  "(?:i|we)(?:'d|'ll|'ve|'m|'re)?(?: (?!\\w*n't)\\w+){0,2} (?:have to|need to|got to|gotta|want to|must|should|better) " +
    `(?:first )?(?:think|${consulting})`,
  `(?:i|we)(?:'ll| will| can| could|'m going to|'re going to|'m gonna) (?:first )?(?:think|${consulting})`,
  `let (?:me|us) (?:first )?(?:${consulting}|get back|call (?:my|him|her|them|the)|double.check)`,
  "let (?:me|us) think (?:about|it|on|that|this)",
  "think (?:about (?:it|that|this)|(?:it|this|that) over)",
  "(?:call|ring|phone|text) (?:you|ya)(?: right)? back(?! (?:with (?:the|my|his|her)|(?:when|once) (?:i|he|she|we|they|it)'))",
  "(?:i'll|i will|we'll|we will|let me) call back",
  "(?:get|come|circle) back (?:to|with) you",
  "(?:once|after|until|till|before|when|as soon as) (?:i|we|he|she|they|my \\w+|our \\w+)(?:'ve| have| has)? " +
    "(?:talk|sp[eo]ak|spoke|ask|check|hear|know|agree|okay|ok|say|confirm|approve|decide|commit|sign)\\w*",
  "(?:i|we)(?:'d|'ll)?(?: still| really)? (?:need|want)(?: at least)? (?:\\$|\\d,?\\d{2}|more(?: than| money)?(?=[,.!?;]|$))[\\d,.k]*",
  "(?:make (?:it|that)|give me) (?:\\$|\\d,?\\d{2})[\\d,.k]*",
  "too (?:low|little|cheap|thin)",
  "not enough",
]);

/** Doubt about what its clause says. */
export const doubts = anyOf([
  "maybe",
  "perhaps",
  "probably",
  "possibly",
  "might",
  "could be",
  "(?:i|we) (?:think|guess|suppose|believe|don't think|don't know)",
  "not (?:\\w+ )?sure",
  "unsure",
]);

/** A condition, which reaches as far as its sentence. */
export const conditions = anyOf(["if", "whether"]);

/** A sentence that is nothing but a condition: `If my driver agrees.` */
export const bareCondition = /^(?:but |and |though |only )?(?:if|whether)\b[^,]*$/;

/** Before a question these still answer: `Yes, can you book it?` */
export const plainYes = anyOf(["yes", "yeah", "yep", "yup"], "start");

/** Agreement wherever it stands in a clause. */
export const agreements = anyOf([
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

/** Agreement only as the first word of a clause: later it is a word like any other. A doubt elsewhere outweighs it. */
export const openers = anyOf(
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

export const refusals = new RegExp(
  `${anyOf(refusalOpeners, "start").source}|${anyOf(refusalPhrases).source}`,
  "u",
);

/** Turns the agreement of its clause around. */
export const negations = /\b(?:not|no|never|\w+n't|cannot|cant|dont|without)\b/;
