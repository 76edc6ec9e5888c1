import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonFault } from "../../../src/http/json-fault.ts";

describe("findJsonFault", () => {
  it.each([
    ["", 1, 1, "a value", null],
    ["{", 1, 2, "a key in double quotes or }", null],
    ["[1,]", 1, 4, "a value", "]"],
    ["[1 2]", 1, 4, "a comma or ]", "2"],
    ['{"a" 1}', 1, 6, "a colon", "1"],
    ['{"a":1,}', 1, 8, "a key in double quotes", "}"],
    ['{"a":1 "b":2}', 1, 8, "a comma or }", '"'],
    ['{\n  "a": 1,\n  b: 2\n}', 3, 3, "a key in double quotes", "b"],
    ["{'a':1}", 1, 2, "a key in double quotes or }", "'"],
    ['"abc', 1, 5, "a closing double quote", null],
    ['"a\nb"', 1, 3, "an escaped control character", "\n"],
    ['"\\x"', 1, 2, "a JSON escape", "\\"],
    ['"\\u12g4"', 1, 2, "a JSON escape", "\\"],
    ["01", 1, 2, "nothing more", "1"],
    ["NaN", 1, 1, "a value", "N"],
    ["1 //", 1, 3, "nothing more", "/"],
    ["{} {}", 1, 4, "nothing more", "{"],
    ["[1]]", 1, 4, "nothing more", "]"],
    ["[}", 1, 2, "a value or ]", "}"],
  ])("places the fault of %j", (text, line, column, expected, found) => {
    expect(findJsonFault(text)).toMatchObject({ line, column, expected, found });
  });

  it("agrees with the engine on text that is JSON", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2, "\t"), (text, indent) => {
        expect(findJsonFault(JSON.stringify(JSON.parse(text), null, indent))).toBeNull();
      }),
    );
  });

  it("agrees with the engine on text made of JSON's own characters", () => {
    const piece = fc.constantFrom(
      ...'[]{},:"\\ \n0123456789.-+eEu/',
      "true",
      "false",
      "null",
      '"a"',
      '"a":',
      "\u0001",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        expect(findJsonFault(text) === null).toBe(parses(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it("does not recurse", () => {
    expect(findJsonFault("[".repeat(1_000_000))).toMatchObject({
      offset: 1_000_000,
      expected: "a value or ]",
    });
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
