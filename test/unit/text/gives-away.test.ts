import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { givesAway, readForSecrets } from "../../../src/sandtable/text/gives-away.ts";
import { says } from "../../../src/sandtable/text/says.ts";

const reveals = (text: string, secret: string) => givesAway(readForSecrets(text), secret);

describe("a text gives a secret away", () => {
  test.each([
    ["It ships from Gulf Pipe Supply.", "Gulf Pipe Supply"],
    ["It's Gulf Pipe Supply's freight", "Gulf Pipe Supply"],
    ["Gulf Pipe Supply’s dock", "Gulf Pipe Supply"],
    ["Gulf Pipe Supplyʼs dock", "Gulf Pipe Supply"],
    ["one of the Gulf Pipe Supplys' loads", "Gulf Pipe Supply"],
    ["the Smiths' load", "Smith"],
    ["the Smiths are nice", "Smith"],
    ["Gulf-Pipe Supply", "Gulf Pipe Supply"],
    ["gulf–pipe–supply", "Gulf Pipe Supply"],
    ["Gulf Pipe/Supply, Houston", "Gulf Pipe Supply"],
    ["shipper: Gulf Pipe Supply/dock 7", "Gulf Pipe Supply"],
    ["Gulf Pipe Supply-owned", "Gulf Pipe Supply"],
    ["gulf_pipe_supply", "Gulf Pipe Supply"],
    ["GulfPipe Supply", "Gulf Pipe Supply"],
    ["write to docks@gulfpipesupply.com", "Gulf Pipe Supply"],
    ["**Gulf** Pipe *Supply*", "Gulf Pipe Supply"],
    ["“Gulf Pipe Supply”?", "Gulf Pipe Supply"],
    ["'Gulf Pipe Supply'", "Gulf Pipe Supply"],
    ["(Gulf Pipe Supply)", "Gulf Pipe Supply"],
    ["Gulf\u00a0Pipe\u200bSup\u00adply", "Gulf Pipe Supply"],
    ["ＧＵＬＦ Pipe Supply", "Gulf Pipe Supply"],
    ["Gulf Pipe\nSupply", "Gulf Pipe Supply"],
    ["O'Hara's warehouse", "O’Hara"],
    ["Marathon Intl.'s yard", "Marathon Intl."],
    ["our internal margins", "internal margin"],
    ["it's L 1002", "L-1002"],
    ["it's L1002's", "L-1002"],
    ["call 512-555-0142", "512-555-0142"],
    ["call (512) 555 0142", "512-555-0142"],
    ["call 512.555.0142.", "512-555-0142"],
    ["call 5125550142", "512-555-0142"],
    ["call +1 512-555-0142", "512-555-0142"],
    ["call 1-512-555-0142", "512-555-0142"],
    ["call 0015125550142", "512-555-0142"],
    ["tel:+15125550142", "512-555-0142"],
    ["it is $1,500.00", "1500"],
    ["发货人是海湾管道公司", "海湾管道"],
    ["thanks 👍", "👍"],
  ])("%j: %s", (text, secret) => expect(reveals(text, secret)).toBe(true));

  test.each([
    ["Gulf Pipes and a supply of them", "Gulf Pipe Supply"],
    ["Pipe Supply of the Gulf", "Gulf Pipe Supply"],
    ["the Gulf, by pipe", "Gulf Pipe Supply"],
    ["Gulf Pipe Suppliers", "Gulf Pipe Supply"],
    ["Smithson", "Smith"],
    ["goldsmith", "Smith"],
    ["blacksmiths", "Smith"],
    ["plan B, 5 loads", "B-5"],
    ["L-10023", "L-1002"],
    ["L-1002", "1002"],
    ["$15,000", "1500"],
    ["L-1500", "1500"],
    ["MC 100303", "L-100303"],
    ["call 512-555-0143", "512-555-0142"],
    ["call 555-0142", "512-555-0142"],
    ["anything", ""],
    ["", "Smith"],
  ])("not %j: %s", (text, secret) => expect(reveals(text, secret)).toBe(false));

  test("whenever the text says it, and wherever it stands", () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/);
    const words = fc.array(word, { minLength: 1, maxLength: 4 });
    const punctuation = fc.constantFrom(" ", ", ", ". ", " - ", "/", "\n", '"', " (", ": ");
    fc.assert(
      fc.property(words, words, words, punctuation, punctuation, (before, middle, after, left, right) => {
        const secret = middle.join(" ");
        expect(reveals(before.join(" ") + left + secret + right + after.join(" "), secret)).toBe(true);
        expect(reveals(`${before.join(" ")} ${secret}'s ${after.join(" ")}`, secret)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, secret) => {
        if (says(text, secret)) expect(reveals(text, secret)).toBe(true);
      }),
    );
  });

  test("takes time in proportion to the text", () => {
    const started = performance.now();
    for (const part of ["aaaaa", "a ", "12", "1 "]) reveals(part.repeat(20_000), `${"a".repeat(50)}b`);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
