import type { JsonObject } from "../../turn/json.ts";
import type { Reason, TranscriptEntry, TrialResult } from "./results.ts";

/** What a reason is about: the entry of the transcript, and what was said just before. */
export interface Evidence {
  /** Line of the transcript, from 1. */
  line: number;
  entry: TranscriptEntry;
  /** Last line of the caller before the entry, when the entry is not that line itself. */
  caller: string | null;
}

/** The place in the transcript a reason points at; `null` when it is about the trial as a whole. */
export function evidenceOf(trial: TrialResult, reason: Reason): Evidence | null {
  const position = reason.entry;
  const entry = position === undefined ? undefined : trial.transcript[position];
  if (position === undefined || entry === undefined) return null;
  const before = trial.transcript.slice(0, position);
  const caller = before.findLast((candidate) => candidate.kind === "caller");
  return { line: position + 1, entry, caller: caller?.text ?? null };
}

/** A reason in one line: the rule or the expectation, and what was seen. */
export function reasonText(reason: Reason): string {
  switch (reason.kind) {
    case "rule":
      return `${reason.severity === "soft" ? "soft rule" : "rule"} ${reason.rule}: ${reason.message}`;
    case "runtime":
    case "errored":
    case "note":
      return reason.message;
    case "called":
    case "not_called":
    case "state":
    case "say":
    case "not_say":
      return `expectation ${reason.kind}: ${reason.message}`;
  }
}

/** Reasons that fit where there is room for `most`, and how many are left; what may explain the others is always shown. */
export function reasonsToShow(why: Reason[], most: number): { shown: Reason[]; more: number } {
  const shown = why.filter((reason, index) => index < most || reason.kind === "note");
  return { shown, more: why.length - shown.length };
}

/** A call as one would write it: `book_load({"load_id":"L-1002","rate":1600})`. */
export function callText(tool: string, args: JsonObject): string {
  return `${tool}(${JSON.stringify(args)})`;
}
