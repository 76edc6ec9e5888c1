/** Where a text stops being JSON. Line and column count from 1, columns in UTF-16 units. */
export interface JsonFault {
  offset: number;
  line: number;
  column: number;
  /** What would have been right there, such as `a value`. */
  expected: string;
  /** The character found, or `null` at the end of the text. */
  found: string | null;
}

type State = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or ]" | "comma or }" | "end";

const expectations: { [state in State]: string } = {
  value: "a value",
  "value or ]": "a value or ]",
  key: "a key in double quotes",
  "key or }": "a key in double quotes or }",
  colon: "a colon",
  "comma or ]": "a comma or ]",
  "comma or }": "a comma or }",
  end: "nothing more",
};

/**
 * The first place where `text` is not JSON (RFC 8259), or `null` when it is. Engines word and place this each in
 * their own way, often without a position; this is run only once they have refused the text. Linear, not recursive.
 */
export function findJsonFault(text: string): JsonFault | null {
  const open: ("array" | "object")[] = [];
  let state: State = "value";
  let at = 0;
  for (;;) {
    at = skipSpace(text, at);
    const character = text[at];
    if (character === undefined) return state === "end" ? null : fault(text, at, expectations[state]);

    if ((state === "value or ]" || state === "comma or ]") && character === "]") {
      open.pop();
      state = afterValue(open);
      at++;
    } else if ((state === "key or }" || state === "comma or }") && character === "}") {
      open.pop();
      state = afterValue(open);
      at++;
    } else if (state === "comma or ]" || state === "comma or }") {
      if (character !== ",") return fault(text, at, expectations[state]);
      state = state === "comma or ]" ? "value" : "key";
      at++;
    } else if (state === "colon") {
      if (character !== ":") return fault(text, at, expectations[state]);
      state = "value";
      at++;
    } else if (state === "key" || state === "key or }") {
      if (character !== '"') return fault(text, at, expectations[state]);
      const string = scanString(text, at);
      if (string.expected !== null) return fault(text, string.end, string.expected);
      at = string.end;
      state = "colon";
    } else if (state === "end") {
      return fault(text, at, expectations[state]);
    } else if (character === "[" || character === "{") {
      open.push(character === "[" ? "array" : "object");
      state = character === "[" ? "value or ]" : "key or }";
      at++;
    } else if (character === '"') {
      const string = scanString(text, at);
      if (string.expected !== null) return fault(text, string.end, string.expected);
      at = string.end;
      state = afterValue(open);
    } else {
      const end = scanPlain(text, at);
      if (end === null) return fault(text, at, expectations[state]);
      at = end;
      state = afterValue(open);
    }
  }
}

function afterValue(open: ("array" | "object")[]): State {
  const inside = open.at(-1);
  if (inside === undefined) return "end";
  return inside === "array" ? "comma or ]" : "comma or }";
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\n\r".includes(text.charAt(at))) at++;
  return at;
}

/** Past the string that opens at `open`, or the place inside it that is wrong and what belongs there. */
function scanString(text: string, open: number): { end: number; expected: string | null } {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { end: at + 1, expected: null };
    if (code < 0x20) return { end: at, expected: "an escaped control character" };
    if (code !== 0x5c) continue;
    const escaped = text.slice(at, at + 6);
    if (/^\\u[0-9a-fA-F]{4}$/.test(escaped)) at += 5;
    else if (/^\\["\\/bfnrt]/.test(escaped)) at += 1;
    else return { end: at, expected: "a JSON escape" };
  }
  return { end: text.length, expected: "a closing double quote" };
}

/** Past the number, `true`, `false` or `null` at `at`; `null` when there is none. */
function scanPlain(text: string, at: number): number | null {
  const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
  plain.lastIndex = at;
  return plain.test(text) ? plain.lastIndex : null;
}

function fault(text: string, offset: number, expected: string): JsonFault {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return {
    offset,
    line: before.split("\n").length,
    column: offset - lineStart + 1,
    expected,
    found: text[offset] ?? null,
  };
}
