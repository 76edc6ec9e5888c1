import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadDomain } from "../../../src/sandtable/domain/load.ts";
import type { Files } from "./sample.ts";
import { sample, withFiles } from "./sample.ts";

const paths = [
  ...Object.keys(sample),
  "tools/x.yaml",
  "tasks/x.yaml",
  "world/x.yaml",
  "world/x.jsonl",
  "a/b/c.yaml",
  "__proto__",
];

function expectOrderly(files: Files): void {
  const loaded = loadDomain(files);
  if (loaded.ok) return;
  expect(loaded.problems.length).toBeGreaterThan(0);
  for (const { file, line, column, message } of loaded.problems) {
    expect(file).not.toBe("");
    expect(line).toBeGreaterThanOrEqual(1);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(message).not.toMatch(/undefined|\[object|NaN/);
  }
  const places = loaded.problems.map(({ file, line }) => [file, line] as const);
  const sorted = [...places].sort(([a, m], [b, n]) => (a < b ? -1 : a > b ? 1 : m - n));
  expect(places).toEqual(sorted);
}

describe("loadDomain never throws", () => {
  test("on random text", () => {
    fc.assert(fc.property(fc.dictionary(fc.constantFrom(...paths), fc.string()), expectOrderly), {
      numRuns: 300,
    });
  });

  test("on random YAML values where the format expects something else", () => {
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value));
    const files = fc.dictionary(fc.constantFrom(...paths), json);
    fc.assert(
      fc.property(files, (changes) => expectOrderly(withFiles(changes))),
      { numRuns: 150 },
    );
  });

  test("on the format's own words in the wrong places", () => {
    const words =
      Object.values(sample)
        .join(" ")
        .match(/[\w$.-]+|[{}[\]:,&*|>!]/g) ?? [];
    const text = fc
      .array(fc.constantFrom(...words, "\n", "\n  ", "\n    ", ": ", "- "), { maxLength: 60 })
      .map((list) => list.join(" "));
    const files = fc.dictionary(fc.constantFrom(...paths), text);
    fc.assert(
      fc.property(files, (changes) => expectOrderly(withFiles(changes))),
      { numRuns: 150 },
    );
  });

  test("on a right domain with one piece cut out, doubled or replaced", () => {
    const piece = fc.constantFrom("", "{}", "[]", "null", "5", "$x", "true", "\n", "*a", "&a ");
    const cut = fc.record({
      file: fc.constantFrom(...Object.keys(sample)),
      at: fc.nat(1200),
      length: fc.nat(12),
      piece,
    });
    const property = fc.property(cut, ({ file, at, length, piece: put }) => {
      const text = sample[file] ?? "";
      const from = at % (text.length + 1);
      expectOrderly({ ...sample, [file]: text.slice(0, from) + put + text.slice(from + length) });
    });
    fc.assert(property, { numRuns: 150 });
  });
});

describe("limits", () => {
  const problems = (files: Files) => {
    const loaded = loadDomain(withFiles(files));
    return loaded.ok ? [] : loaded.problems;
  };

  test("a file that is too large", () => {
    expect(problems({ "rules.yaml": `# ${"x".repeat(2 * 1024 * 1024)}` })).toEqual([
      {
        file: "rules.yaml",
        line: 1,
        column: 1,
        message: "the file has 2097154 characters; expected at most 2097152",
      },
    ]);
  });

  test.each([
    ["lists", "[".repeat(20_000)],
    ["mappings", "{a: ".repeat(20_000)],
    ["dashes", `${"- ".repeat(20_000)}x`],
    ["question marks", `${"? ".repeat(20_000)}x`],
    ["colons", `${": ".repeat(20_000)}x`],
    ["lines", Array.from({ length: 70 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join("")],
  ])("%s nested too deep", (_name, text) => {
    expect(problems({ "rules.yaml": text })).toMatchObject([
      { file: "rules.yaml", message: "nested too deep; expected at most 64 levels" },
    ]);
  });

  test("a row nested too deep", () => {
    const files = {
      "world/x.yaml": "key: id\nrows_from: x.jsonl\n",
      "world/x.jsonl": `{"id":"a","x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    };
    expect(problems(files)).toEqual([
      { file: "world/x.jsonl", line: 1, column: 1, message: "nested too deep; expected at most 64 levels" },
    ]);
  });

  test("aliases that would grow without bound", () => {
    const letters = [..."abcdefghij"];
    const lines = letters.map((name, index) => {
      const item = index === 0 ? "x" : `*${letters[index - 1]}`;
      return `  ${name}: &${name} [${Array(9).fill(item).join(", ")}]`;
    });
    const start = performance.now();
    const found = problems({ "world/x.yaml": `key: id\nrows:\n${lines.join("\n")}\n` });
    expect(performance.now() - start).toBeLessThan(1000);
    expect(found.map(({ message }) => message)).toContain(
      "aliases repeat too much; expected at most 20000 values from aliases",
    );
  });

  test("many mistakes in one mapping take time in proportion", () => {
    const text = `key: id\nrows:\n${Array.from({ length: 5000 }, (_, n) => `  k${n}: 5\n`).join("")}`;
    const start = performance.now();
    expect(problems({ "world/x.yaml": text }).length).toBe(5000);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
