import { expect, it } from "vitest";
import { embeddedBrain } from "../../../../src/table/brains/embedded/index.ts";
import { judgeRequest } from "../../../eval/table/play-request.ts";
import { loadRequests } from "../../../eval/table/requests.ts";

it("meets every request it was built against", async () => {
  const requests = loadRequests("seen");
  expect(requests.length).toBeGreaterThan(300);
  const failed: string[] = [];
  for (const request of requests) {
    const problem = await judgeRequest(embeddedBrain(), request);
    if (problem !== null) failed.push(`${request.id}: ${problem}`);
  }
  expect(failed).toEqual([]);
}, 60_000);

it("meets five in six of those it was not built against", async () => {
  const requests = loadRequests("unseen");
  let right = 0;
  for (const request of requests) if ((await judgeRequest(embeddedBrain(), request)) === null) right++;
  // Only the number: which ones fail is not to be known.
  expect(right / requests.length).toBeGreaterThan(5 / 6);
}, 60_000);

it("holds wrong answers to be wrong", async () => {
  const [request] = loadRequests("seen");
  if (request === undefined) throw new Error("there are requests");
  const idle = { answer: async () => ({ text: "", calls: [] }) };
  expect(await judgeRequest(idle, request)).toContain("instead of");
});
