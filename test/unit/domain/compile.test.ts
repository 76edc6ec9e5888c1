import { describe, expect, test } from "vitest";
import { domainDigest } from "../../../src/sandtable/domain/digest.ts";
import { inputSchema, stepTools, systemPrompt } from "../../../src/sandtable/domain/input-schema.ts";
import { domainOf, edit, type Files, sample } from "./sample.ts";

const toolsOf = (text: string) =>
  domainOf({ "tools/extra.yaml": text }).tools.find((tool) => tool.name === "extra");
const actionOf = (text: string) => toolsOf(`description: x\n${text}`)?.action;
const ruleOf = (text: string) =>
  domainOf({ "rules/extra.yaml": text }).rules.find((rule) => rule.id === "extra");
const taskOf = (text: string) =>
  domainOf({ "tasks/extra.yaml": text }).tasks.find((task) => task.id === "extra");
const callerOf = (text: string) => {
  const lines = text.trim().split("\n");
  return taskOf(`caller:\n${lines.map((line) => `  ${line}`).join("\n")}\n`)?.caller;
};
const literal = (value: unknown) => ({ kind: "literal", value });

describe("head and prompt", () => {
  test("texts are trimmed and the clock is UTC", () => {
    const domain = domainOf(edit("domain.yaml", "2026-10-18T21:05:00Z", "2026-10-18T23:05:00.250+02:00"));
    expect([domain.name, domain.description, domain.clock]).toEqual([
      "freight",
      "You are the carrier desk.",
      "2026-10-18T21:05:00.250Z",
    ]);
    expect(domainOf().clock).toBe("2026-10-18T21:05:00Z");
    expect(systemPrompt(domain)).toBe(
      "You are the carrier desk.\n\n# Policy\n\nVerify the carrier\nbefore you book.",
    );
  });

  test("line ends of another system change nothing", async () => {
    const files: Files = {};
    for (const [path, text] of Object.entries(sample)) files[path] = text.replaceAll("\n", "\r\n");
    expect(domainOf(files)).toEqual(domainOf());
  });
});

describe("world", () => {
  test("rows keep their order and carry their key; fields are those of rows, tools and tasks", () => {
    const { tables } = domainOf();
    expect(tables[0]).toEqual({
      name: "loads",
      key: "load_id",
      noun: "Load",
      newKey: { pattern: "loads-{n}", start: 1 },
      fields: ["load_id", "origin", "status", "ceiling", "tags"],
      rows: [
        {
          load_id: "L-1001",
          origin: { city: "Dallas", state: "TX" },
          status: "available",
          ceiling: 1500,
          tags: ["dry"],
        },
        {
          load_id: "L-1002",
          origin: { city: "Tulsa", state: "OK" },
          status: "booked",
          ceiling: 900,
          tags: [],
        },
      ],
    });
    expect(tables[2]).toEqual({
      name: "bookings",
      key: "booking_id",
      noun: "bookings",
      newKey: { pattern: "B-{n}", start: 1 },
      fields: ["booking_id", "load_id", "rate"],
      rows: [],
    });
  });

  test("keys that look like numbers stay strings in the order written", () => {
    const text = "key: id\nnew_key: { pattern: 'x{n}', start: 7 }\nrows:\n  30: { a: 1 }\n  4: { a: 2 }\n";
    const table = domainOf({ "world/people.yaml": text }).tables.at(-1);
    expect(table?.rows).toEqual([
      { id: "30", a: 1 },
      { id: "4", a: 2 },
    ]);
    expect(table?.newKey).toEqual({ pattern: "x{n}", start: 7 });
  });

  test("rows_from adds rows behind those written", () => {
    const text = "key: id\nrows: [{ id: a }]\nrows_from: people.jsonl\n";
    const files = { "world/people.yaml": text, "world/people.jsonl": '{"id":"b","x":{"y":1}}\n\n{"id":"c"}' };
    expect(domainOf(files).tables.at(-1)).toMatchObject({
      rows: [{ id: "a" }, { id: "b", x: { y: 1 } }, { id: "c" }],
      fields: ["id", "x"],
    });
  });

  test("100,000 rows load in a moment", { timeout: 20_000 }, () => {
    const row = (n: number) =>
      JSON.stringify({ id: `x-${n}`, rate: n, origin: { city: "Dallas" }, notes: ["a"] });
    const rows = Array.from({ length: 100_000 }, (_, n) => row(n)).join("\n");
    const files = { "world/people.yaml": "key: id\nrows_from: people.jsonl\n", "world/people.jsonl": rows };
    const start = performance.now();
    expect(domainOf(files).tables.at(-1)?.rows.length).toBe(100_000);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe("tools", () => {
  test("parameters become the input schema the agent sees", () => {
    const params = `params:
  load_id: { type: string, description: The load. }
  count: { type: integer, minimum: 1, maximum: 5, optional: true }
  team: boolean
  kind: [van, reefer]
  grade: { enum: [1, 2], optional: true }
  stop: { type: object, properties: { city: string, dock: { type: integer, optional: true } } }
  stops: { type: list, items: { type: object, properties: {} }, minItems: 1, maxItems: 3 }
  anything: { type: object, optional: true }
  list: { type: list, optional: true }
  code: { type: string, minLength: 2, maxLength: 4 }
`;
    expect(inputSchema(toolsOf(`description: x\n${params}respond: ok\n`)?.params ?? [])).toEqual({
      type: "object",
      properties: {
        load_id: { type: "string", description: "The load." },
        count: { type: "integer", minimum: 1, maximum: 5 },
        team: { type: "boolean" },
        kind: { type: "string", enum: ["van", "reefer"] },
        grade: { type: "number", enum: [1, 2] },
        stop: {
          type: "object",
          properties: { city: { type: "string" }, dock: { type: "integer" } },
          required: ["city"],
          additionalProperties: false,
        },
        stops: {
          type: "array",
          items: { type: "object", properties: {}, required: [], additionalProperties: false },
          minItems: 1,
          maxItems: 3,
        },
        anything: { type: "object" },
        list: { type: "array" },
        code: { type: "string", minLength: 2, maxLength: 4 },
      },
      required: ["load_id", "team", "kind", "stop", "stops", "code"],
      additionalProperties: false,
    });
  });

  test("a tool without parameters still says so", () => {
    const tool = stepTools(domainOf({ "tools/extra.yaml": "description: Say ok.\nrespond: ok\n" })).at(-1);
    expect(tool).toEqual({
      name: "extra",
      description: "Say ok.",
      input_schema: { type: "object", properties: {}, required: [], additionalProperties: false },
    });
  });

  test("lookup, search and respond", () => {
    expect(
      actionOf("lookup: { table: loads, where: { status: booked }, fields: [origin.city], error: none }"),
    ).toEqual({
      kind: "lookup",
      rows: { table: "loads", where: [[{ path: ["status"], op: "eq", value: literal("booked") }]] },
      fields: ["origin.city"],
      error: "none",
    });
    expect(actionOf("search: { table: loads, sort: [-ceiling, origin.city], limit: 3 }")).toEqual({
      kind: "search",
      table: "loads",
      sort: [
        { path: ["ceiling"], descending: true },
        { path: ["origin", "city"], descending: false },
      ],
      limit: 3,
    });
    expect(actionOf("search: { table: loads, sort: status }")).toMatchObject({
      sort: [{ path: ["status"], descending: false }],
    });
    expect(actionOf("respond: { ok: true, list: [1, null] }")).toEqual({
      kind: "respond",
      value: literal({ ok: true, list: [1, null] }),
    });
  });

  test("writes run in the order written, and may be lists", () => {
    const text = `params: { id: string, note: { type: string, optional: true } }
delete: [{ table: bookings, key: $id }, { table: bookings, where: { rate: 0 } }]
create: { table: bookings, key: $id, set: { rate: 5, deal.note: $note, at: { cel: now } } }
update: { table: loads, key: L-1001, append: { tags: $note }, remove: { tags: dry } }
respond: { done: $id, price: $$5, list: [$note] }
`;
    const id = { kind: "arg", path: ["id"] };
    const note = { kind: "arg", path: ["note"] };
    expect(actionOf(text)).toEqual({
      kind: "write",
      effects: [
        { kind: "delete", rows: { table: "bookings", key: id } },
        {
          kind: "delete",
          rows: { table: "bookings", where: [[{ path: ["rate"], op: "eq", value: literal(0) }]] },
        },
        {
          kind: "create",
          table: "bookings",
          key: id,
          set: [
            { path: ["rate"], value: literal(5) },
            { path: ["deal", "note"], value: note },
            { path: ["at"], value: { kind: "cel", source: "now" } },
          ],
        },
        {
          kind: "update",
          rows: { table: "loads", key: literal("L-1001") },
          set: [],
          append: [{ path: ["tags"], value: note }],
          remove: [{ path: ["tags"], value: literal("dry") }],
        },
      ],
      respond: {
        kind: "object",
        entries: [
          { name: "done", value: id },
          { name: "price", value: literal("$5") },
          { name: "list", value: { kind: "list", items: [note] } },
        ],
      },
    });
  });

  test("guards", () => {
    const text = `params: { id: string }
guard:
  - if: { table: loads, key: $id }
    error: there
  - unless: { table: bookings, where: { load_id: $id } }
    error: not booked
  - if: "args.id == 'x'"
    error: bad
respond: ok
`;
    const id = { kind: "arg", path: ["id"] };
    expect(toolsOf(`description: x\n${text}`)?.guards).toEqual([
      { on: "if", test: { kind: "row", table: "loads", key: id, where: [[]] }, error: "there" },
      {
        on: "unless",
        test: { kind: "rows", table: "bookings", where: [[{ path: ["load_id"], op: "eq", value: id }]] },
        error: "not booked",
      },
      { on: "if", test: { kind: "cel", source: "args.id == 'x'" }, error: "bad" },
    ]);
  });

  test("conditions: alternatives, operators, nested fields, list elements", () => {
    const text = `params: { min: { type: number, optional: true } }
search:
  table: loads
  where:
    - { origin.city: Dallas, ceiling: { gte: $min, lt: 9 }, tags: { any: [] } }
`.replace("{ any: [] }", "{ contains: dry, exists: true }");
    expect(actionOf(text)).toMatchObject({
      where: [
        [
          { path: ["origin", "city"], op: "eq", value: literal("Dallas") },
          { path: ["ceiling"], op: "gte", value: { kind: "arg", path: ["min"] } },
          { path: ["ceiling"], op: "lt", value: literal(9) },
          { path: ["tags"], op: "contains", value: literal("dry") },
          { path: ["tags"], op: "exists", value: literal(true) },
        ],
      ],
    });
    const list = "key: id\nrows: [{ id: a, stops: [{ city: X, dock: null }] }]\n";
    const action = domainOf({
      "world/trips.yaml": list,
      "tools/extra.yaml":
        "description: x\nsearch: { table: trips, where: [{ stops: { any: { city: X } } }, { stops.0.dock: 4 }] }\n",
    }).tools.at(-1)?.action;
    expect(action).toMatchObject({
      where: [
        [{ path: ["stops"], op: "any", where: [[{ path: ["city"], op: "eq", value: literal("X") }]] }],
        [{ path: ["stops", "0", "dock"], op: "eq", value: literal(4) }],
      ],
    });
  });
});

describe("rules", () => {
  test("head and defaults", () => {
    expect(domainOf().rules).toEqual([
      {
        id: "verified-first",
        on: ["book_load"],
        severity: "hard",
        source: { quote: "verify the carrier before you book", document: "policy.md" },
        kind: "requires",
        tools: ["verify_carrier"],
        same: [{ argument: ["mc_number"], earlier: ["mc_number"] }],
      },
    ]);
  });

  test.each([
    [
      "on: book_load\nseverity: soft\nwhen: { rate: { gt: 0 } }\nrequires: { call: [verify_carrier], same: { load_id: mc_number }, args: { mc_number: $mc_number }, result: { insurance: active } }",
      {
        on: ["book_load"],
        severity: "soft",
        when: [[{ path: ["rate"], op: "gt", value: literal(0) }]],
        kind: "requires",
        tools: ["verify_carrier"],
        same: [{ argument: ["load_id"], earlier: ["mc_number"] }],
        args: [[{ path: ["mc_number"], op: "eq", value: { kind: "arg", path: ["mc_number"] } }]],
        result: [[{ path: ["insurance"], op: "eq", value: literal("active") }]],
      },
    ],
    [
      "on: [book_load]\nbound: { arg: rate, gt: 0, lte: { table: loads, key: $load_id, field: ceiling } }",
      {
        on: ["book_load"],
        severity: "hard",
        kind: "bound",
        argument: ["rate"],
        bounds: [
          { op: "gt", limit: { kind: "value", value: literal(0) } },
          {
            op: "lte",
            limit: {
              kind: "row",
              table: "loads",
              key: { kind: "arg", path: ["load_id"] },
              path: ["ceiling"],
            },
          },
        ],
      },
    ],
    ["check: tool != 'x'", { on: null, severity: "hard", kind: "check", cel: "tool != 'x'" }],
    [
      "limit: { times: 2, per: [load_id] }",
      { on: null, severity: "hard", kind: "limit", times: 2, per: [["load_id"]], counting: "successful" },
    ],
    ["confirmed: true", { on: null, severity: "hard", kind: "confirmed", states: [] }],
    [
      "on: book_load\nconfirmed: { states: [rate], words: [aye] }",
      { on: ["book_load"], severity: "hard", kind: "confirmed", states: [["rate"]], words: ["aye"] },
    ],
    [
      "never_disclose: [{ table: loads, field: origin.city, where: { status: booked } }, { texts: [margin] }]",
      {
        on: null,
        severity: "hard",
        kind: "never_disclose",
        fields: [
          {
            table: "loads",
            path: ["origin", "city"],
            where: [[{ path: ["status"], op: "eq", value: literal("booked") }]],
          },
        ],
        texts: ["margin"],
      },
    ],
  ])("%s", (text, rule) => {
    expect(ruleOf(text)).toEqual({ id: "extra", ...rule });
  });
});

describe("callers and tasks", () => {
  test("a scripted caller", () => {
    const text = `
opens: [Hi, Hello]
replies:
  - when:
      - { said: booked, not_said: [no, not], asked: true, offered: { gte: 5, lt: 9 } }
      - { asked: sure, offered: true, called: [book_load, { tool: book_load, ok: any, args: { rate: 5 } }] }
      - { offered: 7, cel: "turn > 2" }
    say: "{offer} then"
    then: insist
    times: 2
  - then: hang_up
fallback: [What?]
patience: 0
gives_up: Bye
`;
    expect(callerOf(text)).toEqual({
      kind: "scripted",
      opens: ["Hi", "Hello"],
      replies: [
        {
          when: [
            {
              said: ["booked"],
              notSaid: ["no", "not"],
              asked: true,
              offered: [
                { path: [], op: "gte", value: literal(5) },
                { path: [], op: "lt", value: literal(9) },
              ],
            },
            {
              asked: ["sure"],
              offered: true,
              called: [
                { tool: "book_load", ok: true },
                { tool: "book_load", args: [[{ path: ["rate"], op: "eq", value: literal(5) }]] },
              ],
            },
            { offered: [{ path: [], op: "eq", value: literal(7) }], cel: "turn > 2" },
          ],
          say: ["{offer} then"],
          act: "insist",
          times: 2,
        },
        { when: [], say: [], act: "hang_up" },
      ],
      fallback: { when: [], say: ["What?"], act: "continue" },
      patience: 0,
      givesUp: ["Bye"],
    });
  });

  test("a caller with nothing but its opening", () => {
    expect(callerOf("opens: Hi\n")).toEqual({
      kind: "scripted",
      opens: ["Hi"],
      replies: [],
      patience: 3,
      givesUp: [],
    });
  });

  test("a model-played caller", () => {
    expect(
      callerOf(
        "goal: Book.\nknows: { trailer: van, miles: 5 }\ndoes_not_know: [fuel]\nmodel: a/b\nprice: { input: 1, output: 2 }\n",
      ),
    ).toEqual({
      kind: "model",
      model: "a/b",
      price: { input: 1, output: 2 },
      goal: "Book.",
      knows: [
        { fact: "trailer", value: "van" },
        { fact: "miles", value: "5" },
      ],
      unknown: ["fuel"],
    });
  });

  test("a task", () => {
    const text = `
description: A try.
tags: [a]
critical: true
max_turns: 4
given: { loads: { L-1002: { status: available }, L-1001: null, L-9: { ceiling: 1 } } }
caller: patient
reference:
  - verify_carrier: { mc_number: "1" }
  - agent: Shall I?
  - caller: Yes.
expect:
  called: [verify_carrier, { tool: book_load, args: { rate: { lte: 5 } }, times: 1, ok: false }]
  not_called: { tool: book_load, ok: true }
  state: { loads: { L-9: { ceiling: 1 }, L-1001: null }, bookings: { B-1: [{ rate: 1 }, { rate: 2 }] } }
  say: [a, { any: [b, c] }]
  not_say: d
`;
    expect(taskOf(text)).toEqual({
      id: "extra",
      description: "A try.",
      tags: ["a"],
      critical: true,
      maxTurns: 4,
      given: [
        { table: "loads", key: "L-1002", row: { status: "available" } },
        { table: "loads", key: "L-1001", row: null },
        { table: "loads", key: "L-9", row: { ceiling: 1 } },
      ],
      caller: {
        kind: "scripted",
        opens: ["Hello"],
        replies: [],
        fallback: { when: [], say: ["Pardon?"], act: "continue" },
        patience: 3,
        givesUp: [],
      },
      reference: [
        { kind: "call", tool: "verify_carrier", args: { mc_number: "1" } },
        { kind: "agent", text: "Shall I?" },
        { kind: "caller", text: "Yes." },
      ],
      expect: {
        called: [
          { tool: "verify_carrier", ok: true },
          {
            tool: "book_load",
            args: [[{ path: ["rate"], op: "lte", value: literal(5) }]],
            ok: false,
            times: 1,
          },
        ],
        notCalled: [{ tool: "book_load", ok: true }],
        state: [
          { table: "loads", key: "L-9", where: [[{ path: ["ceiling"], op: "eq", value: literal(1) }]] },
          { table: "loads", key: "L-1001", where: null },
          {
            table: "bookings",
            key: "B-1",
            where: [
              [{ path: ["rate"], op: "eq", value: literal(1) }],
              [{ path: ["rate"], op: "eq", value: literal(2) }],
            ],
          },
        ],
        say: [{ any: ["a"] }, { any: ["b", "c"] }],
        notSay: [{ any: ["d"] }],
      },
    });
  });

  test("what a task leaves out", () => {
    expect(taskOf("caller: { opens: Hi }\n")).toMatchObject({
      tags: [],
      critical: false,
      maxTurns: 20,
      given: [],
      reference: [],
      expect: { called: [], notCalled: [], state: [], say: [], notSay: [] },
    });
  });

  test("things come as written in the part's file, then by file name", () => {
    const task = "caller: { opens: Hi }\n";
    const files = {
      "tasks/b.yaml": task,
      "tasks/a.yaml": task,
      "tasks.yaml": "10: { caller: patient }\n2: { caller: patient }\n",
    };
    expect(domainOf(files).tasks.map(({ id }) => id)).toEqual(["10", "2", "a", "b"]);
  });
});

describe("digest", () => {
  test("is a fixed SHA-256 in hex that spelling does not change and meaning does", async () => {
    const digest = await domainDigest(domainOf());
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    const spelled = edit(
      "tools.yaml",
      "params: { mc_number: string }",
      "params:\n    mc_number: { type: string } # same",
    );
    expect(await domainDigest(domainOf(spelled))).toBe(digest);
    const changed = edit("world.yaml", "ceiling: 900", "ceiling: 901");
    expect(await domainDigest(domainOf(changed))).not.toBe(digest);
  });

  test("does not depend on the order of keys", async () => {
    const domain = domainOf();
    const turned = Object.fromEntries(Object.entries(domain).reverse()) as unknown;
    expect(await domainDigest(turned as typeof domain)).toBe(await domainDigest(domain));
  });
});
