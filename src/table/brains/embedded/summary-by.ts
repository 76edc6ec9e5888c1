import { answerQuestion } from "./answering.ts";
import type { Clause } from "./clause.ts";
import { type Context, offers, pickField } from "./context.ts";
import type { Draft } from "./draft.ts";
import type { Field } from "./field.ts";
import { groupWith, operationOf } from "./grouping.ts";
import { fieldFrom } from "./name-field.ts";
import { usable } from "./pick-field.ts";

/**
 * Understands `total by customer`, `revenue per region`: a number column, or an operation on one, for each value of
 * another. It is answered from rows; of a table too long to be read the view is grouped instead, where it can sum, since
 * the table then counts all rows. True when the clause says just that.
 */
export function takeSummaryBy(context: Context, clause: Clause, draft: Draft): boolean {
  const by = clause.find(/by|per|for each|for every/);
  if (by === null || by.start === 0) return false;
  const what = summed(context, clause, by.start);
  const named = fieldFrom(context, clause, by.end);
  if (what === null || named === null || named.start !== by.end || !isLast(clause, named.end)) return false;
  const groups = usable(named.fields, "read").filter(
    ({ kind }) => kind === "option" || kind === "text" || kind === "boolean",
  );
  if (groups.length === 0) return false;
  const group = pickField(context, groups, clause.raw(named.start, named.end));
  const { field, operation } = what;
  if (canGroup(context, operation, field) && context.rows.isBeyond([field.id, group.id])) {
    clause.take(0, clause.length);
    groupWith(context, draft, group, field, operation);
    return true;
  }
  const asked = { type: "aggregate" as const, operation, field };
  const question = { asked, group, conditions: [], phrases: [], shownOnly: false };
  draft.told.push(answerQuestion(context, question));
  return true;
}

/** The number column before `by`, and what is made of it; a sum where nothing else is said. */
function summed(context: Context, clause: Clause, end: number): { field: Field; operation: string } | null {
  const start = /^(?:the|show|give|me)$/.test(clause.word(0)) ? 1 : 0;
  const said = operationOf(clause.word(start));
  for (const at of said === null || said === "count" ? [start] : [start + 1, start]) {
    const mention = clause.word(at) === "" ? null : context.lexicon.fieldsAt(clause.tokens, at);
    const fit = mention?.fields.filter(({ kind, column }) => kind === "number" && column?.readable) ?? [];
    if (mention === null || mention.strength < 3 || mention.next !== end || fit.length === 0) continue;
    const field = pickField(context, fit, clause.raw(at, mention.next));
    return { field, operation: at === start ? "sum" : (said ?? "sum") };
  }
  return null;
}

function canGroup(context: Context, operation: string, field: Field): boolean {
  const { source, aggregations } = context.contract;
  const offered = aggregations?.columns.find(({ id }) => id === field.id)?.operations ?? [];
  return (
    source.grouping !== false &&
    offers(context, "view.setGroupBy") &&
    offers(context, "view.setAggregations") &&
    offered.some(({ id }) => operationOf(id.toLowerCase()) === operation)
  );
}

function isLast(clause: Clause, at: number): boolean {
  return clause.tokens.slice(at).every(({ kind, word }) => kind === "sign" || word === "please");
}
