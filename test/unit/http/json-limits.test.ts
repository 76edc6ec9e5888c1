import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exceededJsonLimit, maxJsonDepth, maxJsonValues } from "../../../src/http/json-limits.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("exceededJsonLimit", () => {
  it("allows the limits themselves and nothing beyond", () => {
    expect(exceededJsonLimit(nested(maxJsonDepth))).toBeNull();
    expect(exceededJsonLimit(nested(maxJsonDepth + 1))).toBe("depth");
    expect(exceededJsonLimit(`{"a":`.repeat(maxJsonDepth + 1))).toBe("depth");
    // The list itself counts as one, its elements as one each.
    expect(exceededJsonLimit(`[${"0,".repeat(maxJsonValues - 2)}0]`)).toBeNull();
    expect(exceededJsonLimit(`[${"0,".repeat(maxJsonValues - 1)}0]`)).toBe("values");
  });

  it("does not count what stands inside a string", () => {
    expect(exceededJsonLimit(JSON.stringify("[".repeat(1_000)))).toBeNull();
    expect(exceededJsonLimit(JSON.stringify('\\"['.repeat(1_000)))).toBeNull();
    expect(exceededJsonLimit(`"\\\\"${"[".repeat(101)}`)).toBe("depth");
    expect(exceededJsonLimit(`"\\"${"[".repeat(101)}`)).toBeNull();
  });

  it("counts the depth of any value as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const depth = depthOf(value);
        const text =
          "[".repeat(maxJsonDepth - depth) + JSON.stringify(value) + "]".repeat(maxJsonDepth - depth);
        expect(exceededJsonLimit(text)).toBeNull();
        expect(exceededJsonLimit(`[${text}]`)).toBe("depth");
      }),
    );
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
