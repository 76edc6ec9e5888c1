import { readdir } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LiveAgent } from "../support/live-agent.ts";
import { deskAnswer, deskFiles } from "../support/live-domain.ts";
import { LiveEngine, sleep, until } from "../support/live-engine.ts";

let engine: LiveEngine;
let agent: LiveAgent;
/** The Worker's database, opened beside it. */
let database: DatabaseSync;
beforeAll(async () => {
  engine = await LiveEngine.start();
  agent = await LiveAgent.start(deskAnswer);
  const folder = path.join(engine.stateDir, "d1", "miniflare-D1DatabaseObject");
  const name = (await readdir(folder)).find((file) => /^[0-9a-f]+\.sqlite$/.test(file));
  if (name === undefined) throw new Error("the engine has no database");
  database = new DatabaseSync(path.join(folder, name));
});
afterAll(async () => {
  database.close();
  await agent.close();
  await engine.close();
});

function body(trials = 2): Record<string, unknown> {
  return { domain: { files: deskFiles }, agent: { kind: "http", url: agent.url }, trials };
}

/** Every route that asks the database, with what it answers. */
async function answers(
  runId: string,
): Promise<{ route: string; status: number; code: string; message: string }[]> {
  const routes: [string, string][] = [
    ["POST", "/api/rehearsals"],
    ["GET", "/api/rehearsals"],
    ...["", "/events", "/results", "/report"].map((end): [string, string] => [
      "GET",
      `/api/rehearsals/${runId}${end}`,
    ]),
    ["POST", `/api/rehearsals/${runId}/cancel`],
  ];
  return Promise.all(
    routes.map(async ([method, route]) => {
      const response = await engine.api(route, {
        method,
        ...(route === "/api/rehearsals" && method === "POST" ? { body: body() } : {}),
      });
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      return {
        route: `${method} ${route}`,
        status: response.status,
        code: error.code,
        message: error.message,
      };
    }),
  );
}

async function runIds(): Promise<string[]> {
  const { items } = (await (await engine.api("/api/rehearsals?limit=100")).json()) as {
    items: { runId: string }[];
  };
  return items.map(({ runId }) => runId);
}

describe("a database", () => {
  test("without its tables is said to be, with the command that makes them, and nothing begins", async () => {
    const runId = await engine.begin(body());
    await engine.ended(runId);
    const steps = agent.log.length;
    database.exec("ALTER TABLE rehearsals RENAME TO hidden");
    try {
      for (const { status, code, message } of await answers(runId)) {
        expect({ status, code }).toEqual({ status: 503, code: "unavailable" });
        expect(message).toContain("npx wrangler d1 migrations apply DB");
      }
      await sleep(300);
    } finally {
      database.exec("ALTER TABLE hidden RENAME TO rehearsals");
    }
    expect(await runIds()).toEqual([runId]);
    expect(agent.log).toHaveLength(steps);
    expect((await engine.results(runId)).status).toBe("finished");
  });

  test("that cannot answer is said to, and nothing begins", async () => {
    const before = await runIds();
    const steps = agent.log.length;
    database.exec("BEGIN EXCLUSIVE");
    try {
      for (const { status, code, message } of await answers(before[0] ?? "")) {
        expect({ status, code }).toEqual({ status: 503, code: "unavailable" });
        expect(message).toBe("The database cannot answer now. Try again in a moment.");
      }
      await sleep(300);
    } finally {
      database.exec("ROLLBACK");
    }
    expect(await runIds()).toEqual(before);
    expect(agent.log).toHaveLength(steps);
  });

  test("that is away for a moment holds a rehearsal up and loses nothing of it", async () => {
    const runId = await engine.begin(body(20));
    database.exec("BEGIN EXCLUSIVE");
    const started = agent.log.length;
    await sleep(1_200);
    const held = agent.log.length;
    database.exec("ROLLBACK");
    const results = await engine.ended(runId);
    // Four trials at once: none can be finished, so no fifth begins.
    expect(held - started).toBeLessThan(40);
    expect(results.status).toBe("finished");
    expect(results.summary.trials).toMatchObject({ planned: 40, passed: 40 });
    expect(agent.repeated()).toEqual([]);
  });

  test("that is away when the runtime is killed gets every trial that had ended, as it had ended", async () => {
    const before = agent.log.length;
    const runId = await engine.begin({ ...body(4), tasks: ["count"] });
    database.exec("BEGIN EXCLUSIVE");
    const steps = () => agent.log.slice(before).filter(({ request }) => request.session_id.startsWith(runId));
    await until(() => steps().length >= 8 * 4, 10_000);
    await sleep(200);
    await engine.killAndWait();
    database.exec("ROLLBACK");
    const results = await engine.ended(runId);
    expect(results.summary.trials).toMatchObject({ planned: 4, passed: 4, errored: 0 });
    expect(steps()).toHaveLength(8 * 4);
    expect(agent.repeated()).toEqual([]);
  });

  test("that lost a rehearsal's object takes it off the list when it is asked for", async () => {
    const insert = database.prepare(
      "INSERT INTO rehearsals (run_id, owner, domain, agent_kind, agent_name, status, planned, started_at) SELECT ?, owner, domain, agent_kind, agent_name, 'running', planned, started_at FROM rehearsals LIMIT 1",
    );
    for (const [index, [method, end]] of (
      [
        ["GET", ""],
        ["GET", "/events"],
        ["GET", "/results"],
        ["GET", "/report"],
        ["POST", "/cancel"],
      ] as const
    ).entries()) {
      const runId = `20200101T000000-000${index}`;
      insert.run(runId);
      expect(await runIds()).toContain(runId);
      expect((await engine.api(`/api/rehearsals/${runId}${end}`, { method })).status).toBe(404);
      expect(await runIds()).not.toContain(runId);
    }
  });
});
