import type { Terminal, Tone } from "./terminal.ts";
import { clip, pad, widthOf } from "./width.ts";

export interface Column {
  head: string;
  align?: "left" | "right";
  /** Takes the room that is left, and gives way first. */
  grow?: boolean;
  /** Columns with the highest number are left out first when the terminal is narrow. Absent: always shown. */
  priority?: number;
}

export interface Cell {
  text: string;
  tone?: Tone;
}

/** The narrowest a growing column gets before other columns are left out. */
const leastGrow = 14;

/** Prints rows below a head, fitted to the terminal. Columns without any text are left out. Cells hold plain text. */
export function printTable(columns: Column[], rows: Cell[][], terminal: Terminal): void {
  const room = terminal.columns() - 1;
  const natural = columns.map((column, index) =>
    Math.max(widthOf(column.head), ...rows.map((row) => widthOf(row[index]?.text ?? ""))),
  );
  const shown = columns.map((_, index) => rows.some((row) => (row[index]?.text ?? "") !== ""));
  const fixed = () =>
    columns.reduce(
      (sum, column, index) => (shown[index] ? sum + 2 + (column.grow ? 0 : (natural[index] ?? 0)) : sum),
      -2,
    );
  const optional = columns
    .map((column, index) => ({ index, priority: column.priority ?? 0 }))
    .filter(({ priority }) => priority > 0)
    .sort((a, b) => b.priority - a.priority);
  for (const { index } of optional) if (fixed() + leastGrow > room) shown[index] = false;
  const grown = Math.max(4, room - fixed());
  const widths = columns.map((column, index) =>
    column.grow ? Math.min(natural[index] ?? 0, grown) : (natural[index] ?? 0),
  );
  const print = (cells: Cell[]) => {
    const texts = columns.flatMap((column, index) => {
      if (!shown[index]) return [];
      const { text = "", tone } = cells[index] ?? {};
      const fitted = pad(clip(text, widths[index] ?? 0), widths[index] ?? 0, column.align);
      return [tone === undefined ? fitted : terminal.tone(tone, fitted)];
    });
    terminal.line(texts.join("  ").trimEnd());
  };
  print(columns.map(({ head }) => ({ text: head, tone: "dim" })));
  for (const row of rows) print(row);
}
