import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "../../src/sandtable/random.ts";
import { LiveAgent } from "../support/live-agent.ts";
import { deskAnswer, deskFiles } from "../support/live-domain.ts";
import { LiveEngine, type SeenEvent, SseReader, sleep } from "../support/live-engine.ts";

let engine: LiveEngine;
let agent: LiveAgent;
const random = seededRandom(3, "watch");
beforeAll(async () => {
  engine = await LiveEngine.start();
  agent = await LiveAgent.start(async (step) => {
    await sleep(random() * 10);
    return deskAnswer(step);
  });
});
afterAll(async () => {
  await agent.close();
  await engine.close();
});

function begin(trials: number, tasks: string[] = []): Promise<string> {
  return engine.begin({
    domain: { files: deskFiles },
    tasks,
    trials,
    agent: { kind: "http", url: agent.url },
  });
}

/** A watcher whose connection is cut after a random number of bytes, again and again, until it has seen the end. */
async function cutWatcher(runId: string, most: number): Promise<{ seen: SeenEvent[]; cuts: number }> {
  const seen: SeenEvent[] = [];
  for (let cuts = 0; ; cuts += 1) {
    const cut = new AbortController();
    let left = Math.floor(random() * most);
    const last = seen.at(-1)?.id;
    try {
      const response = await engine.api(`/api/rehearsals/${runId}/events`, {
        signal: cut.signal,
        headers: last === undefined ? {} : { "last-event-id": String(last) },
      });
      const reader = new SseReader();
      for await (const chunk of response.body ?? []) {
        seen.push(...reader.feed(chunk.subarray(0, left)));
        left -= chunk.length;
        if (left <= 0) cut.abort();
        if (seen.at(-1)?.event.type === "ended") return { seen, cuts };
        // Read no further: where the last bytes had arrived when it was aborted, Node's fetch never answers a read.
        if (left <= 0) break;
      }
    } catch (error) {
      if (!cut.signal.aborted) throw error;
    }
  }
}

function expectEvery(seen: SeenEvent[], trials: number): void {
  expect(seen.map(({ id }) => id)).toEqual(Array.from({ length: trials + 2 }, (_, index) => index + 1));
  expect(seen[0]?.event.type).toBe("started");
  expect(seen.at(-1)?.event).toEqual({ type: "ended", status: "finished" });
  const finished = seen.flatMap(({ event }) => (event.type === "trial" ? [event.finished] : []));
  expect(finished).toEqual(Array.from({ length: trials }, (_, index) => index + 1));
}

describe("watching a rehearsal", () => {
  test("over connections cut at any byte loses no event and doubles none", async () => {
    const runId = await begin(30, ["hello"]);
    const [first, second] = await Promise.all([cutWatcher(runId, 900), cutWatcher(runId, 2_500)]);
    expect(first.cuts + second.cuts).toBeGreaterThan(5);
    expectEvery(first.seen, 30);
    expect(second.seen).toEqual(first.seen);
    // Long after the end the same is told.
    expect((await cutWatcher(runId, 1_500)).seen).toEqual(first.seen);
  }, 120_000);

  test("goes on where another runtime goes on", async () => {
    const runId = await begin(10);
    const watching = engine.events(runId);
    for (let kill = 0; kill < 2; kill += 1) {
      await sleep(200);
      await engine.killAndWait();
    }
    const seen = await watching;
    expectEvery(seen, 20);
    expect(await engine.events(runId)).toEqual(seen);
  });

  test("by one that never reads and one that leaves holds up neither the rehearsal nor the others", async () => {
    const runId = await begin(60, ["hello"]);
    const open = (reads: boolean) =>
      new Promise<ReturnType<typeof request>>((resolve, reject) => {
        const asked = request(`${engine.url}/api/rehearsals/${runId}/events`, {
          headers: { authorization: `Bearer ${engine.token}` },
        });
        asked.on("response", (response) => {
          if (reads) response.resume();
          else response.pause();
          resolve(asked);
        });
        asked.on("error", reject).end();
      });
    const silent = await open(false);
    const leaving = await open(true);
    const watching = engine.events(runId);
    await sleep(50);
    leaving.on("error", () => undefined).destroy();
    expectEvery(await watching, 60);
    silent.on("error", () => undefined).destroy();
    expect((await engine.results(runId)).summary.trials.passed).toBe(60);
  });

  test("from a number past the end ends at once, and from none that the stream gave is refused", async () => {
    const runId = await begin(1, ["hello"]);
    await engine.ended(runId);
    expect(await engine.events(runId, 3)).toEqual([]);
    expect(await engine.events(runId, 999_999_999)).toEqual([]);
    for (const last of ["-1", "1.5", "x", "1e3", "9999999999", " "]) {
      const response = await engine.api(`/api/rehearsals/${runId}/events`, {
        headers: { "last-event-id": last },
      });
      expect([last, response.status]).toEqual([last, last.trim() === "" ? 200 : 400]);
      await response.body?.cancel();
    }
  });
});

describe("cancelling a rehearsal", () => {
  test("at any moment, twice at once or after its end keeps what finished and begins nothing more", async () => {
    for (let round = 0; round < 8; round += 1) {
      const runId = await begin(20);
      await sleep(random() * 250);
      const answers = await Promise.all(
        [1, 2].map(() => engine.api(`/api/rehearsals/${runId}/cancel`, { method: "POST" })),
      );
      expect(answers.map(({ status }) => status)).toEqual([202, 202]);
      const begun = agent.log.filter(({ request: step }) => step.session_id.startsWith(runId)).length;
      const results = await engine.ended(runId);
      expect(results.status).toBe("cancelled");
      const verdicts = new Set(results.trials.map(({ verdict }) => verdict));
      expect([...verdicts].filter((verdict) => verdict !== "passed" && verdict !== "cancelled")).toEqual([]);
      expect(results.summary.trials.passed + results.summary.trials.cancelled).toBe(results.trials.length);
      const late = agent.log.filter(({ request: step }) => step.session_id.startsWith(runId)).length;
      // A step that was on its way when the rehearsal was cancelled may still arrive, one a lane.
      expect(late - begun).toBeLessThanOrEqual(4);
      const sent = new Map<string, number>();
      for (const { request: step } of agent.log)
        sent.set(step.session_id, (sent.get(step.session_id) ?? 0) + 1);
      for (const trial of results.trials) {
        const seen = sent.get(trial.sessionId) ?? 0;
        expect(trial.steps - seen).toBeGreaterThanOrEqual(0);
        expect(trial.steps - seen).toBeLessThanOrEqual(trial.verdict === "cancelled" ? 1 : 0);
      }
      const text = await engine.resultsText(runId);
      expect((await engine.api(`/api/rehearsals/${runId}/cancel`, { method: "POST" })).status).toBe(202);
      expect(await engine.resultsText(runId)).toBe(text);
    }
    expect(agent.repeated()).toEqual([]);
  });

  test("whose agent never answers gives its steps up", async () => {
    const hanging = await LiveAgent.start(() => new Promise(() => undefined));
    const runId = await engine.begin({
      domain: { files: deskFiles },
      trials: 3,
      agent: { kind: "http", url: hanging.url },
    });
    while (hanging.log.length < 4) await sleep(10);
    await engine.api(`/api/rehearsals/${runId}/cancel`, { method: "POST" });
    const results = await engine.ended(runId);
    expect(results.status).toBe("cancelled");
    expect(results.trials.map(({ verdict, steps }) => ({ verdict, steps }))).toEqual(
      Array(4).fill({ verdict: "cancelled", steps: 1 }),
    );
    expect(hanging.log).toHaveLength(4);
    await hanging.close();
  });
});

test("three rehearsals at once keep apart", async () => {
  const running = await Promise.all([5, 10, 15].map((trials) => begin(trials)));
  const all = await Promise.all(running.map((runId) => engine.ended(runId)));
  for (const [index, results] of all.entries()) {
    const trials = [10, 20, 30][index] ?? 0;
    expect(results.runId).toBe(running[index]);
    expect(results.summary.trials).toMatchObject({ planned: trials, passed: trials });
    expect(results.trials.every(({ sessionId }) => sessionId.startsWith(`${results.runId}/`))).toBe(true);
  }
  expect(agent.repeated()).toEqual([]);
});
