import { afterAll, beforeAll, expect, test } from "vitest";
import { LiveAgent } from "../support/live-agent.ts";
import { deskAnswer, deskFiles } from "../support/live-domain.ts";
import { LiveEngine, sleep, until } from "../support/live-engine.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine.close());

test("rehearsals go on after a kill although nobody asks for them", { timeout: 120_000 }, async () => {
  const agents = await Promise.all(
    [1, 2, 3].map(() =>
      LiveAgent.start(async (step) => {
        await sleep(8);
        return deskAnswer(step);
      }),
    ),
  );
  const running = await Promise.all(
    agents.map((agent) =>
      engine.begin({ domain: { files: deskFiles }, agent: { kind: "http", url: agent.url }, trials: 15 }),
    ),
  );
  await until(() => agents.every((agent) => agent.log.length > 20), 10_000);
  await engine.killAndWait();
  // From here to the end not one request reaches the Worker: only the agents are watched.
  const sessions = (agent: LiveAgent) =>
    new Set(agent.log.map(({ request }) => request.session_id.split("/")[1])).size;
  await until(() => agents.every((agent) => sessions(agent) === 30), 40_000);
  await until(() => agents.every((agent) => Date.now() - (agent.log.at(-1)?.at ?? 0) > 500), 20_000);
  for (const [index, runId] of running.entries()) {
    const results = await engine.results(runId);
    expect(results.status).toBe("finished");
    expect(results.trials).toHaveLength(30);
    const { passed, errored } = results.summary.trials;
    expect(passed + errored).toBe(30);
    expect(errored).toBeLessThanOrEqual(4);
    expect(agents[index]?.repeated()).toEqual([]);
  }
  await Promise.all(agents.map((agent) => agent.close()));
});
