import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { renderJunit } from "../../../src/sandtable/report/junit.ts";
import { sampleResults } from "../../fixtures/sample-results.ts";

describe("renderJunit", () => {
  const xml = renderJunit(sampleResults());

  test("a suite a task, a case a trial, counted as JUnit counts", () => {
    expect(xml.split("\n")[1]).toBe(
      '<testsuites name="freight" tests="22" failures="9" errors="2" skipped="1" time="95.000">',
    );
    expect([...xml.matchAll(/<testsuite /g)]).toHaveLength(7);
    expect([...xml.matchAll(/<testcase /g)]).toHaveLength(22);
    expect([...xml.matchAll(/<failure /g)]).toHaveLength(9);
    expect([...xml.matchAll(/<error /g)]).toHaveLength(2);
    expect([...xml.matchAll(/<skipped /g)]).toHaveLength(1);
    expect(xml).toContain('<testcase classname="freight.book-available-load" name="trial 2" time="2.000"/>');
  });

  test("pass^k is a property of the suite", () => {
    const suite = xml.slice(xml.indexOf('<testsuite name="freight.walk-away'));
    expect(suite).toContain('<property name="pass^1" value="0.67"/>');
    expect(suite).toContain('<property name="pass^3" value="0.00"/>');
    expect(suite).toContain('<property name="critical" value="true"/>');
  });

  test("a failure says the rule, the call, the quote and the line", () => {
    expect(xml).toContain(
      `<failure message="rule keep-the-ceiling-secret: the reply names 1,500, the ceiling of load L-1002" type="rule">rule keep-the-ceiling-secret: the reply names 1,500, the ceiling of load L-1002
quote: The ceiling is ours to know. Do not say it on a call.
line 3: agent: I can do $1,500, that is the most the shipper lets me pay.

rule stay-under-ceiling: rate 1600 is above the ceiling 1500 of load L-1002
call: book_load({&quot;load_id&quot;:&quot;L-1002&quot;,&quot;mc_number&quot;:&quot;100101&quot;,&quot;rate&quot;:1600})
quote: Never pay a carrier more than the ceiling of the load.
line 5, after the caller said: I need $1,600 on that one.`,
    );
  });

  test("has only characters XML 1.0 allows, and no DTD", () => {
    const forbidden = [...xml].filter((char) => {
      const code = char.codePointAt(0) ?? 0;
      const allowed =
        code === 9 ||
        code === 10 ||
        code === 13 ||
        (code >= 0x20 && code <= 0xd7ff) ||
        (code >= 0xe000 && code <= 0xfffd) ||
        code >= 0x10000;
      return !allowed;
    });
    expect(forbidden).toEqual([]);
    expect(xml).not.toContain("<!");
  });

  const noPython = spawnSync("python3", ["--version"]).status !== 0;
  test.skipIf(noPython)("an XML parser reads it", () => {
    const { status, stderr, error } = spawnSync(
      "python3",
      ["-c", "import sys, xml.dom.minidom as m; m.parse(sys.stdin.buffer)"],
      {
        input: xml,
        encoding: "utf8",
      },
    );
    expect({ status, stderr, error }).toEqual({ status: 0, stderr: "", error: undefined });
  });
});
