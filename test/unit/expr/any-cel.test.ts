import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CelError, CelPrograms, checkCel } from "../../../src/sandtable/expr/cel.ts";
import type { Json } from "../../../src/turn/json.ts";
import { callsOf, contextOf, linesOf, worldOf } from "./context.ts";

const leaf = fc.constantFrom(
  "args.a",
  "args.b",
  "args.c",
  "args",
  "1",
  "2.5",
  "0",
  "'x'",
  "''",
  "true",
  "null",
  "[]",
  "[1, 2.5]",
  "{}",
  "{'a': 1}",
  "now",
  "duration('1h')",
  "row('t', 'k')",
  "row('t', 'none')",
  "rows('t')",
  "calls",
  "messages",
  "said",
  "tool",
  "turn",
  "reply",
  "b'x'",
  "type(1)",
  "uint(3)",
);
const expression = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc
      .tuple(
        tie("any"),
        fc.constantFrom("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", "in", "&&", "||"),
        tie("any"),
      )
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie("any"), fc.constantFrom("a", "b", "constructor", "size")).map(([a, name]) => `${a}.${name}`),
    fc.tuple(tie("any"), tie("any")).map(([a, b]) => `${a}[${b}]`),
    fc.tuple(tie("any"), tie("any"), tie("any")).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc
      .tuple(
        fc.constantFrom(
          "size",
          "string",
          "int",
          "double",
          "bool",
          "timestamp",
          "duration",
          "amounts",
          "rows",
          "dyn",
          "type",
          "uint",
          "bytes",
        ),
        tie("any"),
      )
      .map(([name, a]) => `${name}(${a})`),
    fc
      .tuple(fc.constantFrom("says", "row", "has_row"), tie("any"), tie("any"))
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc
      .tuple(tie("any"), fc.constantFrom("exists", "all", "exists_one", "filter", "map"), tie("any"))
      .map(([a, name, b]) => `${a}.${name}(x, ${b})`),
    fc
      .tuple(tie("any"), fc.constantFrom("contains", "split", "indexOf", "startsWith", "join"), tie("any"))
      .map(([a, name, b]) => `${a}.${name}(${b})`),
    fc
      .tuple(
        tie("any"),
        fc.constantFrom("getHours()", "trim()", "size()", "getDate('UTC')", "json()", "substring(1)"),
      )
      .map(([a, call]) => `${a}.${call}`),
    tie("any").map((a) => `-${a}`),
    tie("any").map((a) => `!${a}`),
    tie("any").map((a) => `has(${a}.a)`),
  ),
})).any;

test("any expression on any data gives JSON or a CelError of one line, and its check a problem or none", () => {
  const programs = new CelPrograms();
  let computed = 0;
  fc.assert(
    fc.property(
      expression,
      fc.dictionary(fc.constantFrom("a", "b", "constructor"), fc.jsonValue()),
      (source, data) => {
        const args = data as Record<string, Json>;
        const ctx = contextOf({
          args,
          programs,
          world: worldOf({ t: { k: { id: "k", ...args } } }),
          conversation: { messages: linesOf(["caller", "I want $5"]), calls: callsOf({ tool: "x", args }) },
        });
        try {
          const result = programs.evaluate(source, ctx);
          expect(JSON.parse(JSON.stringify(result))).toEqual(result);
          computed += 1;
        } catch (error) {
          if (!(error instanceof CelError)) throw error;
          expect(error.message).toMatch(/^[^\n]+$/);
        }
        const problem = checkCel(source, {
          kind: "rule",
          params: [
            { name: "a", type: "number", optional: false },
            { name: "b", type: "list", optional: true },
          ],
          tables: [{ name: "t", fields: ["id", "a"] }],
        });
        if (problem !== null) expect(problem.message).toMatch(/^[^\n]+$/);
      },
    ),
    { numRuns: 1000 },
  );
  expect(computed).toBeGreaterThan(50);
}, 30_000);
