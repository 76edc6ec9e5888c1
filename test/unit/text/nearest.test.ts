import { describe, expect, test } from "vitest";
import { nearest } from "../../../src/sandtable/text/nearest.ts";

describe("nearest", () => {
  const words = ["load_id", "mc_number", "rate", "status"];
  test.each([
    ["lode_id", "load_id"],
    ["raet", "rate"],
    ["RATE", "rate"],
    ["mc_numbr", "mc_number"],
    ["stat", "status"],
  ])("%s is %s", (word, expected) => expect(nearest(word, words)).toBe(expected));
  test.each(["zebra", "x", ""])("%j is none of them", (word) => expect(nearest(word, words)).toBeUndefined());
  test("takes the first of equals", () => expect(nearest("cat", ["bat", "hat"])).toBe("bat"));
});
