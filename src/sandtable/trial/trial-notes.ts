import { count } from "../report/format.ts";
import type { NoteSubject, TranscriptEntry } from "../report/results.ts";
import { nearest } from "../text/nearest.ts";
import type { CallRecord } from "./conversation.ts";

/** What the runner notes about a turn without ending the trial. */
export type Note = TranscriptEntry & { kind: "note"; about: NoteSubject };

/** Most characters of a call's error in a note; the call has it whole. */
const shownError = 200;

/** The agent sent `calls` tool calls beside its reply. */
export function ignoredCallsNote(turn: number, calls: number): Note {
  const were = calls === 1 ? "it was" : "they were";
  const text = `turn ${turn}: the agent sent ${count(calls, "tool call")} beside its reply; the reply wins and ${were} not run`;
  return { kind: "note", turn, text, about: "ignored_calls" };
}

/**
 * The agent called tools for as many rounds as a turn has and never replied. `calls` are those of the turn; the error
 * most of them met is named, and for a tool the domain does not have, the one that was probably meant.
 */
export function stepBudgetNote(turn: number, rounds: number, calls: CallRecord[], tools: string[]): Note {
  const failed = calls.filter(({ ok }) => !ok);
  const groups = [...Map.groupBy(failed, ({ error }) => error ?? "").entries()];
  const [most] = groups.sort(([, a], [, b]) => b.length - a.length);
  const head = `turn ${turn}: ${count(rounds, "round")} of tool calls without a reply`;
  if (most === undefined) return { kind: "note", turn, text: head, about: "step_budget" };
  const [error, [first]] = most;
  const meant = first === undefined || tools.includes(first.tool) ? undefined : nearest(first.tool, tools);
  const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
  const cut = error.length > shownError ? `${error.slice(0, shownError).toWellFormed()}…` : error;
  const text = `${head}; ${count(failed.length, "call")} failed, most often: ${cut}${hint}`;
  return { kind: "note", turn, text, about: "step_budget" };
}
