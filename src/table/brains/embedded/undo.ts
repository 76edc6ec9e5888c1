import type { TableView } from "../../protocol/contract.ts";
import type { ConversationLine } from "../../protocol/messages.ts";
import type { Clause } from "./clause.ts";
import { type Context, demand } from "./context.ts";
import type { Draft } from "./draft.ts";
import { Refusal } from "./pause.ts";

/** What a sentence would plan for a view, with no rows read; null when it needs rows or the reader. */
export type Replay = (message: string, view: TableView) => Draft | null;

/** Sentences of the conversation that are gone through again, at most. */
const maxLines = 20;
const undoing =
  /(?:please )?(?:undo|revert|roll back|take (?:that|it|this) back|go back|put (?:it|that|things) back|change (?:it|that) back|(?:restore|go back to) the (?:previous|old|last) (?:view|state|one))(?: (?:that|it|this|the last (?:change|one|step|thing)|my last (?:change|request)|last|again|to (?:how|what|the way) (?:it|things|that) (?:was|were|looked)|to before|one step|the change|please|before|everything you did))*/;

/** Whether a clause wishes the last thing undone. */
export function isUndo(clause: Clause): boolean {
  const found = clause.find(undoing);
  return (
    found !== null &&
    found.start === 0 &&
    found.end >= clause.length - 1 &&
    !clause.has(/filters?|sort|search|grouping/)
  );
}

type Aspect = "filters" | "search" | "sort" | "group" | "limit";

/**
 * Takes back what the reader's last sentence did to the view. The conversation is gone through again from an untouched
 * view, so that each aspect the sentence changed gets the value that the sentences before had given it. Refuses where
 * that cannot be known: writes, and changes that were not asked for here.
 */
export function takeUndo(
  context: Context,
  conversation: readonly ConversationLine[],
  replay: Replay,
  isUndoing: (message: string) => boolean,
  draft: Draft,
): void {
  const said = conversation
    .filter(({ role }) => role === "user")
    .slice(-maxLines)
    .map(({ text }) => text);
  const { view } = context;
  const past: { before: TableView; message: string; draft: Draft | null }[] = [];
  for (const message of said) {
    if (isUndoing(message)) past.pop();
    else {
      const before = past.at(-1);
      const now = before === undefined ? untouched(view) : after(before.before, before.draft);
      past.push({ before: now, message, draft: replay(message, now) });
    }
  }
  const last = past.at(-1);
  if (last === undefined)
    throw new Refusal(
      'I cannot tell what to undo: nothing was asked for here before. You can say "clear the filters" or "stop sorting".',
    );
  if (last.draft !== null && last.draft.edits.length + last.draft.last.length > 0)
    throw new Refusal("I cannot undo changes to rows or files; I only take back changes of the view.");
  const aspects = last.draft === null ? differing(last.before, view) : touched(last.draft);
  if (aspects.length === 0) throw new Refusal(`I cannot take back "${last.message.slice(0, 80)}" by myself.`);
  for (const aspect of aspects) restore(context, aspect, last.before, draft);
}

function untouched(view: TableView): TableView {
  return {
    revision: view.revision,
    page: 1,
    limit: view.limit,
    search: "",
    sortBy: null,
    sortDir: null,
    groupBy: null,
    filters: {},
  };
}

function after(view: TableView, draft: Draft | null): TableView {
  if (draft === null) return view;
  const { filters, search, sort, group, limit } = draft;
  return {
    ...view,
    ...(filters === null ? {} : { filters }),
    ...(search === null ? {} : { search }),
    ...(sort === null
      ? {}
      : sort === "none"
        ? { sortBy: null, sortDir: null }
        : { sortBy: sort.key, sortDir: sort.dir }),
    ...(group === null ? {} : { groupBy: group.key }),
    ...(limit === null ? {} : { limit }),
  };
}

function touched({ filters, search, sort, group }: Draft): Aspect[] {
  return [
    ...(filters === null ? [] : ["filters" as const]),
    ...(search === null ? [] : ["search" as const]),
    ...(sort === null ? [] : ["sort" as const]),
    ...(group === null ? [] : ["group" as const]),
  ];
}

function differing(before: TableView, view: TableView): Aspect[] {
  return [
    ...(JSON.stringify(before.filters ?? {}) === JSON.stringify(view.filters ?? {})
      ? []
      : ["filters" as const]),
    ...(before.search === view.search ? [] : ["search" as const]),
    ...((before.sortBy ?? null) === (view.sortBy ?? null) &&
    (before.sortDir ?? null) === (view.sortDir ?? null)
      ? []
      : ["sort" as const]),
    ...((before.groupBy ?? null) === (view.groupBy ?? null) ? [] : ["group" as const]),
  ];
}

function restore(context: Context, aspect: Aspect, before: TableView, draft: Draft): void {
  if (aspect === "filters") {
    demand(context, "view.setFilters", "set filters");
    draft.filters = before.filters ?? {};
    draft.doing.push(
      Object.keys(draft.filters).length === 0
        ? "taking the filters off again"
        : "putting the filters back as they were",
    );
  }
  if (aspect === "search") {
    demand(context, "view.setSearch", "search");
    draft.search = before.search;
    draft.doing.push(
      before.search === "" ? "clearing the search again" : `searching for "${before.search}" again`,
    );
  }
  if (aspect === "sort") {
    demand(context, "view.setSort", "change the order");
    draft.sort = before.sortBy ? { key: before.sortBy, dir: before.sortDir ?? "asc" } : "none";
    draft.doing.push(before.sortBy ? "putting the sort back as it was" : "taking the sort off again");
  }
  if (aspect === "group") {
    demand(context, "view.setGroupBy", "group the rows");
    draft.group = { key: before.groupBy ?? null };
    draft.doing.push(
      before.groupBy ? "putting the grouping back as it was" : "taking the grouping off again",
    );
  }
}
