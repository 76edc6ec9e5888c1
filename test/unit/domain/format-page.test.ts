import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadDomain } from "../../../src/sandtable/domain/load.ts";
import { ruleForms } from "../../../src/sandtable/domain/source/rules.ts";
import { callerActs, operators } from "../../../src/sandtable/domain/types.ts";

const page = readFileSync(new URL("../../../docs/domain-format.md", import.meta.url), "utf8");

/** The page's blocks as files: a YAML block names its file in its first line, others behind the fence's language. */
function filesOfPage(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [, info = "", body = ""] of page.matchAll(/^```(\S[^\n]*)\n(.*?)^```$/gms)) {
    const [language, named] = info.split(" ");
    if (language === "text") continue;
    const path = language === "yaml" ? /^# (\S+\.yaml)$/m.exec(body)?.[1] : named;
    if (path === undefined) throw new Error(`a block names no file: ${body.slice(0, 60)}`);
    files[path] = (files[path] ?? "") + body;
  }
  return files;
}

describe("docs/domain-format.md", () => {
  test("all blocks together are one domain that loads", () => {
    const files = filesOfPage();
    expect(Object.keys(files).length).toBeGreaterThan(8);
    const loaded = loadDomain(files);
    expect(loaded.ok ? [] : loaded.problems).toEqual([]);
    if (!loaded.ok) return;
    expect(loaded.domain.tables.map((table) => [table.name, table.rows.length])).toEqual([
      ["loads", 3],
      ["carriers", 2],
      ["bookings", 0],
      ["lanes", 2],
    ]);
    expect(loaded.domain.tools.length).toBe(8);
    expect(new Set(loaded.domain.rules.map((rule) => rule.kind))).toEqual(new Set(ruleForms));
    expect(loaded.domain.tasks.map((task) => task.id)).toEqual(["refuse-expired", "walk-away-above-ceiling"]);
  });

  test.each([...operators, "any", ...callerActs, ...ruleForms])("explains %s", (word) => {
    expect(page).toMatch(new RegExp(`^\\|[^\\n]*\`[^\`\\n]*\\b${word}\\b`, "m"));
  });
});
