import type { JsonObject } from "../../../turn/json.ts";
import type { Clause } from "./clause.ts";
import { type Context, demand, demandWrite } from "./context.ts";
import type { Draft } from "./draft.ts";
import { Refusal } from "./pause.ts";
import { rowName } from "./row-names.ts";
import { findTarget, type Target } from "./target.ts";
import { countText, listText } from "./wording.ts";
import { wordsOf } from "./words.ts";

/** Understands deleting, moving, selecting and pinning rows and the table's own actions. True when the clause is one. */
export function takeRowWish(context: Context, clause: Clause, draft: Draft): boolean {
  return (
    action(context, clause, draft) ||
    remove(context, clause, draft) ||
    reorder(context, clause, draft) ||
    select(context, clause, draft) ||
    pinRow(context, clause, draft)
  );
}

/** Names of rows for a sentence. */
function named(context: Context, { rows, position }: Target): string {
  if (rows === undefined) return `row ${position}`;
  return rows.length > 5 ? countText(rows.length) : listText(rows.map((row) => rowName(context, row)));
}

/** `archive Elena`, `escalate the outage ticket`: a verb that an offered action is called by. */
function action(context: Context, clause: Clause, draft: Draft): boolean {
  const at = /^(?:please|then|also|now|just|and)$/.test(clause.word(0)) ? 1 : 0;
  const verb = clause.word(at);
  if (verb === "") return false;
  const called = context.contract.capabilities.filter(({ key }) => actionVerb(key) === verb);
  const row = called.find(({ key }) => key.startsWith("rowAction."));
  const bulk = called.find(({ key }) => key.startsWith("bulkAction."));
  const rest = clause.part(at + 1, clause.length);
  if (row === undefined && bulk === undefined) return false;
  if (rest.length === 0) return false;
  const key = (row ?? bulk)?.key ?? "";
  demandWrite(context, key, `${verb} rows`);
  const target = findTarget(context, rest, draft);
  if (target.rows === undefined)
    throw new Refusal(`Name the row to ${verb}: a place in the view is not enough for it.`);
  if (row !== undefined && (bulk === undefined || target.rows.length === 1)) {
    for (const { key: rowKey } of target.rows) draft.last.push({ name: row.key, args: { rowKey } });
  } else if (bulk !== undefined) {
    demand(context, "view.setSelection", "select rows");
    const keys = target.rows.map((one) => one.key);
    draft.others = draft.others.filter(({ name }) => name !== "view.setSelection");
    draft.others.push({ name: "view.setSelection", args: { ids: keys } });
    draft.last.push({ name: bulk.key, args: { rowKeys: keys } });
  }
  draft.doing.push(`asking to ${verb} ${named(context, target)}`);
  return true;
}

/** The first word of an action's key: `rowAction.archivePerson` is called by `archive`. */
function actionVerb(key: string): string | null {
  const name = /^(?:rowAction|bulkAction)\.(.+)$/.exec(key)?.[1];
  return name === undefined ? null : (wordsOf(name)[0] ?? null);
}

function remove(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(
    /(?:delete|remove|drop|erase|discard|get rid of|kick out|throw out|trash)(?: the| all(?: of)?(?: the)?| every)?/,
  );
  if (found === null || found.start > 0 || clause.has(/columns?|filters?|sort|sorting|grouping|search/))
    return false;
  const all = /\ball\b|\bevery\b/.test(clause.raw(found.start, found.end).toLowerCase());
  demandWrite(context, "rows.delete", "delete rows");
  const rest = clause.part(found.start + (all ? 1 : found.end - found.start), clause.length);
  rest.pull(/from(?: the| this)? (?:table|list|view|data)/);
  const target = findTarget(context, rest, draft);
  const rows: JsonObject[] =
    target.rows === undefined
      ? [{ position: target.position, scope: "visible" }]
      : target.rows.map(({ key }) => ({ rowKey: key }));
  if (context.contract.policy.approval === "never" && rows.length > 1) {
    const question = `Delete ${named(context, target)}? Nobody will be asked again.`;
    const { id } = context.answers.choose(question, [
      { id: "yes", label: "Delete" },
      { id: "no", label: "Keep" },
    ]);
    if (id === "no") throw new Refusal("I left the rows as they are.");
  }
  draft.last.push({ name: "rows.delete", args: { rows } });
  draft.doing.push(`asking to delete ${named(context, target)}`);
  return true;
}

/** `move Victor above Ana`. */
function reorder(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(/(?:move|put|place|drag|bring)(?: the)?/);
  const place = clause.find(
    /(?:right |just |directly )?(?:above|below|under|before|after|in front of|behind|to where|next to)(?: the)?/,
  );
  if (found === null || place === null || found.start > 0 || place.start < found.end) return false;
  if (clause.tokens.slice(place.end).some(({ kind }) => kind === "number")) return false;
  demandWrite(context, "rows.reorder", "move rows");
  const from = findTarget(context, clause.part(found.end, place.start), draft).rows?.[0];
  const to = findTarget(context, clause.part(place.end, clause.length), draft).rows?.[0];
  if (from === undefined || to === undefined)
    throw new Refusal("Name both rows: which one moves, and to which one.");
  if (from.key === to.key) throw new Refusal("A row cannot be moved to itself.");
  draft.last.push({ name: "rows.reorder", args: { fromKey: from.key, toKey: to.key } });
  draft.doing.push(`asking to move ${rowName(context, from)} to the place of ${rowName(context, to)}`);
  return true;
}

function select(context: Context, clause: Clause, draft: Draft): boolean {
  const none = clause.find(
    /(?:deselect|unselect|clear|reset|undo|drop)(?: the| my| all| everything| every row)*(?: selection)?|select (?:nothing|none|no rows)/,
  );
  if (none !== null) {
    const first = clause.tokens[none.start]?.word ?? "";
    const isIt =
      /^(?:deselect|unselect|select)$/.test(first) ||
      clause.tokens.slice(none.start, none.end).some(({ word }) => word === "selection");
    if (!isIt) return false;
    clause.take(none.start, none.end);
    demand(context, "view.setSelection", "select rows");
    draft.others.push({ name: "view.setSelection", args: { ids: [] } });
    draft.doing.push("selecting nothing");
    return true;
  }
  const found = clause.find(
    /(?:select|tick|check|highlight|mark|pick|choose)(?: all(?: of)?(?: the)?| the| every| everyone| everybody)?/,
  );
  if (
    found === null ||
    found.start > 2 ||
    /^mark$/.test(clause.word(found.start)) ||
    /^check$/.test(clause.word(found.start))
  )
    return false;
  demand(context, "view.setSelection", "select rows");
  const rest = clause.part(found.start + 1, clause.length);
  const target = findTarget(context, rest, draft);
  if (target.rows === undefined)
    throw new Refusal("Name the rows to select: a place in the view is not enough for it.");
  draft.others.push({ name: "view.setSelection", args: { ids: target.rows.map(({ key }) => key) } });
  draft.doing.push(`selecting ${named(context, target)}`);
  return true;
}

/** `pin Grace to the top`, `unpin Grace`. */
function pinRow(context: Context, clause: Clause, draft: Draft): boolean {
  const found = clause.find(/(?:unpin|unfreeze|pin|freeze|stick|keep)(?: the)?/);
  if (found === null || found.start > 2) return false;
  const loosens = clause.word(found.start).startsWith("un");
  const edge = clause.pull(/(?:to|on|at)(?: the)? (top|bottom)(?: of the (?:table|list|page))?/);
  if (clause.word(found.start) === "keep" && edge === null) return false;
  demand(context, "view.pinRow", "pin rows");
  const side = loosens ? null : edge?.groups[0] === "bottom" ? "bottom" : "top";
  const target = findTarget(context, clause.part(found.end, clause.length), draft);
  if (target.rows === undefined)
    draft.others.push({
      name: "view.pinRow",
      args: { side, position: target.position, scope: "visible" },
    });
  else
    for (const { key } of target.rows.slice(0, 10))
      draft.others.push({ name: "view.pinRow", args: { side, rowKey: key } });
  if ((target.rows?.length ?? 0) > 10) throw new Refusal("I pin at most ten rows at a time.");
  draft.doing.push(
    `${loosens ? "unpinning" : "pinning"} ${named(context, target)}${side === null ? "" : ` at the ${side}`}`,
  );
  return true;
}
