import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { says } from "../../../src/sandtable/text/says.ts";
import { revealsNumber, statesNumber } from "../../../src/sandtable/text/states-number.ts";
import { tokenize } from "../../../src/sandtable/text/tokens.ts";

describe("says", () => {
  test.each([
    ["It pays $1,375.00 all in", "1375"],
    ["It pays 1375", "$1,375"],
    ["It pays 1,375 dollars", "$1,375"],
    ["I can do 1.4k", "1,400"],
    ["sixteen hundred", "$1,600"],
    ["Your insurance has EXPIRED.", "expired"],
    ["Your   insurance\nhas expired", "insurance has expired"],
    ["I’m sorry", "I'm sorry"],
    ["“rate con”", '"rate con"'],
    ["the follow–up call", "follow-up"],
    ["the follow up call", "follow-up"],
    ["Load L-1002 is booked", "l-1002"],
    ["Load L‑1002 is booked", "L-1002"],
    ["MC 100202 is fine", "100202"],
    ["Yes, book it!", "yes book it"],
    ["at 5:30 pm", "5:30pm"],
    ["call (555) 123-4567", "555-123-4567"],
    ["a 15 percent fee", "15%"],
    ["on 2026-10-18T21:05:00Z", "2026-10-18"],
    ["résumé sent", "RÉSUMÉ"],
    ["您的保险已过期", "保险"],
    ["thanks 👍", "👍"],
    ["rate:1500", "1500"],
    ["$1500/load", "1500"],
    ["Gulf Pipe Supply's dock", "Gulf Pipe Supply"],
    ["Gulf Pipe Supply’s", "gulf pipe supply"],
    ["Gulf-Pipe Supply", "Gulf Pipe Supply"],
    ["Gulf Pipe Supply/Houston", "Gulf Pipe Supply"],
    ['"Gulf Pipe Supply".', "Gulf Pipe Supply"],
    ["it's fine", "it's"],
    ["L-1002's rate", "L-1002"],
    ["a dollar´s worth", "dollar's"],
    ["Gulf\u200bPipe Sup\u00adply", "Gulf Pipe Supply"],
  ])("%j says %j", (text, phrase) => expect(says(text, phrase)).toBe(true));

  test.each([
    ["It pays 13750", "1375"],
    ["It pays 1,375,000", "1,375"],
    ["Load L-1002", "1002"],
    ["Load L-10023", "L-1002"],
    ["Load L-1002", "5"],
    ["1.5", "5"],
    ["it expires", "expire"],
    ["unexpired", "expired"],
    ["15%", "15"],
    ["anything", ""],
    ["anything", "  "],
    ["thanks", "👍"],
    ["insurance has not expired", "has expired"],
    ["I can't", "can"],
    ["you're late", "you"],
    ["the supplies", "supply"],
    ["Gulf Pipe Supply", "Gulf Pipe Supply's"],
    ["the drivers' log", "driver"],
  ])("%j does not say %j", (text, phrase) => expect(says(text, phrase)).toBe(false));

  test("a phrase of words is said by any text that holds it between spaces", () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/);
    const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(phrase, phrase, phrase, (before, middle, after) => {
        expect(says(`${before} ${middle.toUpperCase()}, ${after}`, middle)).toBe(true);
      }),
    );
  });

  test("tokens of a text say what the text says", () => {
    const words = fc.constantFrom(
      "book",
      "L-1002",
      "$1,375",
      "1375",
      "usd",
      "us",
      "t5",
      "two-day",
      "it's",
      "MC#7",
      "naïve",
      "5pm",
      "a1",
      "...",
      "保险",
    );
    const line = fc.array(words, { maxLength: 6 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(line, line, (text, phrase) => {
        expect(says(tokenize(text), phrase)).toBe(says(text, phrase) && /[\p{L}\p{N}]/u.test(phrase));
        expect(says(`so ${text} then`, text)).toBe(text.trim() !== "");
      }),
    );
  });

  test("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, phrase) => {
        expect(typeof says(text, phrase)).toBe("boolean");
      }),
    );
  });

  test("a whole number is said in every format", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), (n) => {
        for (const text of [
          `${n}`,
          `$${n.toLocaleString("en-US")}`,
          `${n.toLocaleString("en-US")}.00`,
          `USD ${n}`,
        ]) {
          expect(says(`it is ${text}.`, String(n))).toBe(true);
          expect(says(`it is ${text}.`, String(n + 1))).toBe(false);
        }
      }),
    );
  });

  test("takes time in proportion to the text", () => {
    const started = performance.now();
    expect(says("1,".repeat(20_000), "zzz")).toBe(false);
    expect(says("a-".repeat(20_000), "zzz")).toBe(false);
    expect(says("1".repeat(40_000), "zzz")).toBe(false);
    expect(says("two ".repeat(10_000), "zzz")).toBe(false);
    expect(says("_".repeat(40_000), "zzz")).toBe(false);
    expect(says("1 ".repeat(20_000), "zzz")).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("numbers", () => {
  test("are stated in any format and role", () => {
    expect(statesNumber("1.45k it is", 1450)).toBe(true);
    expect(statesNumber("load 1450", 1450)).toBe(true);
    expect(statesNumber("26 pallets", 26)).toBe(true);
    expect(statesNumber("L-26", 26)).toBe(false);
    expect(statesNumber("26.5", 26)).toBe(false);
  });

  test("are given away as quantities only", () => {
    expect(revealsNumber("our ceiling is fifteen hundred", 1500, false)).toBe(true);
    expect(revealsNumber("$1,500", 1500, false)).toBe(true);
    expect(revealsNumber("MC 1500", 1500, true)).toBe(false);
    expect(revealsNumber("L-1500", 1500, true)).toBe(false);
    expect(revealsNumber("1,500 miles", 1500, false)).toBe(false);
    expect(revealsNumber("1,500 miles", 1500, true)).toBe(true);
    expect(revealsNumber("a margin of 15%", 15, false)).toBe(true);
    expect(revealsNumber("a margin of 15%", 0.15, false)).toBe(true);
    expect(revealsNumber("at 5:30, for $1,575", 5, true)).toBe(false);
  });
});
