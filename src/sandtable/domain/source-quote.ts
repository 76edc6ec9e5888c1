import { nearest } from "../text/nearest.ts";
import type { Holey } from "./check-shape.ts";
import { inside, type Place } from "./place.ts";
import type { Compilation } from "./references.ts";
import type { RuleSource } from "./source/rules.ts";

/**
 * Checks that a rule's quote stands in the document it names, when that document is in the folder. Case, spacing,
 * line breaks, Markdown marks and the kind of quotation marks do not count. A document elsewhere is taken as given,
 * unless its name is nearly that of one in the folder.
 */
export function checkQuote(c: Compilation, source: Holey<RuleSource>["source"], place: Place): void {
  if (source?.document === undefined) return;
  const { document, quote } = source;
  const text = c.files.get(document);
  if (text === undefined) {
    const meant = nearest(
      document.slice(0, 100),
      [...c.files.keys()].filter((file) => !file.endsWith(".yaml")),
    );
    if (meant !== undefined) c.problems.at(inside(place, "document"), `there is no file ${document}`, meant);
    return;
  }
  if (quote === undefined || text.trim() === "" || flatten(text).includes(flatten(quote))) return;
  c.problems.at(
    inside(place, "quote"),
    `the quote does not stand in ${document}`,
    closestSentence(quote, text),
  );
}

/** Text without what typesetting adds to it. */
function flatten(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/[\u201c\u201d]/g, '"')
    .replaceAll(/[\u2010-\u2015]/g, "-")
    .replaceAll(/^[ \t]*(?:[>#]+|[-*+]|\d+[.)])[ \t]+/gm, "")
    .replaceAll(/[*_`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Share of words two sentences must have in common for one to be what the other quotes. */
const similarity = 0.6;
/** Sentences of a document that are compared. */
const comparedSentences = 5000;

function closestSentence(quote: string, text: string): string | undefined {
  const wanted = wordsOf(quote);
  let best: string | undefined;
  let bestShare = similarity;
  for (const sentence of text.split(/(?<=[.!?])\s+|\n\s*\n|\n(?=\s*[-*\d])/, comparedSentences)) {
    const words = wordsOf(sentence);
    const common = [...words].filter((word) => wanted.has(word)).length;
    const share = (2 * common) / (words.size + wanted.size);
    if (share > bestShare) {
      best = sentence
        .replaceAll(/\s+/g, " ")
        .replace(/^\s*(?:[>#]+|[-*+]|\d+[.)])\s+/, "")
        .trim();
      bestShare = share;
    }
  }
  return best;
}

function wordsOf(text: string): Set<string> {
  return new Set(flatten(text).match(/[\p{L}\p{N}']+/gu) ?? []);
}
