import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkText } from "../../../objects/chunked-text.ts";

describe("chunkText", () => {
  it("gives one empty piece for an empty text", () => {
    expect(chunkText("")).toEqual([""]);
  });

  it("does not cut a surrogate pair", () => {
    const text = `${"a".repeat(499_999)}😀b`;
    expect(chunkText(text).map((piece) => piece.length)).toEqual([499_999, 3]);
  });

  it("loses nothing and keeps every piece within a row", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 0, max: 120_000 }), (unit, times) => {
        const text = unit.repeat(Math.min(times, Math.floor(2_000_000 / (unit.length || 1))));
        const pieces = chunkText(text);
        expect(pieces.join("")).toBe(text);
        expect(Math.max(...pieces.map((piece) => new TextEncoder().encode(piece).length))).toBeLessThan(
          2_000_000,
        );
      }),
      { numRuns: 30 },
    );
  });
});
