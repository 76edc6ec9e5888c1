import type { Domain, Task } from "../domain/types.ts";
import { idleReplies, playIdle } from "./do-nothing.ts";
import { unreachableLines } from "./lint-caller.ts";
import { missingKeys } from "./lint-keys.ts";
import { BaseRows } from "./overlay-world.ts";
import { replayReference } from "./replay-reference.ts";

/** Something about a valid domain that makes its verdicts worth less. */
export interface LintFinding {
  severity: "error" | "warning";
  task?: string;
  rule?: string;
  tool?: string;
  /** One sentence; what it is about is in the other fields. */
  message: string;
}

/**
 * Looks for tasks that prove nothing, references that break the domain's own rules or expectations, and parts of the
 * domain that no task tries. Findings come in the domain's order: tasks, then rules, then tools.
 */
export function lintDomain(domain: Domain): LintFinding[] {
  const base = new BaseRows(domain.tables);
  const findings: LintFinding[] = [];
  const rulesInPlay = new Set<string>();
  const toolsUsed = new Set<string>();
  for (const task of domain.tasks) {
    findings.push(...lintIdle(domain, base, task));
    if (task.reference.length === 0) {
      findings.push({
        severity: "warning",
        task: task.id,
        message: "the task has no reference, so nothing shows that it can be passed",
      });
    } else {
      const replay = replayReference(domain, base, task);
      findings.push(...replay.findings);
      for (const id of replay.rulesInPlay) rulesInPlay.add(id);
      for (const tool of replay.toolsUsed) toolsUsed.add(tool);
    }
    for (const message of missingKeys(domain, task))
      findings.push({ severity: "warning", task: task.id, message });
    if (task.caller.kind === "scripted")
      for (const message of unreachableLines(task.caller))
        findings.push({ severity: "warning", task: task.id, message });
  }
  for (const rule of domain.rules) {
    if (!rulesInPlay.has(rule.id))
      findings.push({
        severity: "warning",
        rule: rule.id,
        message: "no task's reference puts the rule in play",
      });
    if (rule.source === undefined)
      findings.push({
        severity: "warning",
        rule: rule.id,
        message: "the rule has no source.quote, so a report cannot show where it comes from",
      });
  }
  for (const { name } of domain.tools)
    if (!toolsUsed.has(name))
      findings.push({ severity: "warning", tool: name, message: "no task's reference uses the tool" });
  return findings;
}

function lintIdle(domain: Domain, base: BaseRows, task: Task): LintFinding[] {
  for (const reply of idleReplies) {
    const played = playIdle(domain, base, task, reply);
    if (played.verdict === "failed") continue;
    const message =
      played.verdict === "errored"
        ? `the caller cannot be played: ${played.message}`
        : `an agent that does nothing passes this task (it calls no tool and ${reply === "" ? "says nothing" : `answers ${JSON.stringify(reply)}`}); expect something that only the right conduct brings about`;
    return [{ severity: "error", task: task.id, message }];
  }
  return [];
}
