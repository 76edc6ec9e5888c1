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

  it("carries out three wishes of one sentence, and asks before the one that writes", async () => {
    const host = people();
    host.updateColumn("salary", { writable: true });
    const asked: string[] = [];
    const session = createTableSession(host, {
      policy: { write: "allow", approval: "writes", commit: "immediate" },
      approve: ({ title }) => {
        asked.push(title);
        return true;
      },
    });
    const { client } = clientOf(true);
    await client.connect(session);
    const report = await client.send(
      session,
      "only the Core team, highest salary first, and raise Ana to 90k",
      { returnResults: true },
    );
    expect(report.unresolved).toBeUndefined();
    expect(report.results.filter(({ ok }) => !ok)).toEqual([]);
    expect(report.keys).toEqual(expect.arrayContaining(["view.setFilters", "view.setSort", "edit.cells"]));
    expect(session.view()).toMatchObject({ sortBy: "salary", sortDir: "desc" });
    expect(
      host
        .rows({ offset: 0, limit: 10, scope: "visible", columns: ["name"] })
        .rows.map(({ rowKey }) => rowKey),
    ).toEqual(["1", "3"]);
    expect(host.findRow("1")?.cells.salary).toBe(90_000);
    expect(asked).toHaveLength(1);
  });

  it("answers a question by reading rows, and changes nothing", async () => {
    const host = people();
    const session = createTableSession(host);
    const { client, passed } = clientOf();
    await client.connect(session);
    const before = session.view();
    const report = await client.send(session, "how many people earn over 75k?");
    expect(report.text).toMatch(/\b(2|two)\b/i);
    expect(report.needsFulfilled.read).toBeGreaterThan(0);
    expect(session.view()).toEqual(before);
    expect(passed.filter(({ full }) => full)).toHaveLength(1);
  });

  it("sends everything once more when the Worker has lost its pin", async () => {
    const session = createTableSession(people());
    const kinds: string[] = [];
    const client = createAgentHttpClient({
      endpoint: `${engine.url}/agent`,
      headers: () => ({ authorization: `Bearer ${engine.token}` }),
      stream: true,
      fetch: (input, init) => {
        const body = JSON.parse(String(init?.body));
        kinds.push(`${body.kind}${body.context ? " with the contract" : ""}`);
        // Another handle than the one given out: one that nobody knows any more.
        if (kinds.length === 2) body.sessionId = "sess_of_another_time";
        return fetch(input, { ...init, body: JSON.stringify(body) });
      },
    });
    await client.connect(session);
    const { results } = await client.send(session, "sort by salary");
    expect(results.map(({ ok }) => ok)).toEqual([true]);
    await client.send(session, "sort by name");
    expect(kinds).toEqual(["hello with the contract", "turn", "turn with the contract", "turn"]);
  });

  it("is refused without a credential of the deployment", async () => {
    const client = createAgentHttpClient({
      endpoint: `${engine.url}/agent`,
      headers: { authorization: "Bearer wrong" },
    });
    await expect(client.connect(createTableSession(people()))).rejects.toMatchObject({
      code: "http-error",
      status: 401,
    });
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
