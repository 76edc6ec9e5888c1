import { given } from "../protocol/shape.ts";
import { callSubject } from "./call-subject.ts";
import type { RunCall } from "./run-plan.ts";
import type { TableSessionPort } from "./session-port.ts";
import type { TurnReport, Unresolved } from "./turn-report.ts";

/** What a turn has come to so far. */
export interface TurnRecord {
  /** Words of a reply; empty ones do not take the place of earlier ones. */
  said(text: string | undefined): void;
  ran(call: RunCall): void;
  fulfilled(counts: { describe: number; read: number }): void;
  unresolved(reason: Unresolved): void;
  /** What was heard; only the first counts. Whether it was the first. */
  heard(transcript: string): boolean;
  transcript(): string | undefined;
  report(): TurnReport;
}

/** A turn in which nothing has happened. */
export function turnRecord(session: TableSessionPort): TurnRecord {
  const report: TurnReport = {
    text: "",
    results: [],
    keys: [],
    subjects: [],
    needsFulfilled: { describe: 0, read: 0 },
  };
  let columns: Set<string> | undefined;
  return {
    said(text) {
      if (text) report.text = text;
    },
    ran({ call, result, earlier }) {
      // A write that a repair did not run again has its receipt already.
      if (earlier) return;
      report.results.push(result);
      report.keys.push(call.name);
      columns ??= new Set(session.manifest().columns.map(({ id }) => id));
      report.subjects.push(callSubject(call.args, columns));
    },
    fulfilled({ describe, read }) {
      report.needsFulfilled.describe += describe;
      report.needsFulfilled.read += read;
    },
    unresolved(reason) {
      report.unresolved = reason;
    },
    heard(transcript) {
      if (report.transcript !== undefined) return false;
      report.transcript = transcript;
      return true;
    },
    transcript: () => report.transcript,
    report: () => ({
      ...report,
      results: [...report.results],
      keys: [...report.keys],
      subjects: [...report.subjects],
      needsFulfilled: { ...report.needsFulfilled },
      ...given("unresolved", report.unresolved),
    }),
  };
}
