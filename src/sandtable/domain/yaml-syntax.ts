import type { CST, LineCounter, YAMLError } from "yaml";

/** A syntax error in plain words, and where it is best shown. */
export interface SyntaxFault {
  offset: number;
  message: string;
}

/**
 * Says a syntax error of the `yaml` package in plain words. What was opened and never closed is shown where it was
 * opened: the parser notices it far below.
 */
export function explainSyntax(
  error: YAMLError,
  tokens: CST.Token[],
  text: string,
  lines: LineCounter,
): SyntaxFault {
  const [noticed] = error.pos;
  const { line, col } = lines.linePos(noticed);
  const before =
    noticed >= text.trimEnd().length ? "before the end of the file" : `before line ${line}, column ${col}`;
  const kind = /^Flow (sequence|map) /.exec(error.message)?.[1];
  if (kind !== undefined) {
    const list = kind === "sequence";
    const [open, close] = list ? ["[", "]"] : ["{", "}"];
    const offset = openFlow(tokens, open, noticed);
    const what = list ? "list" : "mapping";
    if (offset !== undefined)
      return { offset, message: `the ${what} that "${open}" opens here needs its "${close}" ${before}` };
  }
  if (error.code === "MISSING_CHAR" && error.message.startsWith("Missing closing")) {
    const offset = openQuote(tokens, noticed);
    if (offset !== undefined)
      return {
        offset,
        message: `the text that ${text[offset]} opens here needs its closing ${text[offset]} ${before}`,
      };
  }
  return { offset: noticed, message: plainWords(error, text[noticed]) };
}

function plainWords({ code, message }: YAMLError, character = ""): string {
  if (code === "BAD_INDENT" && message.startsWith("All mapping items"))
    return "this line is indented neither like the keys above it nor like something inside them";
  if (code === "BLOCK_AS_IMPLICIT_KEY") return 'a second ": " stands on this line; put the value in quotes';
  if (code === "TAB_AS_INDENT") return "the line is indented with a tab; use spaces";
  if (code === "BAD_SCALAR_START") return `a value cannot begin with ${character}; put it in quotes`;
  if (code === "MULTILINE_IMPLICIT_KEY") return 'a key has no ":" on its line';
  if (code === "MISSING_CHAR" && message.startsWith("Implicit map keys")) return 'a key has no ":" after it';
  return message;
}

/** Offset of the innermost flow collection that is begun with `open` before `end` and not closed. */
function openFlow(tokens: CST.Token[], open: string, end: number): number | undefined {
  let found: number | undefined;
  for (const token of allTokens(tokens)) {
    if (token.type !== "flow-collection" || token.start.source !== open || token.start.offset >= end)
      continue;
    const closed = token.end.some(({ type }) => type === (open === "[" ? "flow-seq-end" : "flow-map-end"));
    if (!closed && (found === undefined || token.start.offset > found)) found = token.start.offset;
  }
  return found;
}

/** Offset of the quoted text that reaches to `end`. */
function openQuote(tokens: CST.Token[], end: number): number | undefined {
  for (const token of allTokens(tokens)) {
    const quoted = token.type === "double-quoted-scalar" || token.type === "single-quoted-scalar";
    if (quoted && token.offset + token.source.length === end) return token.offset;
  }
  return undefined;
}

function* allTokens(tokens: CST.Token[]): Generator<CST.Token> {
  const stack = [...tokens];
  for (let token = stack.pop(); token !== undefined; token = stack.pop()) {
    yield token;
    if (token.type === "document" && token.value) stack.push(token.value);
    if (!("items" in token)) continue;
    for (const item of token.items) {
      if (item.key) stack.push(item.key);
      if (item.value) stack.push(item.value);
    }
  }
}
