import type { JsonObject } from "../../../turn/json.ts";
import { bagCondition, bagEntry, ownEntries } from "./bag.ts";
import type { Clause } from "./clause.ts";
import { type Condition, conditionText } from "./condition.ts";
import { type Context, demand, offers, pickField } from "./context.ts";
import type { Draft } from "./draft.ts";
import type { Field } from "./field.ts";
import { fieldFrom } from "./name-field.ts";
import { ownValue } from "./own-value.ts";
import { NotUnderstood, Refusal } from "./pause.ts";
import type { Phrase } from "./phrases.ts";
import { cellSays, textFields } from "./row-names.ts";
import { listText } from "./wording.ts";
import { fold, stemOf } from "./words.ts";

/** Puts conditions into the plan beside the filters that are set; one of the same column replaces it. */
export function addFilters(context: Context, draft: Draft, conditions: readonly Condition[]): void {
  if (conditions.length === 0) return;
  demand(context, "view.setFilters", "set filters");
  const seen = new Map<Field, Condition>();
  for (const condition of conditions) {
    const other = seen.get(condition.field);
    if (other !== undefined)
      throw new Refusal(
        `${condition.field.label} can only have one filter at a time: "${conditionText(other)}" and "${conditionText(condition)}" do not go together.`,
      );
    seen.set(condition.field, condition);
  }
  let bag = filtersNow(context, draft);
  const notes: string[] = [];
  for (const condition of seen.values()) {
    const written = bagEntry(condition);
    if ("fault" in written) throw new Refusal(written.fault);
    bag = { ...without(bag, condition.field), ...written.entry };
    if (written.note !== undefined) notes.push(written.note);
  }
  draft.filters = bag;
  const note = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  draft.doing.push(`showing rows where ${listText([...seen.values()].map(conditionText))}${note}`);
  const kept = keptText(context, bag, [...seen.keys()]);
  if (kept !== null) draft.told.push(`The filters before stay: ${kept}.`);
}

function keptText({ lexicon }: Context, bag: JsonObject, changed: readonly Field[]): string | null {
  const kept = lexicon.fields
    .flatMap((field) => (changed.includes(field) ? [] : [bagCondition(field, bag)]))
    .filter((condition) => condition !== null);
  return kept.length === 0 ? null : listText(kept.map(conditionText));
}

function filtersNow({ view }: Context, draft: Draft): JsonObject {
  return draft.filters ?? view.filters ?? {};
}

function without(bag: JsonObject, { filter }: Field): JsonObject {
  if (filter === undefined) return bag;
  const own = ownEntries(filter, bag);
  return Object.fromEntries(Object.entries(bag).filter(([key]) => !Object.hasOwn(own, key)));
}

/** Conditions for words that no name fits: the text column in which rows have them, found by reading rows. */
export function resolvePhrases(context: Context, phrases: readonly Phrase[]): Condition[] {
  if (phrases.length === 0) return [];
  const fields = textFields(context).filter(
    ({ filter, options }) => filter !== undefined && (options.length === 0 || filter.optionsOmitted),
  );
  if (fields.length === 0) throw new NotUnderstood(phrases[0]?.text ?? "");
  const { rows } = context.rows.read(textFields(context).map(({ id }) => id));
  return phrases.map(({ text }) => {
    const fit = fields.filter(({ id }) => rows.some((row) => cellSays(ownValue(row.cells, id), text)));
    const [first] = fit;
    if (first === undefined) throw new NotUnderstood(text);
    const field = pickField(context, fit, text);
    const cells = rows.map((row) => ownValue(row.cells, field.id)).filter((cell) => cellSays(cell, text));
    if (field.kind !== "text") return { field, test: { type: "options", values: [...new Set(cells)] } };
    return { field, test: { type: "text", op: "contains", value: spelled(cells.map(String), text) } };
  });
}

/** A text as cells have it: `engineers` is looked for as `engineer`. */
function spelled(cells: readonly string[], text: string): string {
  if (cells.every((cell) => fold(cell).includes(fold(text)))) return text;
  const singular = text.replace(/(?<=\p{L}{2})(?:es|s)$/u, "");
  if (cells.every((cell) => fold(cell).includes(fold(singular)))) return singular;
  const stem = stemOf(fold(text));
  return cells.every((cell) => fold(cell).includes(stem)) ? stem : text;
}

/** Understands taking filters, the search, the sort or the grouping off. True when there was such a wish. */
export function takeClearing(context: Context, clause: Clause, draft: Draft): boolean {
  const whole = clause.find(
    /(?:(?:reset|clear|remove|undo|drop)(?: the| this| my)?(?: everything| all| view| table| it all| all of it| it)?|start (?:over|fresh|again|from scratch)|(?:show|see)(?: me)? (?:everything|everyone|everybody|all|it all)(?: of)?(?: the)?(?: rows| records| people| orders| tickets| entries)?)(?: again| please| now| instead)*/,
  );
  if (whole !== null && whole.start === 0 && whole.end >= clause.length - endSigns(clause)) {
    const shows = /^(?:show|see)$/.test(clause.word(0));
    clause.take(0, clause.length);
    if (shows && !hasFilters(context, draft)) return finishShowAll(draft);
    clearAll(context, draft, shows);
    return true;
  }
  const verb = clause.find(
    /(?:clear|remove|drop|reset|forget|delete|cancel|discard|lose|kill|turn off|switch off|take off|take|get rid of|no more|without|disable|undo)(?: any| all| every)?(?: of)?(?: the| my| those| these| this| that)?/,
  );
  return verb !== null && clearNamed(context, clause, draft, verb);
}

function endSigns(clause: Clause): number {
  return clause.tokens.at(-1)?.kind === "sign" ? 1 : 0;
}

function finishShowAll(draft: Draft): boolean {
  draft.told.push("Nothing is filtered: all rows are shown.");
  return true;
}

function hasFilters(context: Context, draft: Draft): boolean {
  return Object.keys(filtersNow(context, draft)).length > 0 || context.view.search !== "";
}

function clearNamed(
  context: Context,
  clause: Clause,
  draft: Draft,
  verb: { start: number; end: number },
): boolean {
  const filters = clause.find(/filters?|filtering/);
  const search = clause.find(/search(?:ing)?|query/);
  const sort = clause.find(/sort(?:ing)?|ordering|sort order/);
  const group = clause.find(/group(?:ing|s)?/);
  if (filters === null && search === null && sort === null && group === null) return false;
  if (filters !== null) clearFilters(context, clause, draft, verb.end, filters);
  if (search !== null) {
    demand(context, "view.setSearch", "search");
    draft.search = "";
    draft.doing.push("clearing the search");
  }
  if (sort !== null) {
    demand(context, "view.setSort", "change the order");
    draft.sort = "none";
    draft.doing.push("taking the sort off");
  }
  if (group !== null) {
    demand(context, "view.setGroupBy", "group the rows");
    draft.group = { key: null };
    draft.doing.push("taking the grouping off");
  }
  for (const found of [filters, search, sort, group]) if (found !== null) clause.take(found.start, found.end);
  clause.take(verb.start, verb.end);
  return true;
}

function clearFilters(
  context: Context,
  clause: Clause,
  draft: Draft,
  from: number,
  filters: { start: number; end: number },
): void {
  demand(context, "view.setFilters", "set filters");
  let bag = filtersNow(context, draft);
  const gone: string[] = [];
  for (let at = from; at < clause.length; ) {
    const named = at === filters.start ? null : fieldFrom(context, clause, at);
    const fields = named?.fields.filter(({ filter }) => filter !== undefined) ?? [];
    if (named === null || fields.length === 0) {
      at++;
      continue;
    }
    const field = pickField(context, fields, clause.raw(named.start, named.end));
    bag = without(bag, field);
    gone.push(field.label);
    clause.take(named.start, named.end);
    at = named.end;
  }
  draft.filters = gone.length === 0 ? {} : bag;
  draft.doing.push(
    gone.length === 0 ? "taking all filters off" : `taking the filter of ${listText(gone)} off`,
  );
}

function clearAll(context: Context, draft: Draft, filtersOnly: boolean): void {
  const { view } = context;
  const done: string[] = [];
  if (
    offers(context, "view.setFilters") &&
    (filtersOnly || Object.keys(filtersNow(context, draft)).length > 0)
  ) {
    draft.filters = {};
    done.push("all filters");
  }
  if (offers(context, "view.setSearch") && view.search !== "") {
    draft.search = "";
    done.push("the search");
  }
  if (!filtersOnly && offers(context, "view.setSort") && view.sortBy) {
    draft.sort = "none";
    done.push("the sort");
  }
  if (!filtersOnly && offers(context, "view.setGroupBy") && view.groupBy) {
    draft.group = { key: null };
    done.push("the grouping");
  }
  if (done.length === 0)
    draft.told.push("There is nothing to take off: no filter, search, sort or grouping is set.");
  else draft.doing.push(`taking ${listText(done)} off`);
}
