import { callText, evidenceOf, reasonText } from "./evidence.ts";
import { share } from "./format.ts";
import { trialsByTask } from "./order.ts";
import type { Reason, Results, TaskResult, TrialResult } from "./results.ts";
import { safeLine, safeText } from "./safe-text.ts";

/**
 * A rehearsal as JUnit XML, which CI services read: a suite a task, with pass^k among its properties, and a case a
 * trial (`classname` is `domain.task`). Errored trials are errors, cancelled ones skipped. Well-formed XML 1.0 without
 * a DTD, whatever an agent said.
 */
export function renderJunit(results: Results): string {
  const trials = trialsByTask(results);
  const suites = results.tasks.map((task) => suite(results, task, trials.get(task.id) ?? []));
  const { passed, failed, errored, cancelled } = results.summary.trials;
  const head = attributes({
    name: results.domain.name,
    tests: passed + failed + errored + cancelled,
    failures: failed,
    errors: errored,
    skipped: cancelled,
    time: seconds(results.startedAt, results.endedAt ?? results.startedAt),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.join("")}</testsuites>\n`;
}

function suite(results: Results, task: TaskResult, trials: TrialResult[]): string {
  const count = (verdict: TrialResult["verdict"]) =>
    trials.filter((trial) => trial.verdict === verdict).length;
  const head = attributes({
    name: `${results.domain.name}.${task.id}`,
    tests: trials.length,
    failures: count("failed"),
    errors: count("errored"),
    skipped: count("cancelled"),
    time: trials.reduce((sum, trial) => sum + Number(seconds(trial.startedAt, trial.endedAt)), 0).toFixed(3),
    timestamp: (trials[0]?.startedAt ?? results.startedAt).replace(/\.\d+Z$/, ""),
  });
  const properties: [string, string][] = [
    ["runId", results.runId],
    ["agent", `${results.agent.kind} ${results.agent.name}`],
    ["verdict", task.verdict],
    ["critical", String(task.critical)],
    ...task.passHatK.map((value, index): [string, string] => [`pass^${index + 1}`, share(value)]),
  ];
  const lines = properties
    .map(([name, value]) => `      <property${attributes({ name, value })}/>\n`)
    .join("");
  const cases = trials.map((trial) => testcase(results.domain.name, trial)).join("");
  return `  <testsuite${head}>\n    <properties>\n${lines}    </properties>\n${cases}  </testsuite>\n`;
}

function testcase(domain: string, trial: TrialResult): string {
  const head = attributes({
    classname: `${domain}.${trial.taskId}`,
    name: `trial ${trial.trial}`,
    time: seconds(trial.startedAt, trial.endedAt),
  });
  const outcome = outcomeOf(trial);
  return outcome === "" ? `    <testcase${head}/>\n` : `    <testcase${head}>\n${outcome}    </testcase>\n`;
}

function outcomeOf(trial: TrialResult): string {
  const [first] = trial.why;
  if (trial.verdict === "passed") return "";
  if (trial.verdict === "cancelled") return `      <skipped${attributes({ message: "cancelled" })}/>\n`;
  const tag = trial.verdict === "errored" ? "error" : "failure";
  const head = attributes({
    message: first === undefined ? trial.verdict : reasonText(first),
    type: first?.kind ?? trial.verdict,
  });
  const body = trial.why.map((reason) => reasonBlock(trial, reason)).join("\n\n");
  return `      <${tag}${head}>${escapeText(body)}</${tag}>\n`;
}

function reasonBlock(trial: TrialResult, reason: Reason): string {
  const lines = [reasonText(reason)];
  const evidence = evidenceOf(trial, reason);
  if (evidence?.entry.kind === "call")
    lines.push(`call: ${callText(evidence.entry.tool, evidence.entry.args)}`);
  if (reason.kind === "rule" && reason.quote !== undefined) lines.push(`quote: ${reason.quote}`);
  if (reason.kind === "runtime" && reason.body !== undefined) lines.push(`body: ${reason.body}`);
  if (evidence !== null) {
    const { entry, caller, line } = evidence;
    if (entry.kind === "agent" || entry.kind === "caller")
      lines.push(`line ${line}: ${entry.kind}: ${entry.text}`);
    else lines.push(caller === null ? `line ${line}` : `line ${line}, after the caller said: ${caller}`);
  }
  return lines.join("\n");
}

function seconds(from: string, to: string): string {
  return (Math.max(0, Date.parse(to) - Date.parse(from)) / 1_000).toFixed(3);
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(safeLine(String(value)))}"`)
    .join("");
}

function escapeText(text: string): string {
  return escapeXml(safeText(text));
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** `safeText` has replaced controls and half surrogates; two more characters have no place in XML 1.0. */
function escapeXml(text: string): string {
  return text.replace(/[\ufffe\uffff]/g, "\ufffd").replace(/[&<>"]/g, (char) => entities[char] ?? char);
}
