import type { Clause } from "./clause.ts";
import type { Context } from "./context.ts";
import type { Draft } from "./draft.ts";
import { writableOption } from "./edit-field.ts";
import { writeCells } from "./write-cells.ts";

/** `cancel order SO-1004`, `close T-217`, `reopen it`: the verb is the value. */
export function statusVerb(context: Context, clause: Clause, draft: Draft): boolean {
  const at = /^(?:please|then|also|now|just)$/.test(clause.word(0)) ? 1 : 0;
  const mention = clause.word(at) === "" ? null : context.lexicon.optionsAt(clause.tokens, at);
  if (mention === null || mention.next - at > 2) return false;
  const rest = clause.part(mention.next, clause.length);
  const isCommand =
    !mention.exact || /^(?:open|close|pending|cancel)$/.test(clause.word(at)) || rest.has(/it|them|those/);
  const names =
    rest.tokens.some(({ word, kind }) => kind === "word" && /\d/.test(word)) ||
    rest.has(/it|them|those|these|all|every|first (?:#|two|three|four|five|six|seven|eight|nine|ten|twenty)/);
  if (!isCommand || !names) return false;
  const fit = mention.options.filter(({ field }) => field.column?.writable);
  if (fit.length === 0) return false;
  const option = writableOption(context, mention.options, clause.raw(at, mention.next));
  writeCells(context, draft, option.field, rest, { value: option.value });
  return true;
}
