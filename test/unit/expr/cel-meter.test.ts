import { Environment } from "@marcbachmann/cel-js";
import { expect, test } from "vitest";
import { metered } from "../../../src/sandtable/expr/cel-meter.ts";

const environment = new Environment({ unlistedVariablesAreDyn: true });

test.each([
  ["a.b > 1 && size(c) == 2", "a.b > 1 && size(c) == 2"],
  ["a.all(x, x)", "_through(a, 3).all(x, _done(_begun() && (x)))"],
  ["a.exists(x, x == 1)", "_through(a, 5).exists(x, _done(_begun() && (x == 1)))"],
  ["a.map(x, x.y)", "_through(a, 4).map(x, x.y)"],
  ["a.map(x, x.b, x.y)", "_through(a, 6).map(x, x.b, x.y)"],
  ["a.filter(x, x.b).exists_one(y, y)", "_through(_through(a, 4).filter(x, x.b), 3).exists_one(y, y)"],
  ["(a + b).map(x, x)", "(_through(a + b, 3)).map(x, x)"],
  ["a in b.c", "a in _among(b.c)"],
  ["a in [1, 2]", "a in [1, 2]"],
  ["a in b.map(x, x)", "a in _among(_through(b, 3).map(x, x))"],
  ["a.map(x, x || y)", "_through(a, 5).map(x, _done(_begun() && (x)) || y)"],
  ["a.map(x, b.map(y, x))", "_through(a, 4).map(x, _through(b, 3).map(y, x))"],
  ["[1, 2]\n.map(x, 'é' + x)", "_through([1, 2], 5)\n.map(x, 'é' + x)"],
])("%j is metered as %j", (source, expected) => {
  expect(metered(source, environment.parse(source).ast)).toBe(expected);
});
