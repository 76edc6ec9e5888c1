import type { Clause } from "./clause.ts";
import type { TextOp } from "./condition.ts";

/** What text has to be, by the words at a token; not `sure` where those words may mean something else. */
export function textOpAt(clause: Clause, at: number): { op: TextOp; next: number; sure: boolean } | null {
  const [word, next] = [clause.word(at), clause.word(at + 1)];
  if (
    /^(?:contain|contains|containing|include|includes|including|matching|matches|like|mentioning|mentions)$/.test(
      word,
    )
  )
    return { op: "contains", next: at + 1, sure: true };
  if (/^(?:start|starts|starting|begin|begins|beginning)$/.test(word) && next === "with")
    return { op: "startsWith", next: at + 2, sure: true };
  if (/^(?:end|ends|ending)$/.test(word) && (next === "with" || next === "in"))
    return { op: "endsWith", next: at + 2, sure: true };
  if (word === "called" || word === "named") return { op: "contains", next: at + 1, sure: true };
  if (word === "exactly" || word === "=" || word === "equals") return { op: "eq", next: at + 1, sure: false };
  return word === "is" || word === ":" || word === "with"
    ? { op: "contains", next: at + 1, sure: false }
    : null;
}

/** Where a text that is looked for ends: with its quotes, else before the next connecting word. */
export function textEnd(clause: Clause, from: number): number {
  if (clause.tokens[from]?.kind === "quoted") return from + 1;
  let end = from;
  while (
    end < clause.length &&
    !clause.isTaken(end) &&
    !/^(?:,|and|or|but|;|\.|\?|!|please|pls|who|which|that)$/.test(clause.word(end))
  )
    end++;
  return end;
}
