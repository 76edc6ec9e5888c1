/** Where the keyboard is: a line (-1 is the header) and a column, from 0. */
export interface Spot {
  line: number;
  column: number;
}

/** Where a key leads; null for a key that leads nowhere. */
export function moved(
  { line, column }: Spot,
  { key, ctrlKey, metaKey, altKey }: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean },
  size: { lines: number; columns: number; page: number },
): Spot | null {
  if (altKey) return null;
  const far = ctrlKey || metaKey;
  const to = (nextLine: number, nextColumn: number): Spot => ({
    line: Math.max(-1, Math.min(size.lines - 1, nextLine)),
    column: Math.max(0, Math.min(size.columns - 1, nextColumn)),
  });
  switch (key) {
    case "ArrowDown":
      return to(far ? size.lines - 1 : line + 1, column);
    case "ArrowUp":
      return to(far ? -1 : line - 1, column);
    case "ArrowRight":
      return to(line, far ? size.columns - 1 : column + 1);
    case "ArrowLeft":
      return to(line, far ? 0 : column - 1);
    case "PageDown":
      return to(line + size.page, column);
    case "PageUp":
      return to(Math.max(0, line - size.page), column);
    case "Home":
      return to(far ? 0 : line, 0);
    case "End":
      return to(far ? size.lines - 1 : line, size.columns - 1);
    default:
      return null;
  }
}
