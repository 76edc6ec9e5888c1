import {
  createAgentHttpClient,
  createTableSession,
  localBackend,
  memoryTableHost,
  providerBrain,
} from "greenroom/table";
import { expect, it } from "vitest";

it("greenroom/table answers a table with a model of one's own, in one process", async () => {
  const asked: string[] = [];
  const brain = providerBrain(async ({ system, user, signal }) => {
    signal.throwIfAborted();
    asked.push(system, user);
    return '{"toolCalls":[{"name":"view.setSort","args":{"key":"salary","dir":"desc"}}],"text":"Sorting."}';
  });
  const host = memoryTableHost({
    tableId: "people",
    columns: [{ id: "salary", label: "Salary", type: "number" }],
    rows: [{ id: "1", salary: 10 }],
  });
  const session = createTableSession(host);
  const client = createAgentHttpClient({ endpoint: "/agent", fetch: localBackend(brain) });
  expect((await client.connect(session)).ok).toBe(true);
  const { text, results } = await client.send(session, "highest salary first");
  expect([text, results.map(({ ok }) => ok)]).toEqual(["Sorting.", [true]]);
  expect(host.view().sort).toEqual({ key: "salary", dir: "desc" });
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain("highest salary first");
});
