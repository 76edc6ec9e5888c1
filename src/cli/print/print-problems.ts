import type { DomainProblem } from "../../sandtable/domain/problem.ts";
import { plain, type Terminal } from "../terminal/terminal.ts";
import { clip, widthOf } from "../terminal/width.ts";

/**
 * Prints problems as `file:line:col  message (did you mean X?)`. On a terminal the line of the file follows, with a
 * caret below the place. `prefix` is the folder as the person named it, so that an editor can open the place.
 */
export function printProblems(
  problems: DomainProblem[],
  files: Record<string, string>,
  prefix: string,
  terminal: Terminal,
): void {
  for (const { file, line, column, message, suggestion } of problems) {
    const place = `${prefix}${prefix === "" || prefix.endsWith("/") ? "" : "/"}${plain(file)}:${line}:${column}`;
    const meant = suggestion === undefined ? "" : ` (did you mean ${plain(suggestion)}?)`;
    terminal.line(`${terminal.tone("strong", place)}  ${plain(message)}${terminal.tone("accent", meant)}`);
    const source = files[file]?.split("\n")[line - 1];
    if (terminal.live && source !== undefined) printSource(source, line, column, terminal);
  }
}

/** Long lines are shown from shortly before the place on. */
function printSource(source: string, line: number, column: number, terminal: Terminal): void {
  const number = `${line} | `;
  const room = terminal.columns() - number.length - 3;
  // A tab is one column to an editor's position and many to a terminal.
  const flat = source.replace(/\t/g, " ").replace(/\r$/, "");
  const start = column - 1 > room - 10 ? column - 11 : 0;
  const before = plainKeepingBlanks(flat.slice(start, column - 1));
  const shown = clip(before + plainKeepingBlanks(flat.slice(column - 1)), room);
  const lead = start > 0 ? "…" : "";
  terminal.line(`  ${terminal.tone("dim", number)}${lead}${shown}`);
  const caret = " ".repeat(2 + number.length + widthOf(lead) + widthOf(before));
  terminal.line(`${caret}${terminal.tone("bad", "^")}`);
}

function plainKeepingBlanks(text: string): string {
  return text
    .split(" ")
    .map((word) => plain(word))
    .join(" ");
}
