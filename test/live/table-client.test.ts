import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentHttpClient, createTableSession, memoryTableHost } from "../../src/table/index.ts";
import { LiveEngine } from "../support/live-engine.ts";

let engine: LiveEngine;
beforeAll(async () => {
  engine = await LiveEngine.start();
});
afterAll(() => engine?.close());

/** What passed over the wire: of each request its kind and whether it carried the contract; of each reply its type. */
interface Passed {
  kind: string;
  full: boolean;
  type: string;
}

function clientOf(stream = false) {
  const passed: Passed[] = [];
  const client = createAgentHttpClient({
    endpoint: `${engine.url}/adapttable/v1/agents/table`,
    headers: { authorization: `Bearer ${engine.token}` },
    stream,
    fetch: async (input, init) => {
      const { kind, context } = JSON.parse(String(init?.body)) as { kind: string; context?: object };
      const response = await fetch(input, init);
      const type = response.headers.get("content-type")?.split(";")[0] ?? "";
      passed.push({ kind, full: context !== undefined, type });
      return response;
    },
  });
  return { client, passed };
}

const people = () =>
  memoryTableHost({
    tableId: "people",
    columns: [
      { id: "name", label: "Name", type: "string" },
      { id: "team", label: "Team", type: "string" },
      { id: "salary", label: "Salary", type: "number" },
    ],
    rows: [
      { id: "1", name: "Ana", team: "Core", salary: 80_000 },
      { id: "2", name: "Ben", team: "Web", salary: 91_000 },
      { id: "3", name: "Cleo", team: "Core", salary: 70_000 },
    ],
  });

describe("our client at the Worker", () => {
  it("pins once, and then sends turns without the contract", async () => {
    const host = people();
    const session = createTableSession(host);
    const { client, passed } = clientOf();
    await client.connect(session);
    const { results } = await client.send(session, "sort by salary, highest first");
    expect(results.map(({ ok }) => ok)).toEqual([true]);
    expect(session.view()).toMatchObject({ sortBy: "salary", sortDir: "desc" });
    await client.send(session, "search for Ana");
    expect(session.view().search).toBe("Ana");
    expect(passed).toEqual([
      { kind: "hello", full: true, type: "application/json" },
      { kind: "turn", full: false, type: "application/json" },
      { kind: "turn", full: false, type: "application/json" },
    ]);
  });

  it("stays pinned while turns are streamed", async () => {
    const session = createTableSession(people());
    const { client, passed } = clientOf(true);
    await client.connect(session);
    const heard: string[] = [];
    const { text } = await client.send(session, "sort by name", { onText: (said) => heard.push(said) });
    expect(heard.at(-1)).toBe(text);
    await client.send(session, "sort by salary");
    expect(passed.map(({ full, type }) => [full, type])).toEqual([
      [true, "application/json"],
      [false, "text/event-stream"],
      [false, "text/event-stream"],
    ]);
  });

  it("is still pinned after the runtime was killed", async () => {
    const session = createTableSession(people());
    const { client, passed } = clientOf(true);
    await client.connect(session);
    await engine.killAndWait();
    await client.send(session, "sort by salary");
    expect(passed.at(-1)).toEqual({ kind: "turn", full: false, type: "text/event-stream" });
  });

  it("connects a table of 200 columns and 100,000 rows, and is answered", async () => {
    const others = Array.from({ length: 199 }, (_, n) => ({
      id: `c${n}`,
      label: `Measure ${n}`,
      type: "number",
    }));
    const rows = Array.from({ length: 100_000 }, (_, n) => ({ id: String(n), salary: n % 977, c0: n }));
    const host = memoryTableHost({
      tableId: "wide",
      columns: [{ id: "salary", label: "Salary", type: "number" }, ...others],
      rows,
    });
    const session = createTableSession(host);
    const { client } = clientOf();
    await client.connect(session);
    const { results } = await client.send(session, "sort by salary, highest first");
    expect(results.map(({ ok }) => ok)).toEqual([true]);
    expect(session.view()).toMatchObject({ sortBy: "salary", sortDir: "desc" });
  });
});
