import { describe, expect, it } from "vitest";
import { localBackend } from "../../../../src/table/backend/local.ts";
import { embeddedBrain } from "../../../../src/table/brains/embedded/index.ts";
import { createAgentHttpClient } from "../../../../src/table/client/client.ts";
import type { AgentHttpRequest } from "../../../../src/table/protocol/messages.ts";
import { memoryTableHost } from "../../../../src/table/session/memory-host.ts";
import { createTableSession } from "../../../../src/table/session/table-session.ts";

const hidden = 3;

/** A table of so many columns, explained at length or not; the first few are out of sight. */
function wide(count: number, explained: boolean) {
  const columns = Array.from({ length: count }, (_, at) => ({
    id: `measurement_${at}`,
    label: `Measurement number ${at}`,
    type: "number",
    ...(explained ? { description: "é".repeat(200), examples: [1, 2.5, 1000] } : {}),
  }));
  const hiddenColumns = columns.slice(0, hidden).map(({ id }) => id);
  const host = memoryTableHost({ tableId: "wide", columns, rows: [], view: { hiddenColumns } });
  const sent: { request: AgentHttpRequest; bytes: number }[] = [];
  const backend = localBackend(embeddedBrain());
  const client = createAgentHttpClient({
    endpoint: "/agent",
    fetch: (url, init) => {
      const body = String(init?.body);
      sent.push({ request: JSON.parse(body), bytes: new TextEncoder().encode(body).length });
      return backend(url, init);
    },
  });
  return { session: createTableSession(host), client, sent };
}

describe("a table larger than a request", () => {
  it("is told without explanations, and says so", async () => {
    const { session, client, sent } = wide(200, true);
    expect((await client.connect(session)).pin?.status).toBe("acknowledged");
    const { context, manifest } = sent[0]?.request ?? {};
    expect(sent[0]?.bytes).toBeLessThanOrEqual(256_000);
    expect(context?.selection.profile).toBe("compact");
    expect(context?.selection.notes).toEqual(["the whole explanation is too large for one request"]);
    expect(context?.contract.columns).toHaveLength(200);
    expect(manifest?.columns).toHaveLength(200);
    expect(context?.selection.deferredColumns?.length).toBeGreaterThan(0);
    const { text } = await client.send(session, "sort by measurement number 117, highest first");
    expect(text).toBe("Sorting by Measurement number 117, highest first.");
    expect(sent[1]?.request.context).toBeUndefined();
  });

  it("leaves out the second copy of its columns before any of them", async () => {
    const { session, client, sent } = wide(300, false);
    await client.connect(session);
    const { context, manifest } = sent[0]?.request ?? {};
    expect(context?.contract.columns).toHaveLength(300);
    expect(context?.contract.filters).toHaveLength(300);
    expect(manifest?.columns).toEqual([]);
    expect(manifest?.capabilities).toEqual(session.manifest().capabilities);
  });

  it.each([
    [1_000, false],
    [2_000, true],
  ])(
    "of %i columns tells as many as fit, those in sight first, with what belongs to them",
    async (count, explained) => {
      const { session, client, sent } = wide(count, explained);
      await client.connect(session);
      const { request, bytes = 0 } = sent[0] ?? {};
      expect(bytes).toBeLessThanOrEqual(256_000);
      expect(bytes).toBeGreaterThan(254_000);
      const contract = request?.context?.contract;
      const told = contract?.columns.map(({ id }) => id) ?? [];
      expect(told[0]).toBe(`measurement_${hidden}`);
      expect(contract?.filters.map(({ key }) => key)).toEqual(told);
      expect(contract?.aggregations?.columns.map(({ id }) => id)).toEqual(told);
      expect(request?.context?.selection.notes?.[1]).toBe(
        `${told.length} of ${count} columns are told, those in sight first: one request holds no more. columns.describe lists them all.`,
      );
      const { text } = await client.send(session, "sort by measurement number 117, highest first");
      expect(text).toBe("Sorting by Measurement number 117, highest first.");
      expect(sent.map(({ request: { kind, context } }) => [kind, context === undefined])).toEqual([
        ["hello", false],
        ["turn", true],
      ]);
    },
  );

  it("makes room for what else a turn carries", async () => {
    const { session, client, sent } = wide(300, false);
    const text = "x".repeat(150_000);
    await client.send(session, "sort by measurement number 117", { conversation: [{ role: "user", text }] });
    expect(sent[0]?.bytes).toBeLessThanOrEqual(256_000);
    expect(sent[0]?.request.context?.contract.columns.length).toBeLessThan(300);
    expect(session.view().sortBy).toBe("measurement_117");
  });

  it("is refused when nothing that can be left out makes room", async () => {
    const { session, client, sent } = wide(10, false);
    await expect(client.send(session, "x".repeat(250_000))).rejects.toMatchObject({
      code: "payload-too-large",
      message: expect.stringContaining("256000 are allowed"),
    });
    expect(sent).toEqual([]);
  });
});
