import { describe, expect, test } from "vitest";
import { loadDomain } from "../../../src/sandtable/domain/load.ts";
import { ruleForms } from "../../../src/sandtable/domain/source/rules.ts";
import { callerActs, type Domain, operators } from "../../../src/sandtable/domain/types.ts";
import { MemoryWorld } from "../../../src/sandtable/world/memory-world.ts";
import { plantWorld } from "../../../src/sandtable/world/plant-world.ts";
import { runTool } from "../../../src/sandtable/world/run-tool.ts";
import type { JsonObject } from "../../../src/turn/json.ts";
import { filesOfPage, page } from "./page.ts";

function domainOfPage(): Domain {
  const loaded = loadDomain(filesOfPage());
  if (loaded.ok) return loaded.domain;
  throw new Error(JSON.stringify(loaded.problems, null, 2));
}

describe("docs/domain-format.md", () => {
  test("all blocks together are one domain that loads", () => {
    const domain = domainOfPage();
    expect(domain.tables.map((table) => [table.name, table.rows.length])).toEqual([
      ["loads", 3],
      ["carriers", 2],
      ["bookings", 0],
      ["lanes", 2],
    ]);
    expect(domain.tools.length).toBe(8);
    expect(new Set(domain.rules.map((rule) => rule.kind))).toEqual(new Set(ruleForms));
    expect(domain.tasks.map((task) => task.id)).toEqual(["refuse-expired", "walk-away-above-ceiling"]);
  });

  test.each([...operators, "any", ...callerActs, ...ruleForms])("a table explains %s", (word) => {
    expect(page).toMatch(new RegExp(`^\\|[^\\n]*\`[^\`\\n]*\\b${word}\\b`, "m"));
  });

  const booking = { load_id: "L-1001", mc_number: "100101", rate: 1000 };
  test.each<[string, JsonObject, string]>([
    ["bok_load", {}, 'unknown tool "bok_load"'],
    ["book_load", { ...booking, foo: 1 }, 'unknown argument "foo"'],
    ["book_load", { mc_number: "1", rate: 1 }, 'missing argument "load_id"'],
    ["book_load", { ...booking, rate: "1" }, 'argument "rate" must be a number, not a string'],
    ["book_load", { ...booking, rate: -5 }, 'argument "rate" must be at least 0, not -5'],
    [
      "book_load",
      { ...booking, equipment: "flatbed" },
      'argument "equipment" must be one of van, reefer, not flatbed',
    ],
    ["drop_notes", { load_id: "L-9", kind: "sale" }, "Load L-9 not found"],
  ])("%s gives an error the page names", (tool, args, error) => {
    const { tables, tools, clock } = domainOfPage();
    const world = new MemoryWorld();
    plantWorld(world, tables, []);
    const outcome = runTool(
      tools,
      tool,
      args,
      { world, conversation: { messages: [], calls: [] }, clock },
      tables,
    );
    expect(outcome).toEqual({ ok: false, error, changes: [] });
    expect(page).toContain(`\`${error}\``);
  });

  test("the mistake it shows is the one that is made", () => {
    const files = filesOfPage();
    const tools = (files["tools.yaml"] ?? "").replace("key: $mc_number }", "key: $mc_numbr }");
    const loaded = loadDomain({ ...files, "tools.yaml": tools });
    const [problem] = loaded.ok ? [] : loaded.problems;
    expect(problem?.message).toBe('unknown argument "mc_numbr" of verify_carrier; expected mc_number');
    expect(page).toContain(
      'unknown argument "lode_id" of get_load; expected load_id (did you mean load_id?)',
    );
  });
});
