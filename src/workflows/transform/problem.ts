/** Something in a workflow's file that cannot work, and what to do about it. */
export interface Problem {
  file: string;
  /** From 1 on. */
  line: number;
  column: number;
  message: string;
}

/** The place of a character in a text. */
export function placeIn(source: string, at: number): { line: number; column: number } {
  const before = source.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** `file:line:column message`, as editors and terminals link it. */
export function printProblem({ file, line, column, message }: Problem): string {
  return `${file}:${line}:${column} ${message}`;
}
