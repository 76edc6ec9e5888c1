import { count } from "../../sandtable/report/format.ts";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../run/exit-code.ts";
import { readDomain } from "../run/prepare-run.ts";
import { plain } from "../terminal/terminal.ts";

/**
 * `greenroom validate`: says what a domain holds. Throws `DomainRefused` with every problem when it cannot be used.
 */
export async function validateCommand(folder: string, { cwd, out }: CommandContext): Promise<number> {
  const { domain } = await readDomain(folder, cwd);
  const { name, tables, tools, rules, tasks } = domain;
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const holds = [
    `${count(tables.length, "table")} with ${count(rows, "row")}`,
    count(tools.length, "tool"),
    count(rules.length, "rule"),
    count(tasks.length, "task"),
  ];
  out.line(`${out.tone("good", "✓")} ${plain(name)} is valid: ${holds.join(", ")}`);
  return exitCodes.held;
}
