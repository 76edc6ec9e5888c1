import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../../src/sandtable/report/markdown.ts";
import { sampleResults } from "../../fixtures/sample-results.ts";

describe("renderMarkdown", () => {
  const page = renderMarkdown(sampleResults());

  test("starts with the verdict and its sentence", () => {
    expect(page.split("\n").slice(0, 5)).toEqual([
      "## ❌ Rehearsal of freight: Not ready",
      "",
      "2 of 3 gates do not hold; 2 of 5 tasks passed in every trial, 1 was flaky, 2 failed, 2 trials errored, 3 rules were broken.",
      "",
      "Agent <code>https<!-- -->://agent.example.com/step</code> (http), run <code>20261018T210512-k3f9</code>. pass^1 **0.53**, pass^3 **0.40**, an agent that does nothing 0.14.",
    ]);
  });

  test("a gate that a cancelled rehearsal did not get to is open", () => {
    const results = sampleResults();
    results.status = "cancelled";
    results.gates = [{ name: "critical a", held: false, actual: null, required: 1 }];
    expect(renderMarkdown(results)).toContain("| ➖ | <code>critical a</code> | 1.00 | not graded |");
    results.status = "finished";
    expect(renderMarkdown(results)).toContain("| ❌ | <code>critical a</code> | 1.00 | – |");
  });

  test("lists tasks with critical ones first", () => {
    expect(page).toContain(
      "| ⚠️ | walk-away-above-ceiling **critical** | flaky | 2/3 | pass^3 0.00 |\n| ❌ | refuse-expired-insurance | failed | 0/4 |",
    );
  });

  test("tells failures that are alike once", () => {
    expect(page.match(/upstream timed out/g)).toHaveLength(1);
    expect(page).toContain("- **refuse-expired-insurance** trials 0, 1, 2 and 3, failed\n");
  });

  test("text of an agent is neither markup, link nor mention", () => {
    const line = page.split("\n").find((candidate) => candidate.includes("expectation not\\_say")) ?? "";
    expect(line).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;");
    expect(line).toContain("\\| \\`code\\` \\*\\*bold\\*\\* @<!-- -->someone https<!-- -->://evil.example");
    expect(line).toContain("␛\\[31mred");
    const tags = new Set([...page.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag));
    expect([...tags].sort()).toEqual(["br", "code", "em"]);
  });

  test("every table row has as many cells as its head", () => {
    const cells = (row: string) => row.replaceAll("\\|", "").split("|").length;
    const rows = page.split("\n").map((line) => (line.startsWith("|") ? cells(line) : 0));
    rows.forEach((n, index) => {
      if (n > 0 && (rows[index - 1] ?? 0) > 0) expect(n).toBe(rows[index - 1]);
    });
    expect(rows.filter((n) => n > 0).length).toBeGreaterThan(15);
  });

  test("stays a page to read with many kinds of failure", () => {
    const results = sampleResults();
    const failed = results.trials.find((trial) => trial.verdict === "failed");
    if (failed === undefined) throw new Error("no failed trial");
    results.trials = Array.from({ length: 500 }, (_, n) => ({
      ...failed,
      trial: n,
      why: [{ kind: "say" as const, message: `${n} ${"x".repeat(5_000)}` }],
    }));
    const large = renderMarkdown(results);
    expect(large.length).toBeLessThan(20_000);
    expect(large).toContain("- … and 480 more trials");
  });
});
