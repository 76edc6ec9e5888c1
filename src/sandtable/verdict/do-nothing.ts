import { nextScripted, openScripted } from "../caller/caller.ts";
import type { Domain, Task } from "../domain/types.ts";
import { CelError, CelPrograms } from "../expr/cel.ts";
import type { EvalContext } from "../expr/context.ts";
import type { TranscriptEntry } from "../report/results.ts";
import { checkReply } from "../rules/check-reply.ts";
import { gradeTrial } from "./grade.ts";
import { BaseRows, taskWorld } from "./overlay-world.ts";
import { readTranscript } from "./read-transcript.ts";

/** What an agent that does nothing says to everything: a neutral line, or no word at all. */
export const idleReplies = ["Okay.", ""] as const;

type IdleDomain = Pick<Domain, "tables" | "rules" | "clock">;

/**
 * Whether an agent that never calls a tool and answers every line with `Okay.`, or with silence, passes the task. It is
 * really played against a scripted caller; a model-played caller is taken to hang up after the first answer.
 * For several tasks of one domain `idleTasks` is cheaper.
 */
export function passesDoingNothing(domain: IdleDomain, task: Task): boolean {
  return idleTasks(domain, [task]).length > 0;
}

/** Ids of those of `tasks` that an agent doing nothing passes, in their order. Copies no base rows. */
export function idleTasks(domain: IdleDomain, tasks: Task[]): string[] {
  const base = new BaseRows(domain.tables);
  return tasks
    .filter((task) => idleReplies.some((reply) => playIdle(domain, base, task, reply).verdict === "passed"))
    .map((task) => task.id);
}

/**
 * Plays a task with an agent that answers every line with `reply` and calls nothing. `errored` with the message when a
 * condition of the caller cannot be evaluated. A line that the caller chooses by chance is always the first.
 */
export function playIdle(
  domain: IdleDomain,
  base: BaseRows,
  task: Task,
  reply: string,
): { verdict: "passed" | "failed" } | { verdict: "errored"; message: string } {
  const world = taskWorld(base, task);
  const { rules, clock, tables } = domain;
  const entries: TranscriptEntry[] = [];
  const programs = new CelPrograms();
  const context = (): EvalContext => ({
    world,
    args: {},
    conversation: readTranscript(entries),
    clock,
    tables,
    programs,
  });
  const answer = (turn: number): void => {
    entries.push({ kind: "agent", turn, text: reply, rules: checkReply(rules, reply, context()) });
  };
  try {
    converse(task, entries, answer, context, reply);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return { verdict: "errored", message: error.message };
  }
  const { verdict } = gradeTrial(task, { rules, entries, world, clock, failure: null });
  return { verdict };
}

function converse(
  { caller, maxTurns }: Task,
  entries: TranscriptEntry[],
  answer: (turn: number) => void,
  context: () => EvalContext,
  reply: string,
): void {
  if (caller.kind === "model") {
    if (caller.opens !== undefined) entries.push({ kind: "caller", turn: 1, text: caller.opens });
    answer(1);
    return;
  }
  const first = () => 0;
  let { move, state } = openScripted(caller, first);
  for (let turn = 1; move.say !== null && turn <= maxTurns; turn += 1) {
    entries.push({ kind: "caller", turn, text: move.say, act: move.act });
    answer(turn);
    if (move.hangUp) return;
    ({ move, state } = nextScripted(caller, state, { reply, calls: [], turn }, context(), first));
  }
}
