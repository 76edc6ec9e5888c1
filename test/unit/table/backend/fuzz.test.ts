import fc from "fast-check";
import { expect, it } from "vitest";
import { answerText } from "../../../../src/table/brains/answer-text.ts";
import { readAnswer } from "../../../../src/table/brains/read-answer.ts";
import { parseAgentHttpResponse } from "../../../../src/table/protocol/parse-response.ts";
import { Backend, contract, FakeBrain, fullTurn, hello, pinnedTurn } from "./table-wire.ts";

/** A request with some member, at any depth, replaced by any JSON value or taken away. */
const mutated = fc
  .tuple(
    fc.constantFrom<object>(hello, { ...hello, kind: "schema" }, fullTurn(), pinnedTurn("s")),
    fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
    fc.option(fc.jsonValue(), { nil: undefined }),
  )
  .map(([request, path, value]) => {
    const copy = structuredClone(request);
    let at = copy as Record<string, unknown>;
    for (const [depth, step] of path.entries()) {
      const keys = Object.keys(at);
      const key = keys[step % Math.max(1, keys.length)] ?? "x";
      const inner = at[key];
      if (depth === path.length - 1 || typeof inner !== "object" || inner === null) {
        if (value === undefined) delete at[key];
        else at[key] = value;
        break;
      }
      at = inner as Record<string, unknown>;
    }
    return copy;
  });

it("whatever is sent is answered by the protocol or refused with a reason", async () => {
  const backend = new Backend();
  await backend.reply({ ...hello, sessionId: "s" });
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated, fc.jsonValue()), fc.boolean(), async (body, stream) => {
      const response = await (stream ? backend.stream(body) : backend.post(body));
      const text = await response.text();
      expect([200, 400, 501], text).toContain(response.status);
      if (response.headers.get("content-type") === "text/event-stream") {
        expect(text.endsWith("event: done\ndata: {}\n\n")).toBe(true);
      } else if (response.status === 200) parseAgentHttpResponse(JSON.parse(text));
      else expect(JSON.parse(text)).toEqual({ error: expect.any(String) });
    }),
    { numRuns: 600 },
  );
  expect(backend.reported).toEqual([]);
});

const calls = fc.array(
  fc.record({
    name: fc.oneof(
      fc.constantFrom("view.setSort", "rows.read", "describe", "read", "rows.delete"),
      fc.string(),
    ),
    args: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), fc.jsonValue()),
  }),
  { maxLength: 40 },
);
const answer = fc.record(
  {
    toolCalls: fc.oneof(calls, fc.jsonValue()),
    askUser: fc.jsonValue(),
    text: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

it("whatever a model writes is a reply the client takes, or a fault, and never a call that is not offered", async () => {
  const offered = new Set([...contract.capabilities.map(({ key }) => key), "describe", "read"]);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        answer.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      async (written) => {
        const read = readAnswer(written, contract);
        if (!read.ok) {
          expect(read.faults.length).toBeGreaterThan(0);
          return;
        }
        const reply = parseAgentHttpResponse(await new Backend(new FakeBrain(read.reply)).reply(fullTurn()));
        expect((reply.toolCalls ?? []).every(({ name }) => offered.has(name))).toBe(true);
      },
    ),
    { numRuns: 400 },
  );
});

it("the text of an answer is the same however its bytes are cut", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.dictionary(
        fc.string().filter((key) => key !== "text"),
        fc.jsonValue(),
        { maxKeys: 3 },
      ),
      fc.boolean(),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (said, others, spaced, cuts) => {
        const written = JSON.stringify({ ...others, text: said, after: 1 }, null, spaced ? 2 : 0);
        const text = answerText(() => true);
        let shown = "";
        for (let at = 0, n = 0; at < written.length; n += 1) {
          const size = cuts[n % cuts.length] ?? 1;
          shown += text.push(written.slice(at, at + size));
          at += size;
        }
        expect(shown).toBe((JSON.parse(written) as { text: string }).text);
      },
    ),
    { numRuns: 500 },
  );
});
