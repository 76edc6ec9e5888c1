import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TableContract, TableManifest } from "../../../../src/table/protocol/contract.ts";
import { contractFingerprint } from "../../../../src/table/protocol/fingerprint.ts";
import { parseContext, parseManifest } from "../../../../src/table/protocol/parse-contract.ts";
import { sha256 } from "../../../../src/table/protocol/sha256.ts";
import { contract, manifest } from "./fixtures.ts";

const base = parseContext({ contract: contract() }).contract;
const described = parseManifest(manifest());
const catalog = [
  { key: "edit.cells", summary: "Edit" },
  { key: "view.setSort", summary: "Sort" },
];

function fingerprint(
  over: Partial<TableContract> = {},
  also: Partial<TableManifest> = {},
  entries = catalog,
) {
  return contractFingerprint({ ...base, ...over }, { ...described, ...also }, entries);
}

describe("contractFingerprint", () => {
  it("stays while only the view moves, and in whatever order things are listed", () => {
    const [name, salary] = base.columns;
    if (!name || !salary) throw new Error("the fixture has two columns");
    const same = [
      fingerprint({}, { viewRevision: 99 }),
      fingerprint({}, { pagination: { page: 2, pageSize: 10, hasPrevious: true, canJump: true } }),
      fingerprint({}, { source: { ...described.source, totalCount: 12 } }),
      fingerprint({ columns: [{ ...salary, visible: false }, name] }),
      fingerprint({ version: "c2" }),
      fingerprint({ capabilities: [] }),
      fingerprint({}, {}, [...catalog].reverse()),
    ];
    expect(new Set([fingerprint(), ...same]).size).toBe(1);
    const sampled = (examples: string[]) =>
      fingerprint({ columns: [{ ...name, examples, sampled: true }, salary] });
    expect(sampled(["Ana"])).toBe(sampled(["Bo"]));
  });

  it("changes with everything a backend decides by", () => {
    const [name, salary] = base.columns;
    const [range] = base.filters;
    if (!name || !salary || !range) throw new Error("the fixture has two columns and a filter");
    const different = [
      fingerprint(),
      fingerprint({ columns: [name, { ...salary, writable: false }] }),
      fingerprint({ columns: [{ ...name, label: "Person" }, salary] }),
      fingerprint({ columns: [{ ...name, examples: ["Ana"] }, salary] }),
      fingerprint({ columns: [name] }),
      fingerprint({ filters: [{ ...range, operators: ["gte"] }] }),
      fingerprint({ aggregations: { columns: [{ id: "salary", operations: [] }], active: [] } }),
      fingerprint({}, { policy: { ...described.policy, commit: "immediate" } }),
      fingerprint({}, { limits: { pageMax: 5, readMax: 5 } }),
      fingerprint({}, { tableId: "orders" }),
      fingerprint({}, { capabilities: [] }),
      fingerprint({}, { source: { ...described.source, fullDataset: false } }),
      fingerprint({}, {}, catalog.slice(1)),
    ];
    expect(new Set(different).size).toBe(different.length);
  });
});

describe("sha256", () => {
  it("is the digest of the UTF-8 bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
      }),
      { numRuns: 500 },
    );
  });
});
