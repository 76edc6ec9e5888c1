import type { Rule, Task, TextExpect } from "../domain/types.ts";
import { CelError, CelPrograms } from "../expr/cel.ts";
import type { EvalContext } from "../expr/context.ts";
import type { NoteSubject, Reason, TranscriptEntry } from "../report/results.ts";
import { says } from "../text/says.ts";
import type { WorldReader } from "../world/world.ts";
import { gradeCalled, gradeNotCalled } from "./grade-calls.ts";
import { gradeState } from "./grade-state.ts";
import { type Placed, readTranscript } from "./read-transcript.ts";

/** A trial that has come to its end. */
export interface EndedTrial {
  rules: Pick<Rule, "id" | "severity" | "source">[];
  entries: TranscriptEntry[];
  /** The world as the trial left it. */
  world: WorldReader;
  clock: string;
  /** What cut the trial short, or `null`. */
  failure: Reason | null;
}

/**
 * Grades a trial: the verdict and every reason, each with the transcript entry it is about. The order is fixed: what cut
 * the trial short, broken rules as they happened, what may explain the failure, then the task's expectations as they are
 * written.
 *
 * A breach of a hard rule, an unmet expectation or a failure fails the trial; a breach of a soft rule is a reason that a
 * passed trial may carry. When the trial was cut short, only expectations that something does not happen are judged:
 * the others had no chance to be met. An expectation whose CEL cannot be evaluated is not met.
 */
export function gradeTrial(task: Task, trial: EndedTrial): { verdict: "passed" | "failed"; why: Reason[] } {
  const { entries, world, clock, failure, rules } = trial;
  const conversation = readTranscript(entries);
  const ctx: EvalContext = { world, args: {}, conversation, clock, programs: new CelPrograms() };
  const { called, notCalled, state, say, notSay } = task.expect;
  const { calls } = conversation;
  const whole = failure === null;
  const why = [
    failure,
    ...brokenRules(rules, entries),
    ...explanations(entries),
    ...(whole ? called : []).map((call) => judge("called", () => gradeCalled(call, calls, ctx))),
    ...notCalled.map((call) => judge("not_called", () => gradeNotCalled(call, calls, ctx))),
    ...(whole ? state : []).map((row) => judge("state", () => gradeState(row, entries, ctx))),
    ...(whole ? say : []).map((text) => gradeSay(text, conversation)),
    ...notSay.map((text) => gradeNotSay(text, conversation)),
  ];
  const reasons = why.filter((reason) => reason !== null);
  const failed = reasons.some(fails);
  return {
    verdict: failed ? "failed" : "passed",
    why: failed ? reasons : reasons.filter(({ kind }) => kind !== "note"),
  };
}

function fails(reason: Reason): boolean {
  return reason.kind === "rule" ? reason.severity === "hard" : reason.kind !== "note";
}

/** What the runner noted that may explain a failure: the first note about each matter, and how many more there are. */
function explanations(entries: TranscriptEntry[]): Reason[] {
  const found = new Map<NoteSubject, { message: string; entry: number; more: number }>();
  for (const [entry, note] of entries.entries()) {
    if (note.kind !== "note" || note.about === undefined) continue;
    const first = found.get(note.about);
    if (first === undefined) found.set(note.about, { message: note.text, entry, more: 0 });
    else first.more += 1;
  }
  return [...found.values()].map(({ message, entry, more }): Reason => {
    const again = more === 0 ? "" : ` (and the same in ${more} more turn${more === 1 ? "" : "s"})`;
    return { kind: "note", message: `${message}${again}`, entry };
  });
}

function judge(kind: "called" | "not_called" | "state", grade: () => Reason | null): Reason | null {
  try {
    return grade();
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return { kind, message: `this expectation cannot be judged: ${error.message}` };
  }
}

function brokenRules(rules: EndedTrial["rules"], entries: TranscriptEntry[]): Reason[] {
  return entries.flatMap((entry, position) => {
    if (entry.kind !== "call" && entry.kind !== "agent") return [];
    return entry.rules
      .filter(({ outcome }) => outcome === "broken")
      .map(({ rule: id, message }): Reason => {
        const rule = rules.find((candidate) => candidate.id === id);
        if (rule === undefined)
          throw new Error(`the transcript names rule ${id}, which the domain does not have`);
        return {
          kind: "rule",
          rule: id,
          severity: rule.severity,
          ...(rule.source === undefined ? {} : { quote: rule.source.quote }),
          message: message ?? `rule ${id} was broken`,
          entry: position,
        };
      });
  });
}

function gradeSay({ any }: TextExpect, { messages }: Placed): Reason | null {
  const said = messages.some(
    ({ role, text }) => role === "agent" && any.some((phrase) => says(text, phrase)),
  );
  return said ? null : { kind: "say", message: `the agent never said ${oneOf(any)}` };
}

function gradeNotSay({ any }: TextExpect, { messages }: Placed): Reason | null {
  for (const { role, text, entry } of messages) {
    if (role !== "agent") continue;
    const phrase = any.find((candidate) => says(text, candidate));
    if (phrase !== undefined)
      return { kind: "not_say", message: `the agent said ${JSON.stringify(phrase)}`, entry };
  }
  return null;
}

function oneOf(phrases: string[]): string {
  return phrases.map((phrase) => JSON.stringify(phrase)).join(" or ");
}
