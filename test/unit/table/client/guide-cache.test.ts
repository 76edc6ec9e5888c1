import { describe, expect, it } from "vitest";
import { guideCache } from "../../../../src/table/client/guide-cache.ts";
import { guide } from "./fake-session.ts";

describe("guideCache", () => {
  it("keeps two versions, the ones used last", () => {
    const cache = guideCache();
    cache.keep("v1", [guide("a")]);
    cache.keep("v2", [guide("b")]);
    cache.keep("v1", [guide("c")]);
    cache.keep("v3", [guide("d")]);
    expect(["v1", "v2", "v3"].map((version) => cache.keys(version))).toEqual([["a", "c"], [], ["d"]]);
  });

  it("keeps 64 guides of a version, the ones given last", () => {
    const cache = guideCache();
    cache.keep(
      "v1",
      Array.from({ length: 64 }, (_, index) => guide(`k${index}`)),
    );
    cache.keep("v1", [guide("k0"), guide("new")]);
    expect(cache.keys("v1")).toHaveLength(64);
    expect(cache.keys("v1")).not.toContain("k1");
    expect(cache.keys("v1").slice(-2)).toEqual(["k0", "new"]);
  });

  it("is empty once cleared", () => {
    const cache = guideCache();
    cache.keep("v1", [guide("a")]);
    cache.clear();
    expect(cache.keys("v1")).toEqual([]);
  });
});
