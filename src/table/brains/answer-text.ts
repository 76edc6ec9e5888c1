/** Reads the `text` of a model's answer while it is being written. */
export interface AnswerText {
  /** Takes the next piece of the answer, cut anywhere; gives what of the text it completes. */
  push(piece: string): string;
}

const escapes: { readonly [letter: string]: string } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * Follows one JSON object through its top level. Once the string under `"text"` begins, `mayShow` is asked with the
 * members before it, as a JSON object: only what it allows is given out, since it cannot be taken back. An answer that
 * does not begin with an object, or is broken, gives nothing.
 */
export function answerText(mayShow: (before: string) => boolean): AnswerText {
  let whole = "";
  let at = 0;
  /** Where the member being read begins, after its comma. */
  let member = 0;
  let depth = 0;
  /** The last string of the top level: a key, when a colon follows. */
  let key = "";
  let isKey = false;
  let state: "before" | "outside" | "string" | "shown" | "over" = "before";
  let opened = 0;

  /** Whether `at` stands after the string's closing quote; moves over what is whole. */
  const overString = (): boolean => {
    for (; at < whole.length; at += 1) {
      if (whole[at] === "\\") {
        if (at + 1 >= whole.length) return false;
        at += 1;
      } else if (whole[at] === '"') {
        at += 1;
        return true;
      }
    }
    return false;
  };

  /** The text up to its end or to the last whole character. */
  const takeText = (): string => {
    let taken = "";
    while (at < whole.length) {
      const char = whole[at] ?? "";
      if (char === '"') {
        state = "over";
        return taken;
      }
      if (char !== "\\") {
        taken += char;
        at += 1;
        continue;
      }
      const letter = whole[at + 1];
      if (letter === undefined) return taken;
      if (letter !== "u") {
        taken += escapes[letter] ?? "";
        at += 2;
        continue;
      }
      const digits = whole.slice(at + 2, at + 6);
      if (digits.length < 4) return taken;
      taken += String.fromCharCode(Number.parseInt(digits, 16));
      at += 6;
    }
    return taken;
  };

  return {
    push(piece) {
      if (state === "over") return "";
      whole += piece;
      while (at < whole.length) {
        if (state === "shown") return takeText();
        if (state === "string") {
          if (!overString()) return "";
          state = "outside";
          if (depth === 1 && isKey) key = whole.slice(opened + 1, at - 1);
          continue;
        }
        const char = whole[at] ?? "";
        at += 1;
        if (state === "before") {
          if (char === "{") {
            state = "outside";
            depth = 1;
            isKey = true;
            member = at;
          } else if (char.trim() !== "") state = "over";
          if (state === "over") return "";
        } else if (char === '"') {
          opened = at - 1;
          state = "string";
          if (depth === 1 && !isKey && key === "text") {
            const before = `${whole.slice(0, member).trimEnd().replace(/,$/, "")}}`;
            state = mayShow(before) ? "shown" : "over";
          }
        } else if (char === "{" || char === "[") depth += 1;
        else if (char === "}" || char === "]") depth -= 1;
        else if (depth === 1 && char === ":") isKey = false;
        else if (depth === 1 && char === ",") {
          isKey = true;
          member = at;
        }
        if (state === "outside" && depth === 0) state = "over";
        if ((state as string) === "over") return "";
      }
      return "";
    },
  };
}
