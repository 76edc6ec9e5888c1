import { expect, it } from "vitest";
import { newRunId } from "../../../src/sandtable/rehearsal/run-id.ts";
import { sessionId } from "../../../src/sandtable/trial/plan.ts";

it("makes run ids as the step protocol shows them", () => {
  const numbers = [20 / 36, 3 / 36, 15 / 36, 9.5 / 36];
  const random = () => numbers.shift() ?? 0;
  const runId = newRunId(new Date("2026-10-18T21:05:12.987Z"), random);
  expect(runId).toBe("20261018T210512-k3f9");
  expect(sessionId(runId, "walk-away-above-ceiling", 0)).toBe(
    "20261018T210512-k3f9/walk-away-above-ceiling#0",
  );
});
