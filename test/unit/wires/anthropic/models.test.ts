import { describe, expect, test } from "vitest";
import { anthropicModels, modelsQuerySchema } from "../../../../src/wires/anthropic/models.ts";
import { refusal } from "../decoding.ts";

const names = ["a", "b", "c", "d"];

function page(query: Record<string, string>) {
  const { data, ...rest } = anthropicModels(names, modelsQuerySchema.parse(query));
  return [data.map(({ id }) => id).join(""), rest.has_more, rest.first_id, rest.last_id];
}

describe("the catalogue", () => {
  test("lists an agent in the vendor's shape", () => {
    expect(anthropicModels(["support"], {})).toEqual({
      data: [{ type: "model", id: "support", display_name: "support", created_at: "2025-01-01T00:00:00Z" }],
      has_more: false,
      first_id: "support",
      last_id: "support",
    });
    expect(anthropicModels([], {})).toEqual({ data: [], has_more: false, first_id: null, last_id: null });
  });

  test("is paged from either end", () => {
    expect(page({})).toEqual(["abcd", false, "a", "d"]);
    expect(page({ limit: "2" })).toEqual(["ab", true, "a", "b"]);
    expect(page({ limit: "2", after_id: "b" })).toEqual(["cd", false, "c", "d"]);
    expect(page({ limit: "1", after_id: "b" })).toEqual(["c", true, "c", "c"]);
    expect(page({ after_id: "d" })).toEqual(["", false, null, null]);
    expect(page({ limit: "2", before_id: "d" })).toEqual(["bc", true, "b", "c"]);
    expect(page({ limit: "3", before_id: "d" })).toEqual(["abc", false, "a", "c"]);
  });

  test.each([
    [{ after_id: "x" }, "after_id"],
    [{ before_id: "" }, "before_id"],
    [{ before_id: "a", after_id: "b" }, "before_id"],
  ])("refuses %j", async (query, param) => {
    const error = await refusal(async () => anthropicModels(names, query));
    expect([error.status, error.details.param]).toEqual([400, param]);
  });

  test.each(["0", "1001", "1.5", "many"])("refuses a page of %s", (limit) => {
    expect(modelsQuerySchema.safeParse({ limit }).success).toBe(false);
  });
});
