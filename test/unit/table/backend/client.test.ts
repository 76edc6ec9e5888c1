import { describe, expect, it } from "vitest";
import { localBackend } from "../../../../src/table/backend/local.ts";
import { memoryPins } from "../../../../src/table/backend/memory-pins.ts";
import type { PinStore, SaidTurn } from "../../../../src/table/backend/pin-store.ts";
import { createAgentHttpClient, createTableSession, memoryTableHost } from "../../../../src/table/index.ts";
import { FakeBrain } from "./table-wire.ts";

/** Pins that can be lost. */
class LosablePins implements PinStore {
  private pins = memoryPins();
  readonly losses = memoryPins();
  keep = (session: string, table: string, doc: string) => this.pins.keep(session, table, doc);
  find = (session: string, table: string) => this.pins.find(session, table);
  say = (session: string, table: string, turn: SaidTurn) => this.pins.say(session, table, turn);
  noteLoss = (turn: string) => this.losses.noteLoss(turn);
  wasLost = (turn: string) => this.losses.wasLost(turn);
  lose() {
    this.pins = memoryPins();
  }
}

function meet(stream: boolean, brain = new FakeBrain()) {
  const pins = new LosablePins();
  const backend = localBackend(brain, { pins });
  const passed: string[] = [];
  const client = createAgentHttpClient({
    endpoint: "http://table.example/agent",
    stream,
    fetch: async (input, init) => {
      const { kind, context } = JSON.parse(String(init?.body)) as { kind: string; context?: object };
      const response = await backend(input, init);
      const type = response.headers.get("content-type")?.startsWith("text/event-stream") ? "stream" : "json";
      passed.push(`${kind}${context === undefined ? "" : " with its contract"}: ${type}`);
      return response;
    },
  });
  const host = memoryTableHost({
    tableId: "people",
    columns: [{ id: "salary", label: "Salary", type: "number" }],
    rows: [{ id: "1", salary: 10 }],
  });
  return { client, session: createTableSession(host), pins, passed };
}

describe("a client that meets this backend", () => {
  it("streams, and after a lost pin is pinned again and streams on", async () => {
    const { client, session, pins, passed } = meet(true);
    await client.connect(session);
    await client.send(session, "sort");
    pins.lose();
    const { results } = await client.send(session, "sort");
    expect(results.map(({ ok }) => ok)).toEqual([true]);
    await client.send(session, "sort");
    expect(passed).toEqual([
      "hello with its contract: json",
      "turn: stream",
      "turn: json",
      "turn with its contract: json",
      "turn: stream",
    ]);
  });

  it("gets the results of a plan that looks, and ends", async () => {
    const brain = new FakeBrain(({ toolResults, phaseId }) =>
      phaseId === 0
        ? { text: "Reading.", calls: [{ name: "rows.read", args: { offset: 0, limit: 5 } }] }
        : { text: `Read ${toolResults.length}.`, calls: [] },
    );
    const { client, session, passed } = meet(true, brain);
    await client.connect(session);
    const { text } = await client.send(session, "how many", { returnResults: true });
    expect(text).toBe("Read 1.");
    expect(brain.rounds[1]?.toolResults[0]).toMatchObject({
      id: expect.stringMatching(/:0:0$/),
      result: { ok: true },
    });
    expect(passed).toEqual(["hello with its contract: json", "turn: json", "turn: stream"]);
  });

  it("keeps the answers of all rounds of a phase apart", async () => {
    const brain = new FakeBrain(({ toolResults }) =>
      toolResults.length < 3
        ? { text: "", calls: [{ name: "read", args: { offset: toolResults.length, limit: 1 } }] }
        : { text: toolResults.map(({ id }) => id.split(":").slice(1).join(":")).join(" "), calls: [] },
    );
    const { client, session } = meet(false, brain);
    expect((await client.send(session, "read")).text).toBe("0:0 0:1 0:2");
  });
});
