import { count } from "../../sandtable/report/format.ts";
import { lintDomain } from "../../sandtable/verdict/lint.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../run/exit-code.ts";
import { readDomain } from "../run/prepare-run.ts";
import { plain } from "../terminal/terminal.ts";

/**
 * `greenroom lint`: what makes a valid domain's verdicts worth less. 1 when a finding is an error, else 0. Throws
 * `DomainRefused` when the domain is not valid.
 */
export async function lintCommand(folder: string, { cwd, out }: CommandContext): Promise<number> {
  const { domain } = await readDomain(folder, cwd);
  const findings = lintDomain(domain);
  for (const { severity, task, rule, tool, message } of findings) {
    const about = [
      task === undefined ? "" : `task ${task}`,
      rule === undefined ? "" : `rule ${rule}`,
      tool === undefined ? "" : `tool ${tool}`,
    ].filter((part) => part !== "");
    const mark = out.tone(severity === "error" ? "bad" : "warn", severity.padEnd(7));
    const place = about.length === 0 ? "" : `${out.tone("strong", plain(about.join(", ")))}  `;
    out.line(`${mark} ${place}${plain(message)}`);
  }
  const errors = findings.filter((finding) => finding.severity === "error").length;
  const warnings = findings.length - errors;
  if (findings.length > 0) out.line();
  const tone = errors > 0 ? "bad" : warnings > 0 ? "warn" : "good";
  out.line(out.tone(tone, `${plain(domain.name)}: ${count(errors, "error")}, ${count(warnings, "warning")}`));
  return errors > 0 ? exitCodes.broken : exitCodes.held;
}
