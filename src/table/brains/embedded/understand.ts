import { takeAdd } from "./adding.ts";
import { answerQuestion } from "./answering.ts";
import type { Clause } from "./clause.ts";
import { takeColumns } from "./columns.ts";
import { negated } from "./condition.ts";
import type { Context } from "./context.ts";
import type { Draft } from "./draft.ts";
import { takeEdit } from "./editing.ts";
import { helpText } from "./examples.ts";
import { takeExport, takeSavedView, takeSearch } from "./extras.ts";
import { addFilters, resolvePhrases, takeClearing } from "./filtering.ts";
import { takeAggregates, takeGrouping } from "./grouping.ts";
import { takePaging } from "./paging.ts";
import { NotUnderstood, Refusal } from "./pause.ts";
import { isExcluded, leftPhrases } from "./phrases.ts";
import { readQuestion } from "./question.ts";
import { readConditions } from "./read-conditions.ts";
import { takeRowWish } from "./row-wishes.ts";
import { takeSort } from "./sorting.ts";
import { takeSummaryBy } from "./summary-by.ts";
import { takeViewQuestion } from "./view-questions.ts";

/**
 * Understands one wish and puts it into the draft. Throws `Pause` when more is needed first, `Refusal` when the table does
 * not permit it, `NotUnderstood` otherwise. `narrows` says that questions are to become filters.
 */
export function understand(context: Context, clause: Clause, draft: Draft, narrows: boolean): void {
  if (smallTalk(context, clause, draft) || declined(clause, draft)) return;
  if (takeExport(context, clause, draft) || takeSavedView(context, clause, draft)) return;
  const paged = takePaging(context, clause, draft);
  if (paged && isSpent(context, clause)) return;
  if (takeColumns(context, clause, draft) || takeClearing(context, clause, draft)) {
    if (!isSpent(context, clause) && draft.filters !== null) view(context, clause, draft, true);
    return;
  }
  if (takeViewQuestion(context, clause, draft)) return;
  if (!narrows) {
    if (takeSummaryBy(context, clause, draft)) return;
    const question = readQuestion(context, clause);
    if (question !== null) {
      draft.told.push(answerQuestion(context, question));
      return;
    }
  }
  if (takeSearch(context, clause, draft)) return;
  if (takeRowWish(context, clause, draft)) return;
  if (takeAdd(context, clause, draft) || takeEdit(context, clause, draft)) return;
  view(context, clause, draft, paged);
}

/** Order, groups and filters, which may all stand in one clause. */
function view(context: Context, clause: Clause, draft: Draft, understood: boolean): void {
  const grouped = takeGrouping(context, clause, draft);
  const sorted = takeSort(context, clause, draft);
  const summed =
    (draft.group !== null || Boolean(context.view.groupBy)) && takeAggregates(context, clause, draft);
  const hiding = clause.find(
    /(?:hide|exclude|filter out|leave out|omit|skip|drop|ignore|get rid of|no more(?! than))/,
  );
  const hides = hiding !== null && hiding.start <= 1;
  if (hides) clause.take(hiding.start, hiding.end);
  const conditions = readConditions(context, clause, "filter");
  const phrases = leftPhrases(clause, context.lexicon);
  // "Ana's salary is 90k" states something; whether it is to be changed or looked for nobody said.
  const owner = phrases.find(({ end }) => clause.tokens[end - 1]?.possessive);
  if (owner !== undefined && conditions.length > 0) throw new NotUnderstood(clause.raw(0, clause.length));
  const any = understood || grouped || sorted || summed;
  if (conditions.length === 0 && phrases.length === 0) {
    if (!any) throw new NotUnderstood(clause.raw(0, clause.length));
    return;
  }
  const resolved = resolvePhrases(context, phrases).map((condition, index) => {
    const phrase = phrases[index];
    return phrase !== undefined && isExcluded(clause, phrase) ? (negated(condition) ?? condition) : condition;
  });
  const all = [...conditions, ...resolved];
  const meant = hides ? all.map((condition) => negated(condition)) : all;
  const usable = meant.filter((condition) => condition !== null);
  if (usable.length < meant.length)
    throw new Refusal("This table cannot filter by what something is not there.");
  addFilters(context, draft, usable);
}

function isSpent(context: Context, clause: Clause): boolean {
  return (
    leftPhrases(clause, context.lexicon).length === 0 &&
    !clause.tokens.some(
      (token, at) =>
        token.kind === "word" &&
        !clause.isTaken(at) &&
        (context.lexicon.optionsAt(clause.tokens, at) !== null ||
          context.lexicon.fieldsAt(clause.tokens, at) !== null ||
          /^(?:sort|sorted|only|first)$/.test(token.word)),
    )
  );
}

/** `don't delete Ana`: what is not to be done is left, unless it says what is not to be shown. */
function declined(clause: Clause, draft: Draft): boolean {
  const found = clause.find(
    /(?:you )?(?:don't|do not|dont|never|no need to|must not|mustn't|shouldn't|should not|can't)/,
  );
  if (found === null || found.start > 1) return false;
  const next = clause.word(found.end);
  if (/^(?:show|want|include|need|list|see|display|sort|group|filter|care|know)$/.test(next)) return false;
  draft.told.push("All right, I leave that as it is.");
  return true;
}

function smallTalk(context: Context, clause: Clause, draft: Draft): boolean {
  const short = clause.length <= 9;
  if (
    short &&
    clause.has(
      /what (?:can|could|do) you(?: do)?|help|what (?:is|are) (?:possible|you)|how does this work|what can i (?:do|ask|say)|who are you|commands|options/,
    ) &&
    clause.length <= 8
  ) {
    draft.told.push(helpText(context));
    return true;
  }
  if (
    clause.length <= 4 &&
    clause.has(/hi|hello|hey|good morning|good afternoon|good evening|yo|greetings/)
  ) {
    draft.told.push(`Hello. ${helpText(context)}`);
    return true;
  }
  if (
    clause.length <= 6 &&
    clause.has(
      /thanks|thank you|thx|cheers|great|perfect|nice|cool|awesome|good job|well done|bye|goodbye/,
    ) &&
    leftPhrases(clause, context.lexicon).every(({ text }) =>
      /^(?:thx|cheers|great|perfect|nice|cool|awesome|good job|good|job|well done|done|bye|goodbye|lot|much|you|work)$/i.test(
        text,
      ),
    )
  ) {
    draft.told.push("You're welcome.");
    return true;
  }
  if (
    clause.length <= 4 &&
    clause.has(/never ?mind|nevermind|forget it|cancel|stop/) &&
    !clause.has(/sort|filter|filters|order|search/) &&
    leftPhrases(clause, context.lexicon).every(({ text }) =>
      /^(?:never|mind|nevermind|never mind|forget|cancel|stop)$/i.test(text),
    )
  ) {
    draft.told.push("All right, I leave it.");
    return true;
  }
  return false;
}
