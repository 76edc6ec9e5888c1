import type { Clause } from "./clause.ts";
import type { Context } from "./context.ts";
import { isNoise } from "./phrases.ts";

/** The column named from a token on, past articles. */
export function fieldFrom(context: Context, clause: Clause, from: number) {
  let at = from;
  while (
    /^(?:the|their|its|a|an|our|your|of|in|by|column|total)$/.test(clause.word(at)) &&
    context.lexicon.fieldsAt(clause.tokens, at) === null
  )
    at++;
  if (clause.word(at) === "") return null;
  // "number of items" is the items, even where a column is called number.
  if (clause.word(at) === "number" && clause.word(at + 1) === "of") at += 2;
  const mention = context.lexicon.fieldsAt(clause.tokens, at);
  if (mention === null) return null;
  let end = mention.next;
  if (/^(?:column|field|columns|order)$/.test(clause.word(end))) end++;
  return { fields: mention.fields, strength: mention.strength, start: at, end };
}

/** Past words that only say "rows". */
export function skipNouns(context: Context, clause: Clause, from: number): number {
  let at = from;
  while (at < from + 4 && clause.word(at) !== "" && isNoise(clause.word(at), context.lexicon)) at++;
  return at;
}
