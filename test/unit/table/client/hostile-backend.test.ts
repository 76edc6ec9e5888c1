import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AgentError } from "../../../../src/table/client/errors.ts";
import type { Json, JsonObject } from "../../../../src/turn/json.ts";
import { backend, edit, filter, reply, type Scripted, sort, stream } from "./fake-backend.ts";
import { fakeSession } from "./fake-session.ts";

describe("a reply cut at any byte", () => {
  it("runs nothing", async () => {
    const text = JSON.stringify(reply({ text: "Änderung 😀", toolCalls: [edit] }));
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut < bytes.length; cut++) {
      const session = fakeSession();
      const { client } = backend([new Response(bytes.slice(0, cut))]);
      await expect(client.send(session, "x")).rejects.toMatchObject({ code: "reply-malformed" });
      expect(session.executed).toEqual([]);
    }
  });
});

describe("arguments nested beyond measure", () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  const plan = (levels: number) =>
    `[${JSON.stringify(edit)},{"id":"deep","name":"view.setSort","args":${nested(levels)}}]`;

  it.each([65, 5_000, 50_000])(
    "of %i levels are malformed, and nothing of their reply runs",
    async (levels) => {
      const session = fakeSession();
      const whole = `{"schemaVersion":"adapttable.agent.v1","toolCalls":${plan(levels)}}`;
      const streamed = `event: tool-calls\ndata: {"toolCalls":${plan(levels)}}\n\nevent: done\ndata: {}\n\n`;
      const events = new Response(streamed, { headers: { "content-type": "text/event-stream" } });
      const { client } = backend([whole, events]);
      await expect(client.send(session, "x")).rejects.toMatchObject({
        code: "reply-malformed",
        message: "agent HTTP tool call.args is nested deeper than 64 levels",
      });
      await expect(client.send(session, "x")).rejects.toMatchObject({ code: "stream-malformed" });
      expect(session.executed).toEqual([]);
    },
  );

  it("of 64 levels are given to the session", async () => {
    const session = fakeSession();
    const { client } = backend([`{"schemaVersion":"adapttable.agent.v1","toolCalls":${plan(64)}}`]);
    await client.send(session, "x");
    expect(session.executed.map(({ key }) => key)).toEqual(["edit.cells", "view.setSort"]);
  });
});

const sane = fc
  .record({
    name: fc.constantFrom("edit.cells", "rows.delete", "view.setSort", "rows.drop"),
    args: fc.oneof(fc.record({ mark: fc.nat({ max: 2 }) }), fc.constant({ bad: true })),
  })
  .map(({ name, args }) => ({ name, args: args as Json }));
const asking = fc.constantFrom<{ name: string; args: Json }>(
  { name: "describe", args: { keys: ["edit.cells"] } },
  { name: "read", args: { limit: 3 } },
);
const wild = fc.record({
  id: fc.constantFrom("a", "b", "c", ""),
  name: fc.constantFrom("edit.cells", "rows.read", "describe", "read", "__proto__"),
  args: fc.jsonValue().map((value) => value as Json),
  expectedRevision: fc.constantFrom(undefined, 3, 99, "3"),
});

/** Calls of one reply: mostly a plan, sometimes with a question beside it, sometimes anything. */
const calls = fc.oneof(
  { weight: 5, arbitrary: numbered(fc.array(sane, { maxLength: 3 })) },
  { weight: 2, arbitrary: numbered(fc.array(fc.oneof(sane, asking), { maxLength: 3 })) },
  { weight: 1, arbitrary: fc.array(wild, { maxLength: 3 }) },
);

function numbered(list: fc.Arbitrary<{ name: string; args: Json }[]>) {
  return list.map((plan) => plan.map((one, index) => ({ id: `c${index}`, ...one })));
}

const events = fc.array(
  fc.oneof(
    calls.map((toolCalls): [string, unknown] => ["tool-calls", { toolCalls }]),
    fc.constantFrom<[string, unknown]>(
      ["text-delta", { text: "a" }],
      ["done", {}],
      ["error", { code: "backend-failed" }],
      ["ask-user", { id: "q", question: "Which?" }],
      ["odd", 1],
    ),
  ),
  { maxLength: 5 },
);

/** What a backend answers, as the script takes it, and the calls that a whole reply of it would name. */
const answer = fc.oneof(
  fc
    .record({
      toolCalls: calls,
      version: fc.constantFrom("adapttable.agent.v1", "adapttable.agent.v1", "adapttable.agent.v1", "other"),
      askUser: fc.constantFrom(null, null, null, { id: "q", question: "Which?" }),
      pin: fc.constantFrom<Json>(
        null,
        { status: "expired" },
        { status: "unknown" },
        { status: "acknowledged", contractVersion: "ECHO" },
      ),
      continueWithResults: fc.boolean(),
      cut: fc.constantFrom(false, false, false, false, true),
    })
    .map(({ version, cut, ...over }) => ({ kind: "json" as const, over, version, cut })),
  events.map((list) => ({ kind: "stream" as const, list })),
  fc.constantFrom("", "<html>", "null").map((text) => ({ kind: "text" as const, text })),
);

type Answer = typeof answer extends fc.Arbitrary<infer T> ? T : never;

function scripted(given: Answer): Scripted {
  if (given.kind === "text") return given.text;
  if (given.kind === "stream") return stream(given.list);
  // A true acknowledgement now and then, so that pins are held and lost as well.
  const text = JSON.stringify({ ...given.over, schemaVersion: given.version });
  return ({ body }) => {
    const echoed = text.replace("ECHO", String(body.contractVersion));
    return given.cut ? echoed.slice(0, -1) : echoed;
  };
}

/** Calls that a whole reply names, as `[name, args]` texts; of a reply that is not whole, none. */
function named(given: Answer): string[] {
  if (given.kind === "text") return [];
  if (given.kind === "json")
    return given.cut || given.version === "other" ? [] : prints(given.over.toolCalls);
  const done = given.list.findIndex(([event]) => event === "done");
  const error = given.list.findIndex(([event]) => event === "error");
  if (done === -1 || (error !== -1 && error < done)) return [];
  const last = given.list.slice(0, done).findLast(([event]) => event === "tool-calls");
  return prints((last?.[1] as { toolCalls: unknown[] } | undefined)?.toolCalls ?? []);
}

function prints(list: unknown[]): string[] {
  return (list as { name: string; args: Json }[]).map(({ name, args }) => JSON.stringify([name, args ?? {}]));
}

describe("whatever a backend answers", () => {
  it("no call runs that no whole reply named, none runs before its reply is whole, and none runs twice", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (answers, returnResults) => {
          let replied = 0;
          const ranAt: { print: string; key: string; replied: number; identity: string }[] = [];
          const session = fakeSession({
            respond: ({ args }) =>
              args.bad === true ? { ok: false, error: { code: "invalid-arguments", message: "bad" } } : {},
          });
          const execute = session.execute;
          session.execute = (order) => {
            ranAt.push({
              print: JSON.stringify([order.key, order.args]),
              key: order.key,
              replied,
              identity: order.idempotencyKey,
            });
            return execute(order);
          };
          const { client } = backend(
            [...answers, ...Array.from({ length: 12 }, (): Answer => ({ kind: "text", text: "" }))].map(
              (given) => () => {
                replied++;
                return scripted(given);
              },
            ),
            { stream: true, askUser: async () => ({ text: "the first" }) },
          );
          const outcome = await client.send(session, "x", { returnResults }).catch((error: unknown) => error);

          const identities = ranAt.map(({ identity }) => identity);
          expect(new Set(identities).size).toBe(identities.length);
          for (const { key, print, replied: at } of ranAt) {
            const reads = key === "rows.read";
            // Each call stands in the reply that made its plan final, which is the last one that had come.
            const source = answers[at - 1];
            if (!reads) expect(source && named(source)).toContain(print);
          }
          // Per reply no more of a call than the reply named.
          for (const at of new Set(ranAt.map((one) => one.replied))) {
            const source = answers[at - 1];
            const writes = ranAt.filter((one) => one.replied === at && !one.key.startsWith("rows.read"));
            for (const { print } of writes)
              expect(writes.filter((one) => one.print === print).length).toBeLessThanOrEqual(
                (source ? named(source) : []).filter((one) => one === print).length,
              );
          }
          // And what had run is told, whether the turn ended well or not.
          const report = outcome instanceof AgentError ? outcome.settled : (outcome as AgentError["settled"]);
          if (!report) throw new Error("a turn ended without a report");
          expect(report.keys).toHaveLength(report.results.length);
          expect(report.subjects).toHaveLength(report.results.length);
          const changed = new Set(
            report.results.filter(({ ok }) => ok).map(({ idempotencyKey }) => idempotencyKey),
          );
          const truly = session.executed.filter(({ idempotencyKey }) =>
            idempotencyKey.startsWith("http-call:"),
          );
          for (const result of report.results) {
            if (result.ok)
              expect(truly.some(({ idempotencyKey }) => idempotencyKey === result.idempotencyKey)).toBe(true);
          }
          expect(session.revision - 3).toBeLessThanOrEqual(changed.size);
        },
      ),
      { numRuns: 500 },
    );
  }, 30_000);

  it("a plan delivered again under the same turn runs once, whatever ids it gives", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([filter, sort, edit], { minLength: 1 }),
        fc.nat({ max: 3 }),
        async (plan, times) => {
          const again = plan.map((one: JsonObject, index): JsonObject => ({ ...one, id: `again-${index}` }));
          const session = fakeSession();
          const { client } = backend([
            reply({ toolCalls: plan, continueWithResults: true }),
            ...Array.from({ length: times + 1 }, () =>
              reply({ toolCalls: again, continueWithResults: true }),
            ),
          ]);
          const report = await client.send(session, "x", { returnResults: true });
          expect(session.executed).toHaveLength(plan.length);
          expect(report.unresolved?.code).toBe("repeated-plan");
        },
      ),
    );
  });
});
