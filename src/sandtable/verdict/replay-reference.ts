import type { JsonObject } from "../../turn/json.ts";
import type { Domain, Rule, Task } from "../domain/types.ts";
import { CelPrograms } from "../expr/cel.ts";
import type { EvalContext } from "../expr/context.ts";
import type { RuleOutcome, TranscriptEntry } from "../report/results.ts";
import { checkCall } from "../rules/check-call.ts";
import { checkReply } from "../rules/check-reply.ts";
import { runTool } from "../world/run-tool.ts";
import { describeArguments } from "./describe.ts";
import { gradeTrial } from "./grade.ts";
import { gradeCalled } from "./grade-calls.ts";
import type { LintFinding } from "./lint.ts";
import { type BaseRows, type OverlayWorld, taskWorld } from "./overlay-world.ts";
import { readTranscript } from "./read-transcript.ts";

/** What replaying a task's reference showed. */
export interface Replay {
  findings: LintFinding[];
  rulesInPlay: Set<string>;
  toolsUsed: Set<string>;
}

/**
 * Plays the reference path of a task on its world and reports, in order, calls that fail, rules that break or cannot be
 * checked, and expectations that are not met at the end. The caller's opening line is taken as said when the reference
 * does not start with a caller line; each caller line starts a turn.
 */
export function replayReference(domain: Domain, base: BaseRows, task: Task): Replay {
  const replay = new ReferenceReplay(domain, base, task);
  replay.run();
  return replay;
}

class ReferenceReplay implements Replay {
  readonly findings: LintFinding[] = [];
  readonly rulesInPlay = new Set<string>();
  readonly toolsUsed = new Set<string>();
  private readonly domain: Domain;
  private readonly task: Task;
  private readonly world: OverlayWorld;
  private readonly entries: TranscriptEntry[] = [];
  private readonly programs = new CelPrograms();
  private turn = 0;

  constructor(domain: Domain, base: BaseRows, task: Task) {
    this.domain = domain;
    this.task = task;
    this.world = taskWorld(base, task);
  }

  run(): void {
    const { reference, maxTurns } = this.task;
    for (const [position, step] of reference.entries()) {
      if (step.kind === "caller") this.callerSays(step.text);
      else {
        if (this.turn === 0) this.callerSays(openingLine(this.task));
        if (step.kind === "agent") this.agentSays(position, step.text);
        else this.agentCalls(position, step.tool, step.args);
      }
    }
    if (this.turn > maxTurns)
      this.warn({}, `the reference takes ${this.turn} caller lines; max_turns is ${maxTurns}`);
    this.gradeEnd();
  }

  private callerSays(text: string): void {
    this.turn += 1;
    this.entries.push({ kind: "caller", turn: this.turn, text });
  }

  private agentSays(position: number, text: string): void {
    const rules = checkReply(this.domain.rules, text, this.context({}));
    this.entries.push({ kind: "agent", turn: this.turn, text, rules });
    this.reportRules(`reference step ${position + 1} (agent)`, rules);
  }

  private agentCalls(position: number, tool: string, args: JsonObject): void {
    const { rules: all, tools, tables } = this.domain;
    const ctx = this.context(args);
    const rules = checkCall(all, { tool, args }, ctx);
    const outcome = runTool(tools, tool, args, { ...ctx, world: this.world }, tables);
    const head = {
      kind: "call" as const,
      turn: this.turn,
      round: 1,
      id: `reference-${position + 1}`,
      tool,
      args,
    };
    const { changes } = outcome;
    this.entries.push(
      outcome.ok
        ? { ...head, ok: true, result: outcome.result, rules, changes }
        : { ...head, ok: false, error: outcome.error, rules, changes },
    );
    this.toolsUsed.add(tool);
    const said = describeArguments(args);
    const step = `reference step ${position + 1} (${tool}${said === "" ? "" : ` ${said}`})`;
    if (!outcome.ok && !this.mayFail()) this.error({ tool }, `${step} fails: ${outcome.error}`);
    this.reportRules(step, rules);
  }

  /** Whether the task expects the last call to fail. */
  private mayFail(): boolean {
    const ctx = this.context({});
    const last = readTranscript(this.entries).calls.slice(-1);
    return this.task.expect.called.some(
      ({ times: _times, ...expected }) => expected.ok === false && gradeCalled(expected, last, ctx) === null,
    );
  }

  private reportRules(step: string, outcomes: RuleOutcome[]): void {
    for (const { rule: id, outcome, message } of outcomes) {
      this.rulesInPlay.add(id);
      if (outcome === "kept") continue;
      const why = message === undefined ? "" : `: ${message}`;
      if (outcome === "unchecked")
        this.warn({ rule: id }, `${step} cannot be checked against the rule${why}`);
      else if (isHard(this.domain.rules, id)) this.error({ rule: id }, `${step} breaks the rule${why}`);
      else this.warn({ rule: id }, `${step} breaks the rule, which is soft${why}`);
    }
  }

  private gradeEnd(): void {
    const { entries, world, task } = this;
    const { rules, clock } = this.domain;
    // What the reference was shown and never spoke about is in play too.
    for (const { rule } of checkReply(rules, "", this.context({}))) this.rulesInPlay.add(rule);
    const silent = !entries.some((entry) => entry.kind === "agent");
    for (const reason of gradeTrial(task, { rules, entries, world, clock, failure: null }).why) {
      if (reason.kind === "rule" || (reason.kind === "say" && silent)) continue;
      this.error({}, `the reference does not meet the expectation \`${reason.kind}\`: ${reason.message}`);
    }
    if (silent && task.expect.say.length > 0)
      this.warn({}, "the reference has no agent line, so the expectation `say` cannot be shown to be met");
  }

  private context(args: JsonObject): EvalContext {
    const { world, entries, programs } = this;
    const { clock, tables } = this.domain;
    return { world, args, conversation: readTranscript(entries), clock, tables, programs };
  }

  private error(about: Pick<LintFinding, "rule" | "tool">, message: string): void {
    this.findings.push({ severity: "error", task: this.task.id, ...about, message });
  }

  private warn(about: Pick<LintFinding, "rule" | "tool">, message: string): void {
    this.findings.push({ severity: "warning", task: this.task.id, ...about, message });
  }
}

function openingLine({ caller }: Task): string {
  return (caller.kind === "scripted" ? caller.opens[0] : caller.opens) ?? "";
}

function isHard(rules: Rule[], id: string): boolean {
  return rules.find((rule) => rule.id === id)?.severity === "hard";
}
