import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Composer, isMap, isScalar, LineCounter, Parser } from "yaml";
import { offsetInScalar } from "../../../src/sandtable/domain/scalar-offset.ts";

/** Where the character at `index` of the value of the first key stands in `text`. */
function located(text: string, index: number): { value: string; found: string } {
  const tokens = new Parser(new LineCounter().addNewLine).parse(text);
  const [document] = [...new Composer().compose(tokens)];
  const node = isMap(document?.contents) ? document.contents.items[0]?.value : undefined;
  if (!isScalar(node) || typeof node.value !== "string") throw new Error("no text");
  return { value: node.value, found: text.slice(offsetInScalar(text, node, node.value, index)) };
}

describe("offsetInScalar", () => {
  test.each([
    ["plain", "a: one two", "two"],
    ["plain, folded", "a: one\n   two\n   three", "three"],
    ["single quotes", "a: 'it''s two'", "two"],
    ["double quotes", 'a: "\\u0041\\n\\" \\x41two"', "two"],
    ["double quotes, folded", 'a: "one\n  two three"', "three"],
    ["literal block", "a: |\n  one\n    two\n  three\n", "three"],
    ["folded block", "a: >\n  one\n  two\n\n  three\n", "three"],
    ["block with a blank line and indentation", "a: |2\n    one\n\n  two\n", "two"],
  ])("%s", (_name, text, word) => {
    const { value } = located(text, 0);
    expect(located(text, value.indexOf(word)).found.startsWith(word)).toBe(true);
  });

  test("points at the right word in every style, for random words", () => {
    const word = fc.stringMatching(/^[b-z]{1,6}$/);
    const style = fc.constantFrom<[string, string, string]>(
      ["", " ", ""],
      ["'", " ", "'"],
      ['"', "\n   ", '"'],
      ["|\n  ", "\n  ", "\n"],
      [">-\n  ", "\n  ", "\n"],
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 6 }),
        style,
        (words, [open, between, close]) => {
          const unique = words.map((one, index) => `${"a".repeat(index + 1)}${one}`);
          const text = `k: ${open}${unique.join(between)}${close}\n`;
          const { value } = located(text, 0);
          let from = 0;
          for (const one of unique) {
            const index = value.indexOf(one, from);
            expect(located(text, index).found.startsWith(one)).toBe(true);
            from = index + one.length;
          }
        },
      ),
    );
  });
});
