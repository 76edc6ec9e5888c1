import { describe, expect, it } from "vitest";
import type { PlantedRow } from "../../../src/sandtable/trial/plan.ts";
import { plantingChunks } from "../../../src/sandtable/trial/planting.ts";

/** What a chunk holds, as rows again. */
function rowsOf(chunk: string): PlantedRow[] {
  const tables = JSON.parse(chunk) as Record<string, Record<string, string>>;
  return Object.entries(tables).flatMap(([table, rows]) =>
    Object.entries(rows).map(([key, row]): PlantedRow => [table, key, JSON.parse(row)]),
  );
}

describe("planting chunks", () => {
  it("have the rows of each table in order, whatever is in their names", () => {
    const rows: PlantedRow[] = [
      ["loads", "L-1", { load_id: "L-1", note: 'said "no"\n' }],
      ["loads", 'L-"2', { load_id: 'L-"2', stops: [{ city: "Łódź" }] }],
      ["carriers", "__proto__x", { mc: null }],
    ];
    expect([...plantingChunks(rows)].map(rowsOf)).toEqual([rows]);
    expect([...plantingChunks(rows)][0]).toBe(
      '{"loads":{"L-1":"{\\"load_id\\":\\"L-1\\",\\"note\\":\\"said \\\\\\"no\\\\\\"\\\\n\\"}",' +
        '"L-\\"2":"{\\"load_id\\":\\"L-\\\\\\"2\\",\\"stops\\":[{\\"city\\":\\"Łódź\\"}]}"},' +
        '"carriers":{"__proto__x":"{\\"mc\\":null}"}}',
    );
  });

  it("are none for a world without rows", () => {
    expect([...plantingChunks([])]).toEqual([]);
  });

  it("are each short enough for a statement, and a table goes on in the next", () => {
    const rows = Array.from(
      { length: 50 },
      (_, n): PlantedRow => [n < 40 ? "long" : "other", `k${n}`, { text: "é".repeat(30_000), n }],
    );
    const chunks = [...plantingChunks(rows)];
    expect(chunks.map((chunk) => rowsOf(chunk).length)).toEqual([13, 13, 13, 11]);
    expect(chunks.flatMap(rowsOf)).toEqual(rows);
    for (const chunk of chunks) expect(new TextEncoder().encode(chunk).length).toBeLessThan(2_000_000);
  });

  it("give a row that is too long for a chunk one of its own", () => {
    const long: PlantedRow = ["t", "long", { text: "x".repeat(500_000) }];
    const short: PlantedRow = ["t", "short", {}];
    expect([...plantingChunks([short, long, short])].map(rowsOf)).toEqual([[short], [long], [short]]);
  });
});
