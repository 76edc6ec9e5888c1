import { AGENT_HTTP_LIMITS } from "../../protocol/limits.ts";
import type { ToolResult } from "../../protocol/messages.ts";
import type { BrainCall, BrainReply, BrainRound } from "../brain.ts";
import type { Clause } from "./clause.ts";
import { type Context, contextOf } from "./context.ts";
import { callsOf, type Draft, emptyDraft } from "./draft.ts";
import { exampleText } from "./examples.ts";
import { namesOf } from "./found-rows.ts";
import { NotUnderstood, Pause, Refusal } from "./pause.ts";
import { splitClauses } from "./split.ts";
import { maxMessageChars, tokenise } from "./tokenise.ts";
import { understand } from "./understand.ts";
import { isUndo, leaveAsIs, takeUndo } from "./undo.ts";
import { countText, cut, listText } from "./wording.ts";

/** Most wishes of one message that are gone through. */
const maxClauses = 24;
const narrowing =
  /(?:filter|narrow|show|keep|display)(?: (?:it|them|those|these|that|to|by|for|on|down|me|only|just|please|table|the|us))*/;

/** The reply to one round. The same round has the same reply; nothing is kept between rounds. */
export function replyTo(round: BrainRound): BrainReply {
  // Receipts of a search for names bring what the wish waited for; any others end the turn.
  const context = contextOf(round);
  if (round.phaseId > 0 && context.found.names.length === 0)
    return { text: receiptText(round.toolResults), calls: [] };
  if (round.message.length > maxMessageChars)
    return {
      text: `That is ${countText(round.message.length, "character")} long, and I read requests of at most ${countText(maxMessageChars, "character")}. Please say it shorter.`,
      calls: [],
    };
  const { draft, pauses } = drafted(context, round);
  if (context.found.names.length > 0) draft.told.push(searchedText(context.found.names));
  return pauses.length > 0 ? waiting(context, pauses) : planned(context, draft, round);
}

/** Goes through all wishes of a message; what has to wait is gathered, so that one round brings all of it. */
function drafted(
  context: Context,
  { message, conversation }: Pick<BrainRound, "message" | "conversation">,
): { draft: Draft; pauses: Pause[] } {
  const clauses = splitClauses(tokenise(message), message, context.contract).slice(0, maxClauses);
  const narrows = clauses.some(isNarrowing);
  const draft = emptyDraft();
  const pauses: Pause[] = [];
  for (const clause of clauses) {
    if (isNarrowing(clause) && clauses.length > 1) continue;
    attempt(draft, pauses, clause, () => {
      if (!isUndo(clause)) return understand(context, clause, draft, narrows);
      takeUndo(context, conversation, (text, view) => replayed(context, text, view), isUndoing, draft);
    });
  }
  if (clauses.length === 0) draft.unclear.push("");
  return { draft, pauses };
}

function attempt(draft: Draft, pauses: Pause[], clause: Clause, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (error instanceof Pause) pauses.push(error);
    else if (error instanceof NotUnderstood) {
      const said = error.message === "" ? clause.raw(0, clause.length) : error.message;
      draft.unclear.push(error.reason ? said : `"${cut(said, 80)}"`);
    } else if (error instanceof Refusal) draft.refused.push(error.message);
    else throw error;
  }
}

/** What an earlier message planned, as far as that can be told without its rows. */
function replayed(context: Context, message: string, view: Context["view"]): Draft | null {
  if (message.length > maxMessageChars) return null;
  const earlier = contextOf({
    contract: context.contract,
    catalog: [],
    view,
    message,
    conversation: [],
    phaseId: 0,
    toolResults: [],
    pendingCalls: [],
    today: context.today,
  });
  const { draft, pauses } = drafted(earlier, { message, conversation: [] });
  return pauses.length > 0 ? null : draft;
}

function isUndoing(message: string): boolean {
  const clauses =
    message.length > maxMessageChars ? [] : splitClauses(tokenise(message), message, { capabilities: [] });
  return clauses.length === 1 && clauses.every(isUndo);
}

function isNarrowing(clause: Clause): boolean {
  const found = clause.find(narrowing);
  return found !== null && found.start === 0 && found.end >= clause.length;
}

/** Asks for what is needed: the reader first, since a question outranks what is asked of the table. */
function waiting(context: Context, pauses: readonly Pause[]): BrainReply {
  const ask = pauses.find((pause) => pause.ask !== undefined)?.ask;
  const reads = pauses.some((pause) => pause.columns !== undefined);
  const columns = [...new Set(pauses.flatMap((pause) => pause.columns ?? []))];
  const guides = [...new Set(pauses.flatMap((pause) => (pause.guide === undefined ? [] : [pause.guide])))];
  // Rows and guides come first: what they tell may make the question needless.
  if (reads || guides.length > 0) {
    const calls: BrainCall[] = guides.length === 0 ? [] : [{ name: "describe", args: { keys: guides } }];
    if (reads) calls.push(...context.rows.calls(columns));
    return {
      text: reads ? "Looking at the rows." : "Looking at what this table offers.",
      calls,
    };
  }
  const searches = pauses.flatMap(({ search }) => (search === undefined ? [] : [search]));
  if (searches.length > 0)
    return {
      text: `I cannot read all rows as the table stands, so I look for ${quoted(namesOf(searches))} first and put the table back as it is. Nothing else is changed by that yet.`,
      calls: context.found.calls(searches),
    };
  return ask === undefined ? { text: "", calls: [] } : { text: "", calls: [], ask };
}

function searchedText(names: readonly string[]): string {
  return `I looked for ${quoted(names)} and put the table back as it was.`;
}

function quoted(names: readonly string[]): string {
  return listText(names.map((name) => JSON.stringify(name)));
}

function planned(context: Context, whole: Draft, { view }: BrainRound): BrainReply {
  const draft = leaveAsIs(context, whole);
  const unclear = draft.unclear.length > 0;
  // A change is not asked for while part of the message was not understood: it may have been a condition of it.
  const held = unclear && draft.edits.length + draft.last.length > 0;
  const kept: Draft = held
    ? { ...draft, edits: [], last: [], doing: draft.doing.filter((text) => !text.startsWith("asking")) }
    : draft;
  const calls = callsOf(kept, view.page);
  if (calls.length > AGENT_HTTP_LIMITS.maxToolCalls) {
    return {
      text: `That would take ${calls.length} steps, and one request may take ${AGENT_HTTP_LIMITS.maxToolCalls}. Please ask for less at once.`,
      calls: [],
    };
  }
  return { text: textOf(context, kept, held), calls };
}

function textOf(context: Context, { doing, told, refused, unclear }: Draft, held: boolean): string {
  const parts: string[] = [];
  const [first, ...rest] = doing;
  if (first !== undefined)
    parts.push(`${first[0]?.toUpperCase() ?? ""}${[first, ...rest].join("; ").slice(1)}.`);
  parts.push(...told, ...refused);
  if (unclear.length > 0) {
    const said = [...new Set(unclear.filter((text) => text !== ""))].slice(0, 3);
    parts.push(`I did not understand ${said.length === 0 ? "that" : said.join(" and ")}.`);
    if (held) parts.push("So I left the changes to rows alone.");
    parts.push(exampleText(context));
  }
  return parts.filter((part) => part !== "").join(" ");
}

/** What became of a plan, told from its receipts alone. */
function receiptText(results: readonly ToolResult[]): string {
  const failed = results.flatMap((entry) => ("error" in entry ? [entry.error.message] : []));
  const done = results.length - failed.length;
  if (results.length === 0) return "";
  const went = done === 0 ? "" : `${countText(done, "step")} went through.`;
  return [
    went,
    ...(failed.length === 0
      ? []
      : [`${countText(failed.length, "step")} did not: ${failed.map((text) => cut(text, 200)).join("; ")}.`]),
  ]
    .filter((part) => part !== "")
    .join(" ");
}
