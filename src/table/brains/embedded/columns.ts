import type { Clause } from "./clause.ts";
import { type Context, demand, pickField } from "./context.ts";
import type { Draft } from "./draft.ts";
import type { Field } from "./field.ts";
import { Refusal } from "./pause.ts";
import { listText } from "./wording.ts";

/** Understands hiding, showing, pinning and moving columns, and takes it. True when there was such a wish. */
export function takeColumns(context: Context, clause: Clause, draft: Draft): boolean {
  return (
    only(context, clause, draft) ||
    hide(context, clause, draft) ||
    pin(context, clause, draft) ||
    move(context, clause, draft)
  );
}

interface Named {
  fields: Field[];
  end: number;
}

/** Columns named one after another from a token on: `role and start date`. Null when the next words are none. */
function columnList(context: Context, clause: Clause, from: number): Named | null {
  const fields: Field[] = [];
  let at = from;
  let end = from;
  while (at < clause.length) {
    while (/^(?:the|and|,|column|columns|field|fields|both|&)$/.test(clause.word(at))) at++;
    const mention = clause.word(at) === "" ? null : context.lexicon.fieldsAt(clause.tokens, at);
    const strong = mention !== null && mention.strength > 1 ? mention : null;
    if (strong === null) break;
    const columns = strong.fields.filter(({ column }) => column !== undefined);
    if (columns.length === 0) break;
    fields.push(pickField(context, columns, clause.raw(at, strong.next)));
    at = strong.next;
    end = at;
    while (/^(?:column|columns|field|fields)$/.test(clause.word(end))) end++;
    at = end;
  }
  return fields.length === 0 ? null : { fields, end };
}

/** A list that is all the clause says after a verb: `hide closed tickets` hides no column. */
function wholeList(context: Context, clause: Clause, from: number): Named | null {
  const named = columnList(context, clause, from);
  if (named === null) return null;
  for (let at = named.end; at < clause.length; at++) {
    if (
      !/^(?:please|pls|now|only|just|again|too|also|for|me|from|view|the|table|,|\.|!|\?|on|to|left|right|side|start|end|beginning|in|of|place|at|edge|back|here|)$/.test(
        clause.word(at),
      )
    )
      return null;
  }
  return named;
}

function only(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(
    /(?:(?:only|just) (?:show|keep|display)|(?:show|keep|display)(?: me)? (?:only|just))|(?:hide|remove) (?:everything|all(?: the)?(?: other)?(?: columns)?|every column)(?: except| but| besides)(?: for)?/,
  );
  const lead =
    found ?? (clause.has(/only|just/) ? clause.find(/(?:show|keep|display|see)(?: me)?(?: the)?/) : null);
  if (lead === null || lead.start > 2) return false;
  const named = wholeList(context, clause, lead.end);
  if (named === null || (named.fields.length < 2 && !clause.has(/columns?|fields?|everything|all/)))
    return false;
  demand(context, "view.hideColumn", "hide columns");
  clause.take(lead.start, clause.length);
  const hidden = hiddenNow(context);
  for (const field of columnsOf(context)) {
    const keep = named.fields.includes(field);
    if (keep === hidden.has(field.id)) setHidden(draft, field, !keep);
  }
  draft.doing.push(`showing only ${listText(named.fields.map(({ label }) => label))}`);
  return true;
}

function hide(context: Context, clause: Clause, draft: Draft): boolean {
  const found =
    clause.find(
      /(?:hide|remove|drop|get rid of|take away|lose|(?:i )?(?:don't|do not) (?:need|want|care about)(?: to)?(?: see)?)(?: (?:the|my|our))?/,
    ) ??
    clause.find(
      /(?:unhide|bring back|show|display|reveal|restore|add back|put back)(?: me)?(?: (?:the|my|our|all))?/,
    );
  if (found === null || found.start > 2) return false;
  const hides = /^(?:hide|remove|drop|get|take|lose|i|don't|do)$/.test(clause.word(found.start));
  if (
    !hides &&
    clause.pull(
      /(?:unhide|show|bring back|reveal|restore)(?: me)?(?: back)? (?:all|every|all the|all of the)(?: hidden)? columns?/,
    ) !== null
  )
    return showAll(context, draft);
  const named = wholeList(context, clause, found.end);
  if (named === null) return false;
  const says = clause.has(/columns?|fields?/);
  const hidden = hiddenNow(context);
  if (
    !hides &&
    !says &&
    !named.fields.some(({ id }) => hidden.has(id)) &&
    clause.word(found.start) !== "unhide" &&
    named.fields.every(({ column }) => column?.readable)
  )
    return false;
  if (hides && !says && !/^(?:hide|lose|i|don't|do)$/.test(clause.word(found.start))) return false;
  for (const { column, label } of named.fields) {
    if (column?.readable === false)
      throw new Refusal(
        `${label} is not shown to me in this table, so I cannot ${hides ? "hide" : "show"} it.`,
      );
    if (hides && column?.hideable === false) throw new Refusal(`The column ${label} cannot be hidden.`);
  }
  demand(context, "view.hideColumn", `${hides ? "hide" : "show"} columns`);
  const left = columnsOf(context).filter((field) => !hidden.has(field.id) && !named.fields.includes(field));
  if (hides && left.length === 0) throw new Refusal("I cannot hide the last column.");
  clause.take(found.start, clause.length);
  for (const field of named.fields) setHidden(draft, field, hides);
  draft.doing.push(`${hides ? "hiding" : "showing"} ${listText(named.fields.map(({ label }) => label))}`);
  return true;
}

function showAll(context: Context, draft: Draft): boolean {
  demand(context, "view.hideColumn", "show columns");
  const hidden = hiddenNow(context);
  const fields = columnsOf(context).filter(({ id }) => hidden.has(id));
  if (fields.length === 0) draft.told.push("No column is hidden.");
  for (const field of fields) setHidden(draft, field, false);
  if (fields.length > 0) draft.doing.push(`showing ${listText(fields.map(({ label }) => label))}`);
  return true;
}

function setHidden(draft: Draft, { id }: Field, hidden: boolean): void {
  draft.others.push({ name: "view.hideColumn", args: { key: id, hidden } });
}

function pin(context: Context, clause: Clause, draft: Draft): boolean {
  const found =
    clause.find(/(?:pin|freeze|lock|stick|fix|anchor)(?: the)?/) ??
    clause.find(/(?:unpin|unfreeze|unlock|release)(?: the)?/);
  if (found === null || found.start > 2) return false;
  const loosens = /^un|^release/.test(clause.word(found.start));
  const named = wholeList(context, clause, found.end);
  if (named === null) return false;
  demand(context, "view.pinColumn", `${loosens ? "unpin" : "pin"} columns`);
  if (!loosens && clause.has(/right|end/))
    throw new Refusal(
      "A column can only be pinned at the start: the other edge is not for columns in this table.",
    );
  for (const { column, label } of named.fields)
    if (column?.pinnable === false || column?.readable === false)
      throw new Refusal(`The column ${label} cannot be pinned.`);
  clause.take(found.start, clause.length);
  for (const { id } of named.fields)
    draft.others.push({ name: "view.pinColumn", args: { key: id, side: loosens ? null : "start" } });
  draft.doing.push(
    `${loosens ? "unpinning" : "pinning"} ${listText(named.fields.map(({ label }) => label))}`,
  );
  return true;
}

/** `move salary to the front`, `put location right after name`. */
function move(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(/(?:move|put|place|bring|shift|drag|send)(?: the)?/);
  if (found === null || found.start > 2) return false;
  const named = columnList(context, clause, found.end);
  const [field] = named?.fields ?? [];
  if (named === null || field === undefined || named.fields.length > 1) return false;
  const order = orderNow(context);
  const others = order.filter((id) => id !== field.id);
  const place = clause.find(
    /(?:(?:right|just|directly|immediately) )?(?:to the (?:left|right) of|before|after|behind|next to|in front of)(?: the)?/,
  );
  const edge = clause.find(
    /(?:to|at|in)(?: the)? (?:very )?(front|start|beginning|left|first position|first place|end|back|right|last position|far left|far right)|(?:to be )?(first|last)/,
  );
  let index: number;
  if (place !== null && place.start >= named.end) {
    const anchor = columnList(context, clause, place.end)?.fields[0];
    if (anchor === undefined) return false;
    const isBefore = /left of|before|in front/.test(clause.raw(place.start, place.end).toLowerCase());
    index = others.indexOf(anchor.id) + (isBefore ? 0 : 1);
  } else if (edge !== null && edge.start >= named.end) {
    const side = edge.groups[0] ?? edge.groups[1] ?? "";
    index = /front|start|beginning|left|first/.test(side) ? 0 : others.length;
  } else return false;
  demand(context, "view.setColumnOrder", "move columns");
  clause.take(found.start, clause.length);
  draft.others.push({ name: "view.setColumnOrder", args: { key: field.id, index } });
  draft.doing.push(`moving ${field.label} to place ${index + 1}`);
  return true;
}

function columnsOf({ lexicon }: Context): Field[] {
  return lexicon.fields.filter(({ column }) => column?.readable && column.hideable !== false);
}

function hiddenNow({ view, contract }: Context): Set<string> {
  return new Set(
    view.hiddenColumns ?? contract.columns.filter(({ visible }) => visible === false).map(({ id }) => id),
  );
}

/** Every column once, as they stand now. */
function orderNow({ view, contract }: Context): string[] {
  const ids = contract.columns.map(({ id }) => id);
  const known = (view.columnOrder ?? []).filter((id) => ids.includes(id));
  return [...known, ...ids.filter((id) => !known.includes(id))];
}
