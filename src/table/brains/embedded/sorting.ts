import type { Clause } from "./clause.ts";
import { type Context, demand, pickField } from "./context.ts";
import type { Draft } from "./draft.ts";
import { type Field, labelOf } from "./field.ts";
import { fieldFrom } from "./name-field.ts";
import { numberAt } from "./numbers.ts";
import { NotUnderstood, Refusal } from "./pause.ts";
import { usable } from "./pick-field.ts";
import { type Dir, rankOf, superlativeAt, superlativeWord } from "./superlatives.ts";

const down =
  /descending|desc|decreasing|downwards|high to low|highest to lowest|largest to smallest|newest to oldest|z to a|z-a|backwards|reverse|reversed/;
const up =
  /ascending|asc|increasing|upwards|low to high|lowest to highest|smallest to largest|oldest to newest|a to z|a-z|alphabetical|alphabetically/;

/** Understands every wish about order in a clause, and takes it. True when there was one. */
export function takeSort(context: Context, clause: Clause, draft: Draft): boolean {
  if (
    clause.pull(
      /(?:stop|no|clear|remove|drop|undo|reset|without|forget) (?:the )?(?:sort|sorting|ordering|sort order|order)(?: please)?|unsort|unsorted|(?:not|don't) sort(?:ed)?(?: it| anymore)?/,
    ) !== null
  ) {
    demand(context, "view.setSort", "change the order");
    draft.sort = "none";
    draft.doing.push("taking the sort off");
    return true;
  }
  if (
    clause.pull(
      /(?:reverse|flip|invert|switch|swap)(?: around)?(?: the| this| that)? (?:sort|order|sorting|ordering|direction|sort order|it)/,
    ) !== null
  )
    return reverse(context, draft);
  const top = topN(context, clause, draft);
  if (top) return true;
  const asked = sortBy(context, clause);
  const ranked = asked === null ? rankedFirst(context, clause) : null;
  const sort = asked ?? ranked;
  if (sort === null) return false;
  setSort(context, draft, sort.field, sort.dir);
  return true;
}

/** Puts a sort into the plan, or refuses a column that cannot be sorted. */
function setSort(context: Context, draft: Draft, field: Field, dir: Dir): void {
  demand(context, "view.setSort", "change the order");
  usable([field], "sort");
  draft.sort = { key: field.id, dir };
  draft.doing.push(`sorting by ${field.label}, ${dirText(field, dir)}`);
}

function dirText({ kind }: Field, dir: Dir): string {
  if (kind === "number") return dir === "asc" ? "lowest first" : "highest first";
  if (kind === "date") return dir === "asc" ? "oldest first" : "newest first";
  return dir === "asc" ? "from A to Z" : "from Z to A";
}

function reverse(context: Context, draft: Draft): boolean {
  const { sortBy: key, sortDir } = context.view;
  const field = context.lexicon.fields.find(({ id }) => id === key);
  if (field === undefined) throw new Refusal("The table is not sorted, so there is no order to reverse.");
  setSort(context, draft, field, sortDir === "desc" ? "asc" : "desc");
  return true;
}

/** `sort by salary descending`, `alphabetical by location`, `order them by name z-a`, `sort salary high to low`. */
function sortBy(context: Context, clause: Clause): { field: Field; dir: Dir } | null {
  const found =
    clause.find(/(?:re)?(?:sort|order|arrange|rank)(?:ed|ing)?(?: [^ ]+){0,4}? (?:by|on|according to)/) ??
    clause.find(/alphabetical(?:ly)?(?: order)?(?: by| on)?/) ??
    clause.find(/sort(?:ed|ing)?(?: the)?/);
  if (found === null) return columnThenDir(context, clause);
  const alphabetical = /^alphabetical/.test(clause.word(found.start));
  const named = fieldFrom(context, clause, found.end);
  if (named === null && alphabetical) return title(context, clause, found.start, found.end);
  if (named === null) return rankedAfter(context, clause, found);
  const field = pickField(context, usable(named.fields, "sort"), clause.raw(named.start, named.end));
  // Before the rest is taken: "sort descending by salary" has it in between.
  const dir = takeDir(clause, field) ?? "asc";
  clause.take(found.start, named.end);
  skipSecond(context, clause, named.end);
  return { field, dir };
}

/** `salary desc`, `total high to low`. */
function columnThenDir(context: Context, clause: Clause): { field: Field; dir: Dir } | null {
  const found = clause.find(new RegExp(`${down.source}|${up.source}`));
  if (found === null) return null;
  for (let at = Math.max(0, found.start - 4); at < found.start; at++) {
    const mention = clause.word(at) === "" ? null : context.lexicon.fieldsAt(clause.tokens, at);
    if (mention === null || mention.strength === 1 || mention.next !== found.start) continue;
    const field = pickField(context, usable(mention.fields, "sort"), clause.raw(at, mention.next));
    clause.take(at, mention.next);
    return { field, dir: takeDir(clause, field) ?? "asc" };
  }
  return null;
}

/** `sort by the most recent` names no column but says what comes first. */
function rankedAfter(
  context: Context,
  clause: Clause,
  found: { start: number; end: number },
): { field: Field; dir: Dir } | null {
  const ranked = superlativeAt(context, clause, found.end) ?? superlativeAt(context, clause, found.end + 1);
  if (ranked !== null) {
    clause.take(found.start, ranked.end);
    clause.pull(/first|on top|at the top/);
    return ranked;
  }
  const words: string[] = [];
  for (
    let at = found.end;
    at < clause.length &&
    words.length < 4 &&
    /^[\p{L}\p{N}'-]+$/u.test(clause.word(at)) &&
    !/^(?:and|then|please)$/.test(clause.word(at));
    at++
  )
    words.push(clause.tokens[at]?.raw ?? "");
  if (
    words.every(
      (word) =>
        /^(?:the|it|them|this|that|these|those|all|table|list|view|everything|please)$/i.test(word) ||
        context.lexicon.isRowNoun(word.toLowerCase()),
    )
  )
    return askedColumn(context, clause, found);
  throw new Refusal(`I cannot sort by ${JSON.stringify(words.join(" "))}: this table has no such column.`);
}

/** `sort it` says no column, so the reader is asked for one. */
function askedColumn(
  context: Context,
  clause: Clause,
  found: { start: number; end: number },
): { field: Field; dir: Dir } {
  demand(context, "view.setSort", "change the order");
  const fields = context.lexicon.fields.filter(({ column }) => column?.sortable);
  if (fields.length === 0) throw new Refusal("This table has no column to sort by.");
  const choices = fields.map((field) => ({ id: field.id, label: labelOf(field, context.lexicon.fields) }));
  const { id } = context.answers.choose("By which column shall I sort?", choices);
  const field = fields.find((one) => one.id === id);
  if (field === undefined) throw new NotUnderstood("by which column to sort", true);
  const dir = takeDir(clause, field) ?? "asc";
  clause.take(found.start, clause.length);
  return { field, dir };
}

function title(
  context: Context,
  clause: Clause,
  start: number,
  end: number,
): { field: Field; dir: Dir } | null {
  const { title: field } = context.lexicon;
  if (field === undefined) return null;
  clause.take(start, end);
  return { field, dir: "asc" };
}

/** A second column after `then`: one is all a table sorts by. */
function skipSecond(context: Context, clause: Clause, at: number): void {
  const then = /^(?:then|and|,)$/.test(clause.word(at));
  if (!then) return;
  let next = at + 1;
  while (/^(?:then|by|on)$/.test(clause.word(next))) next++;
  const second = fieldFrom(context, clause, next);
  if (second === null || clause.length > second.end + 2) return;
  clause.take(at, second.end);
}

/** `highest salary first`, `newest first`, `longest-serving people at the top`, `most urgent first`. */
function rankedFirst(context: Context, clause: Clause): { field: Field; dir: Dir } | null {
  const end = clause.find(
    /first|(?:on|at|to)(?: the)? (?:very )?(?:top|front|beginning|start)|up top|last|(?:at|to)(?: the)? (?:bottom|end)/,
  );
  if (end === null) return null;
  for (let at = Math.max(0, end.start - 8); at < end.start; at++) {
    const found = superlativeAt(context, clause, at);
    if (found === null || found.end > end.start) continue;
    const last =
      /^(?:last|at|to)$/.test(clause.word(end.start)) &&
      clause.raw(end.start, end.end).match(/last|bottom|end/i) !== null;
    clause.take(found.start, end.end);
    return { field: found.field, dir: last ? (found.dir === "asc" ? "desc" : "asc") : found.dir };
  }
  return null;
}

/** `top 5 earners`, `the 10 most expensive orders`: an order and a page size. */
function topN(context: Context, clause: Clause, draft: Draft): boolean {
  const found =
    clause.find(
      /(?:top|bottom|first|(?:highest|biggest|largest|lowest|smallest|newest|latest|oldest|cheapest)) (?:#|three|five|ten|twenty)/,
    ) ??
    clause.find(
      /(?:#|three|five|ten|twenty) (?:most (?:recent|expensive)|highest|biggest|largest|lowest|smallest|newest|latest|oldest|cheapest)/,
    );
  if (found === null) return false;
  const count = numberAt(clause.tokens, found.start) ?? numberAt(clause.tokens, found.start + 1);
  const first = clause.word(found.start);
  if (count === null || !Number.isInteger(count.value) || count.value < 1) return false;
  const ranked = first === "first" ? null : rankOf(context, clause, found.start, found.end);
  if (ranked === null) return false;
  clause.take(found.start, Math.max(found.end, ranked.end));
  setSort(context, draft, ranked.field, ranked.dir);
  const sizes = context.view.pagination?.pageSizeOptions;
  if (
    sizes?.includes(count.value) &&
    context.view.limit !== count.value &&
    count.value <= context.contract.limits.pageMax
  )
    draft.limit = count.value;
  else if (context.view.page !== 1) draft.page = 1;
  draft.told.push(`The first ${count.value} rows are the ones.`);
  return true;
}

/** A direction said anywhere in the clause. */
function takeDir(clause: Clause, field: Field): Dir | null {
  if (clause.pull(new RegExp(`(?:in )?(?:${down.source})(?: order)?`)) !== null) return "desc";
  if (clause.pull(new RegExp(`(?:in )?(?:${up.source})(?: order)?`)) !== null) return "asc";
  const word = clause.pull(
    /(?:the )?(?:most )?(highest|biggest|largest|greatest|most|newest|latest|recent|lowest|smallest|least|oldest|earliest|soonest|longest|cheapest)(?: ones?| values?)?(?: first| on top| at the top)/,
  )?.groups[0];
  if (word === undefined) return null;
  const { dir = "asc" } = superlativeWord(word) ?? {};
  return word === "longest" && field.kind === "number" ? "desc" : dir;
}
