import fc from "fast-check";
import { expect, test } from "vitest";
import { CallArguments } from "../../../../src/agents/runtime/call-arguments.ts";

/** Feeds the pieces; returns what came out with each, and how it was closed. */
function read(pieces: string[]) {
  const args = new CallArguments();
  const given = pieces.map((piece) => args.push(piece));
  return { given, ...args.close() };
}

test.each([
  ["{}", "{}", true],
  ["", "{}", true],
  ["  \n", "{}", true],
  [' {"a": [1, -2.5e3, true, null]} ', ' {"a": [1, -2.5e3, true, null]} ', true],
  ['{"a":"he said \\"hi\\" \\u00e9"}', '{"a":"he said \\"hi\\" \\u00e9"}', true],
  ['{"text": "on', '{"text": "on"}', false],
  ['{"text": "on\\', '{"text": "on"}', false],
  ['{"text": "on\\u00', '{"text": "on"}', false],
  ['{"a": 1, "b', '{"a": 1}', false],
  ['{"a": 1, "b":', '{"a": 1}', false],
  ['{"a": [1, 2', '{"a": [1]}', false],
  ['{"a": tru', "{}", false],
  ['{"a": 1}{"b": 2}', '{"a": 1}', false],
  ['{"a": 1} done', '{"a": 1} ', false],
  ['{"a": 01}', "{}", false],
  ['{"a": "x\ny"}', '{"a": "x"}', false],
  ["{'a': 1}", "{}", false],
  ['{"a": 1,}', '{"a": 1}', false],
  ["[1]", "{}", false],
  ['"text"', "{}", false],
  ["null", "{}", false],
  ["<tool>", "{}", false],
])("%j comes out as %j", (input, text, complete) => {
  const closed = read([input]);
  expect({ text: closed.text, complete: closed.complete }).toEqual({ text, complete });
});

test("what is given out piece by piece joins to the whole", () => {
  const { given, rest, text } = read(['{"te', 'xt":', '"o', 'ne"', "}"]);
  expect(given).toEqual(["{", "", '"text":"o', 'ne"', "}"]);
  expect(rest).toBe("");
  expect(text).toBe('{"text":"one"}');
});

test("nesting has an end", () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  expect(read([deep(64)]).complete).toBe(true);
  const { text, complete } = read([deep(65)]);
  expect(complete).toBe(false);
  expect(() => JSON.parse(text)).not.toThrow();
});

/** Cuts a text at these places. */
function cut(text: string, places: number[]): string[] {
  const at = [...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return at.map((end, index) => text.slice(index === 0 ? 0 : at[index - 1], end));
}

test("an object comes out as it went in, however it is cut", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.array(fc.nat()),
      fc.nat(3),
      (object, places, indent) => {
        const text = JSON.stringify(object, null, indent);
        const { given, rest, complete } = read(cut(text, places));
        expect(given.join("") + rest).toBe(text);
        expect(complete).toBe(true);
      },
    ),
  );
});

test("whatever comes, what is shown is a JSON object, and its pieces do not depend on the cuts", () => {
  const broken = fc
    .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), fc.string(), fc.nat(20))
    .map(([object, at, junk, gone]) => {
      const text = JSON.stringify(object);
      const place = at % (text.length + 1);
      return text.slice(0, place) + junk + text.slice(place + gone);
    });
  fc.assert(
    fc.property(fc.oneof(broken, fc.string()), fc.array(fc.nat()), (text, places) => {
      const { given, rest, text: whole, complete } = read(cut(text, places));
      expect(given.join("") + rest).toBe(whole);
      expect(JSON.parse(whole)).toBeTypeOf("object");
      expect(whole).toBe(read([text]).text);
      let valid = text.trim() === "" ? {} : null;
      try {
        valid = JSON.parse(text);
      } catch {
        // Not JSON at all.
      }
      const isObject = typeof valid === "object" && valid !== null && !Array.isArray(valid);
      expect(complete).toBe(isObject);
    }),
    { numRuns: 500 },
  );
});
