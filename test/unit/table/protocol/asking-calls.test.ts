import { describe, expect, it } from "vitest";
import { describeArgs, readArgs, rowsReadArgs } from "../../../../src/table/protocol/asking-calls.ts";

describe("readArgs", () => {
  it("gives a window its defaults and drops columns that are no text", () => {
    expect(readArgs({})).toEqual({ offset: 0, limit: 10 });
    expect(readArgs({ columns: ["name", 4, null], scope: "full", limit: 3, offset: 6 })).toEqual({
      offset: 6,
      limit: 3,
      columns: ["name"],
      scope: "full",
    });
  });

  it("becomes the arguments of rows.read", () => {
    expect(rowsReadArgs(readArgs({ columns: ["name"] }))).toEqual({
      offset: 0,
      limit: 10,
      columns: ["name"],
    });
  });
});

describe("describeArgs", () => {
  it("takes keys, a bundle, both or neither", () => {
    expect(describeArgs({})).toEqual({});
    expect(describeArgs({ keys: ["rows.add"], bundle: "editing", other: 1 })).toEqual({
      keys: ["rows.add"],
      bundle: "editing",
    });
  });
});
