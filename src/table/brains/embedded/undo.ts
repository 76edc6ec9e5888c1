import type { JsonObject } from "../../../turn/json.ts";
import type { TableView } from "../../protocol/contract.ts";
import type { ConversationLine } from "../../protocol/messages.ts";
import type { Clause } from "./clause.ts";
import { type Context, demand } from "./context.ts";
import type { Draft } from "./draft.ts";
import { ownValue } from "./own-value.ts";
import { Refusal } from "./pause.ts";
import { cut } from "./wording.ts";

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
  const { view } = context;
  const past: { before: TableView; message: string; draft: Draft | null; reply: string }[] = [];
  for (const { message, reply } of exchanges(conversation)) {
    if (isUndoing(message)) past.pop();
    else {
      const before = past.at(-1);
      const now = before === undefined ? untouched(view) : after(before.before, before.draft);
      past.push({ before: now, message, draft: replay(message, now), reply });
    }
  }
  const last = past.at(-1);
  if (last === undefined)
    throw new Refusal(
      'I cannot tell what to undo: nothing was asked for here before. You can say "clear the filters" or "stop sorting".',
    );
  if (last.draft !== null && last.draft.edits.length + last.draft.last.length > 0)
    throw new Refusal("I cannot undo changes to rows or files; I only take back changes of the view.");
  const now = last.draft === null ? view : after(last.before, last.draft);
  const set = last.draft === null ? differing(last.before, view) : touched(last.draft);
  if (set.length === 0) throw new Refusal(`I cannot take back "${last.message.slice(0, 80)}" by myself.`);
  const changed = new Set(differing(last.before, now));
  // What was set so already, as this sentence's answer told or as those before had set it, is not this sentence's doing.
  const aspects = set.filter((aspect) => changed.has(aspect) && !last.reply.includes(soAlready[aspect]));
  if (aspects.length === 0)
    throw new Refusal(`"${cut(last.message, 80)}" changed nothing, so there is nothing to take back.`);
  for (const aspect of aspects) restore(context, aspect, last.before, now, draft);
}

/** What is told of an aspect that a sentence set to what it was. */
const soAlready: Record<Aspect, string> = {
  filters: "The filters were set so already.",
  search: "The search was set so already.",
  sort: "The order was so already.",
  group: "The grouping was so already.",
  limit: "The page size was so already.",
};

/**
 * Takes out of a plan what the view is set to already, and tells so: nothing has to be done for it, and undoing the
 * sentence later must not undo what was there before it. What nobody knows of the view is set anyhow.
 */
export function leaveAsIs(context: Context, draft: Draft): Draft {
  const { view } = context;
  const changed = new Set(differing(after(view, draft), view));
  const known = (name: string) => !view.unknown?.includes(name);
  const told = touched(draft).filter((aspect) => !changed.has(aspect) && names[aspect].every(known));
  const is = (aspect: Aspect) => told.includes(aspect);
  return {
    ...draft,
    filters: is("filters") ? null : draft.filters,
    search: is("search") ? null : draft.search,
    sort: is("sort") ? null : draft.sort,
    group: is("group") ? null : draft.group,
    told: [...draft.told, ...told.map((aspect) => soAlready[aspect])],
  };
}

/** What a view calls its aspects. */
const names: Record<Aspect, string[]> = {
  filters: ["filters"],
  search: ["search"],
  sort: ["sortBy", "sortDir"],
  group: ["groupBy"],
  limit: ["limit"],
};

/** What the reader said, each with what was answered. */
function exchanges(conversation: readonly ConversationLine[]): { message: string; reply: string }[] {
  const said: { message: string; reply: string }[] = [];
  for (const { role, text } of conversation) {
    if (role === "user") said.push({ message: text, reply: "" });
    else {
      const last = said.at(-1);
      if (last !== undefined) last.reply += `${text}\n`;
    }
  }
  return said.slice(-maxLines);
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
    ...(changedKeys(before.filters ?? {}, view.filters ?? {}).length === 0 ? [] : ["filters" as const]),
    ...(before.search === view.search ? [] : ["search" as const]),
    ...((before.sortBy ?? null) === (view.sortBy ?? null) &&
    (before.sortDir ?? null) === (view.sortDir ?? null)
      ? []
      : ["sort" as const]),
    ...((before.groupBy ?? null) === (view.groupBy ?? null) ? [] : ["group" as const]),
  ];
}

/** Keys of two filter bags whose values differ. */
function changedKeys(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => JSON.stringify(ownValue(before, key)) !== JSON.stringify(ownValue(after, key)),
  );
}

/** The filters of now without what a sentence changed of them: others may have been set by hand. */
function filtersWithout(view: TableView, before: JsonObject, after: JsonObject): JsonObject {
  const changed = changedKeys(before, after);
  const kept = Object.entries(view.filters ?? {}).filter(([key]) => !changed.includes(key));
  return Object.fromEntries([...kept, ...Object.entries(before).filter(([key]) => changed.includes(key))]);
}

function restore(context: Context, aspect: Aspect, before: TableView, now: TableView, draft: Draft): void {
  if (aspect === "filters") {
    demand(context, "view.setFilters", "set filters");
    draft.filters = filtersWithout(context.view, before.filters ?? {}, now.filters ?? {});
    draft.doing.push(
      Object.keys(draft.filters).length === 0
        ? "taking the filters off again"
        : Object.keys(before.filters ?? {}).length === 0
          ? "taking the filters of that off again"
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
