import type { Clause } from "./clause.ts";
import type { Lexicon } from "./lexicon.ts";

/** Words that were said and name nothing the contract knows: perhaps what stands in a cell. */
export interface Phrase {
  start: number;
  end: number;
  text: string;
}

/** Words that carry no wish of their own once everything else is understood. */
const noise: ReadonlySet<string> = new Set(
  (
    "a an the of in on at to for from with by as into onto per than then so too also just only please pls kindly now again still yet already really actually quickly " +
    "i me my we us our you your it its it's he she his her him they them their this that these those there here who whom whose which what where when how why " +
    "is are was were be been being am do does did doing done has have had having can could would should will shall may might must let lets get gets got give show shows showing see " +
    "want wants need needs like i'd i'll we'd we'll list lists display find filter filters filtered narrow limit keep view look looking table tables column columns field fields value values all every each any everything anything " +
    "some and or but if not yes ok okay hey hi hello thanks thank both either set put make some more order orders entry currently current right left whole entire total only people's ones that's out up down off " +
    "currently belonging belongs company team's work working works have haven't hasn't don't doesn't isn't aren't didn't wasn't weren't no nor non except excluding exclude without besides other worth " +
    "new instead care interested much many headcount having whichever someone something know tell say said about go going"
  ).split(" "),
);

/** Whether a word can be passed over. */
export function isNoise(word: string, lexicon: Lexicon): boolean {
  return word === "" || noise.has(word) || lexicon.isRowNoun(word);
}

/** Runs of words left over in a clause; `&` and small words between two of them stay inside. */
export function leftPhrases(clause: Clause, lexicon: Lexicon): Phrase[] {
  const phrases: Phrase[] = [];
  let start = -1;
  let end = -1;
  const named = namedTokens(clause, lexicon);
  const close = () => {
    if (start >= 0) phrases.push({ start, end, text: clause.raw(start, end) });
    start = -1;
  };
  for (let at = 0; at < clause.length; at++) {
    const token = clause.tokens[at];
    const glue =
      start >= 0 &&
      !clause.isTaken(at) &&
      (token?.word === "&" || token?.word === "of" || token?.word === "de");
    if (glue) continue;
    if (
      token === undefined ||
      clause.isTaken(at) ||
      token.kind === "sign" ||
      (token.kind === "word" && isNoise(token.word, lexicon)) ||
      named.has(at)
    ) {
      close();
      continue;
    }
    if (start < 0) start = at;
    end = at + 1;
    if (token.kind === "quoted" || token.possessive) close();
  }
  close();
  return phrases;
}

/** Tokens that only name a column: they are never what stands in a cell. */
function namedTokens(clause: Clause, lexicon: Lexicon): Set<number> {
  const named = new Set<number>();
  for (let at = 0; at < clause.length; at++) {
    if (clause.isTaken(at) || clause.tokens[at]?.kind !== "word") continue;
    const mention = lexicon.fieldsAt(clause.tokens, at);
    for (let next = at; mention !== null && next < mention.next; next++) named.add(next);
  }
  return named;
}

const negations: ReadonlySet<string> = new Set(
  "not no non except excluding exclude without besides isn't aren't don't doesn't never nor".split(" "),
);

/** Whether a phrase is what is meant not to be: `everyone except Ana`, `all but Ana`. It may have been taken already. */
export function isExcluded(clause: Clause, { start }: Phrase): boolean {
  for (let at = start - 1; at >= Math.max(0, start - 4); at--) {
    const word = clause.tokens[at]?.word ?? "";
    const before = clause.tokens[at - 1]?.word ?? "";
    if (
      negations.has(word) ||
      (word === "than" && before === "other") ||
      (word === "from" && before === "apart")
    )
      return true;
    if (word === "but")
      return /^(?:all|everyone|everybody|everything|anyone|anybody|every|nothing)$/.test(before);
    if (!/^(?:for|the|a|an|from|in|of|and|or|,|called|named|people|person|with)$/.test(word)) return false;
  }
  return false;
}
