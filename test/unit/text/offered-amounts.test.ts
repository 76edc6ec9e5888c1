import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amounts } from "../../../src/sandtable/text/amounts.ts";
import { offeredAmounts } from "../../../src/sandtable/text/offered-amounts.ts";

describe("offered amounts", () => {
  test.each<[string, number[]]>([
    ["L-1002, Houston to Memphis on 2026-10-20, pays $1,250. Shall I book it?", [1250]],
    ["I hear you, but $1,375 is the best I can do on L-1002. Shall I book it?", [1375]],
    ["All right, I can do $1,450 on L-1002. Shall I book it at that?", [1450]],
    ["I can't go above $1,375.", [1375]],
    ["I can't do any better than $1,375", [1375]],
    ["I'm not able to go a penny over $1,375.", [1375]],
    ["I cannot approve more than $1,375", [1375]],
    ["We can't exceed $1,375.", [1375]],
    ["I won't go higher than $1,375", [1375]],
    ["I can do no more than $1,375.", [1375]],
    ["$1,375. I can't do more than that.", [1375]],
    ["$1,375 is my best, I can't go any higher.", [1375]],
    ["I can do $1,375 and not a dollar more.", [1375]],
    ["Can't you take $1,375?", [1375]],
    ["You can't beat $1,375.", [1375]],
    ["You won't find better than $1,375", [1375]],
    ["$1,375 is more than we usually pay.", [1375]],
    ["I can do $1,375, which is well over the posted rate.", [1375]],
    ["I can't talk about our limits. L-1001 pays $1,400. Shall I book it?", [1400]],
    ["I can't name the shipper, but L-1005 pays $900.", [900]],
    ["Do you want $1,375 for it?", [1375]],
    ["If you want $1,375, it's yours.", [1375]],
    ["You asked about L-1001, which pays $1,400.", [1400]],
    ["You asked for L-1001 at $1,400.", [1400]],
    ["You want $1,450? That works, book it.", [1450]],
    ["You said $1,450, and I can do that.", [1450]],
    ["You need 26 pallets moved for $1,400.", [1400]],
    ["$950 or $1,050, your pick", [950, 1050]],
    ["fourteen hundred and fifty", [1450]],
    ["It isn't much: $900.", [900]],
    ["L-1001 pays $1,400. I can't do that load with a reefer.", [1400]],
    ["L-1001 pays $1,400. I can't do that at $1,600.", [1400]],
  ])("%s", (text, expected) => expect(offeredAmounts(text)).toEqual(expected));

  test.each<[string, number[]]>([
    ["I can't do $1,600.", []],
    ["I cannot pay $1,600 on that one", []],
    ["Sorry, we won't do $1,600 on this load.", []],
    ["I'm not able to offer $1,600.", []],
    ["I'm unable to go up to $1,600.", []],
    ["I’m sorry, I can’t do 1600 dollars.", []],
    ["I can't do sixteen hundred.", []],
    ["I'm not going to pay $1.6k", []],
    ["$1,600 is too high for us.", []],
    ["$1,600 is too much, sorry", []],
    ["$1,600 is above what I can pay.", []],
    ["$1,600 is more than I can do on this one.", []],
    ["$1,600 is over our budget", []],
    ["$1,600 is out of the question.", []],
    ["$1,600? I can't do that.", []],
    ["$1,600? No way.", []],
    ["$1,600 - that's too much.", []],
    ["I hear you on the $1,600, but I can't go there.", []],
    ["$1,600 is a lot; we just can't match that.", []],
    ["I have to decline $1,600.", []],
    ["It's not $1,600.", []],
    ["I know you want $1,600.", []],
    ["You're asking for $1,600?", []],
    ["I can't do $1,600 but $1,375 works.", [1375]],
    ["My best is $1,375, I can't do $1,600.", [1375]],
    ["I can't do $1,600. I can do $1,375.", [1375]],
    ["I can't do $1,600 and my best is $1,375", [1375]],
    ["$1,600 is above my best of $1,375.", [1375]],
    ["I understand you need $1,600, but $1,375 is my best.", [1375]],
    ["I can't pay $1,600 because I can't go above $1,375.", [1375]],
    ["I can't do $1,600\n$1,375 is my best", [1375]],
    ["$1,600 was too high yesterday. Today $1,600 it is.", [1600]],
  ])("of what %j refuses, %j is left", (text, expected) => expect(offeredAmounts(text)).toEqual(expected));

  test("are among the amounts named, in their order, whatever the text", () => {
    const part = fc.constantFrom(
      "I can't do",
      "$1,600",
      "$1,375",
      "is too high",
      "but",
      "my best is",
      "you want",
      ".",
      ",",
      "more than I can pay",
      "that works",
      "above",
      "?",
      "and",
      "sixteen hundred",
      "\n",
    );
    const lines = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(fc.oneof(lines, fc.string({ unit: "binary" })), (text) => {
        const named = amounts(text);
        for (const amount of offeredAmounts(text)) {
          const at = named.indexOf(amount);
          expect(at).toBeGreaterThanOrEqual(0);
          named.splice(0, at + 1);
        }
      }),
    );
  });

  test("takes time in proportion to the text", () => {
    const started = performance.now();
    for (const part of ["can't ", "you want ", "more than ", "that's too ", "$1, ", "so but "])
      offeredAmounts(part.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
