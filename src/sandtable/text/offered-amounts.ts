import { amounts } from "./amounts.ts";
import { normalize } from "./normalize.ts";

/**
 * Amounts of money a text puts forward, in order: those it names, without the ones it refuses in the same clause
 * (`I can't do $1,600`, `$1,600 is more than I can pay`), refuses just after (`$1,600? I can't do that.`) or only repeats
 * as the other side's (`I know you want $1,600`). A bound is an offer: `I can't go above $1,375` offers 1375.
 */
export function offeredAmounts(text: string): number[] {
  let offered = amounts(text);
  for (const refused of text.split("\n").flatMap(refusedAmounts)) {
    const at = offered.indexOf(refused);
    if (at >= 0) offered = offered.toSpliced(at, 1);
  }
  return offered;
}

function refusedAmounts(line: string): number[] {
  const clauses = normalize(line)
    .split(clauseEnds)
    .filter((clause) => clause.trim() !== "");
  return clauses.flatMap((clause, position) => {
    const next = clauses[position + 1] ?? "";
    if (refusesThat.test(next) && amounts(next).length === 0) return amounts(clause);
    const unbounded = clause.replace(bounds, " ");
    if (refusals.test(unbounded)) return amounts(unbounded);
    const exceeding = beyondMe.exec(clause);
    if (exceeding !== null) return amounts(clause.slice(0, exceeding.index));
    const theirs = yourFigure.exec(clause)?.[1];
    return theirs === undefined || takesThat.test(clause) || takesThat.test(next) ? [] : amounts(theirs);
  });
}

/** Between clauses; a mark inside a number ends nothing. */
const clauseEnds =
  /(?<=[.!?;:])\s+|,\s+|\s-+\s|\b(?:but|because|since|so|though|although|however)\b|\band (?=(?:i|we|it|that|my|our|the)\b|\$)/;

const cannot =
  "(?<!\\byou )\\b(?:can't|cannot|can not|couldn't|won't|will not|wouldn't|not able|unable|not going|not allowed)" +
  "\\b(?! (?:you|we|i)\\b)";
const tooMuch =
  "too (?:high|much|steep|rich)|not possible|impossible|out of the question|out of (?:my|our) (?:range|reach)|no way";

/** Refuses what its clause names. */
const refusals = new RegExp(
  `${cannot}|\\b(?:${tooMuch}|decline|refuse|turn(?:ing)? down)\\b|\\b(?:not|never) (?=\\$?\\d)`,
);

/** Says how far it goes, and so offers that: `can't go above`, `not able to do better than`. */
const bounds = new RegExp(
  `${cannot}[^$\\d]{0,60}\\b(?:above|over|past|beyond|exceed|higher|better|more|less|below|under|lower)\\b`,
);

/** What stands before is more than the speaker can do; what stands after is how much that is. */
const beyondMe =
  /\b(?:above|over|beyond|past|outside|higher than|more than)(?: of)?(?: (?:what|anything|where))?(?: (?:i|we)(?:'m|'re| can| could| have| am| are)\b| (?:my|our|the) (?:best|limit|max|maximum|budget|ceiling|cap|range|top)\b)/;

/** Refuses what was named just before. */
const refusesThat = new RegExp(
  `${cannot}(?: \\w+)? (?:do|pay|go|meet|match|make|get|stretch)(?: to)? (?:that|this|it|there|so (?:high|much))\\b(?! (?:one|load|lane|day|date|time))|` +
    `\\b(?:that|this|it)(?:'s| is| would be) (?:\\w+ )?(?:${tooMuch}|more than (?:i|we) (?:can|could|have)|(?:above|over|beyond) (?:what|my|our))|` +
    `^(?:${tooMuch})\\b`,
);

/** The other side's figure, told back to it. */
const yourFigure =
  /(?<!\b(?:do|did|would|could|if) )\byou\b[^$\d]{0,20}\b(?:want|wanted|need|needed|said|say|mentioned|quoted|asked|asking|looking)(?: for| at least| around| about| the| to (?:get|see|make))* (\$?\d[\d,.]*k?)/;

/** Takes it after all. */
const takesThat =
  /\b(?:can do (?:that|it)|that works|works for|deal|done|agreed|(?:you|you've) got it|it is|accept|take (?:that|it)|(?:fine|okay|ok) (?:by|with))\b/;
