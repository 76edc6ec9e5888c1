import { bagCondition } from "./bag.ts";
import type { Clause } from "./clause.ts";
import { conditionText } from "./condition.ts";
import type { Context } from "./context.ts";
import type { Draft } from "./draft.ts";
import { listText } from "./wording.ts";

/** Answers what the view is set to: `which filters are active`, `what page am I on`, `how is it sorted`. True when asked. */
export function takeViewQuestion(context: Context, clause: Clause, draft: Draft): boolean {
  if (!clause.has(/what|which|how|are|is/) || clause.length > 10) return false;
  const { view, lexicon } = context;
  if (
    clause.has(/(?:which|what|any) filters?|filters? (?:are|is)(?: there)? (?:active|set|on|applied)/) &&
    clause.has(/active|set|on|applied|there|now|currently|have/)
  ) {
    const set = lexicon.fields
      .map((field) => bagCondition(field, view.filters ?? {}))
      .filter((one) => one !== null);
    const search = view.search === "" ? "" : ` The search is for "${view.search}".`;
    const keys = Object.keys(view.filters ?? {});
    const filters = set.length > 0 ? listText(set.map(conditionText)) : listText(keys);
    draft.told.push(keys.length === 0 ? `No filter is set.${search}` : `Filters: ${filters}.${search}`);
    return true;
  }
  if (clause.has(/(?:what|which) page/)) {
    const pages = view.pagination?.totalPages;
    draft.told.push(`This is page ${view.page}${pages === undefined ? "" : ` of ${pages}`}.`);
    return true;
  }
  if (
    clause.has(
      /how (?:is|are) (?:it|this|they|these|the (?:table|rows)|everything) (?:sorted|ordered)|what is (?:it|this) sorted by|what is the sort/,
    )
  ) {
    const field = lexicon.fields.find(({ id }) => id === view.sortBy);
    draft.told.push(
      field === undefined
        ? "It is not sorted."
        : `It is sorted by ${field.label}, ${view.sortDir === "desc" ? "descending" : "ascending"}.`,
    );
    return true;
  }
  return false;
}
