import type { Scalar } from "yaml";

/**
 * Offset in the file of the character at `index` of a scalar's value: past quotes and escapes, across folded lines
 * and the indentation of block scalars. Where value and source cannot be matched, the best guess so far.
 */
export function offsetInScalar(text: string, scalar: Scalar, value: string, index: number): number {
  const [start = 0, end = 0] = scalar.range ?? [];
  if (scalar.type === "BLOCK_LITERAL" || scalar.type === "BLOCK_FOLDED") {
    const header = text.indexOf("\n", start) + 1;
    return header === 0 ? start : align(text, header, end, value, index, () => undefined);
  }
  if (scalar.type === "QUOTE_SINGLE") return align(text, start + 1, end, value, index, singleQuoted);
  if (scalar.type === "QUOTE_DOUBLE") return align(text, start + 1, end, value, index, doubleQuoted);
  return align(text, start, end, value, index, () => undefined);
}

/** Characters of source that stand for one character of the value, when they are more than one. */
type Escape = (text: string, at: number) => number | undefined;

const singleQuoted: Escape = (text, at) => (text.startsWith("''", at) ? 2 : undefined);
const doubleQuoted: Escape = (text, at) => {
  if (text[at] !== "\\") return undefined;
  return { x: 4, u: 6, U: 10 }[text[at + 1] ?? ""] ?? 2;
};

function align(
  text: string,
  start: number,
  end: number,
  value: string,
  index: number,
  width: Escape,
): number {
  let at = start;
  for (let i = 0; i <= index && at < end; i++) {
    const wanted = value[i];
    // Line breaks and the indentation behind them fold into one space, into breaks, or into nothing.
    if (wanted !== " " || text[at] !== " ") {
      while (at < end && text[at] !== wanted && isBlank(text[at])) at++;
    }
    if (i === index) return at;
    const escaped = width(text, at);
    if (escaped !== undefined) at += escaped;
    else if (!isFold(wanted, text[at])) at++;
  }
  return Math.min(at, Math.max(end - 1, start));
}

/** The space that a folded line break became has been passed already. */
function isFold(wanted: string | undefined, found: string | undefined): boolean {
  return (wanted === " " || wanted === "\n") && found !== wanted;
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\t";
}
