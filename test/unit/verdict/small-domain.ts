import type {
  CallExpect,
  Domain,
  Expect,
  FieldTest,
  Operator,
  Rule,
  ScriptedCaller,
  Task,
  Tool,
  Value,
} from "../../../src/sandtable/domain/types.ts";
import type { Json } from "../../../src/turn/json.ts";

/** Shorthands for compiled parts of a domain. */
export function literal(value: Json): Value {
  return { kind: "literal", value };
}
function arg(name: string): Value {
  return { kind: "arg", path: [name] };
}
export function is(path: string, op: Exclude<FieldTest["op"], "any"> & Operator, value: Json): FieldTest {
  return { path: path.split("."), op, value: literal(value) };
}
export function expecting(more: Partial<Expect>): Expect {
  return { called: [], notCalled: [], state: [], say: [], notSay: [], ...more };
}
export function call(tool: string, args?: FieldTest[], more: Partial<CallExpect> = {}): CallExpect {
  return { tool, ok: true, ...(args === undefined ? {} : { args: [args] }), ...more };
}
export function scripted(more: Partial<ScriptedCaller> = {}): ScriptedCaller {
  return { kind: "scripted", opens: ["Hi"], replies: [], patience: 3, givesUp: [], ...more };
}
export function task(more: Partial<Task>): Task {
  return {
    id: "task",
    tags: [],
    critical: false,
    maxTurns: 20,
    given: [],
    caller: scripted(),
    reference: [],
    expect: expecting({}),
    ...more,
  };
}

const tools: Tool[] = [
  {
    name: "verify_carrier",
    description: "Look a carrier up.",
    params: [{ name: "mc_number", type: "string", optional: false }],
    guards: [],
    action: { kind: "lookup", rows: { table: "carriers", key: arg("mc_number") } },
  },
  {
    name: "get_load",
    description: "Look a load up.",
    params: [{ name: "load_id", type: "string", optional: false }],
    guards: [],
    action: { kind: "lookup", rows: { table: "loads", key: arg("load_id") } },
  },
  {
    name: "book_load",
    description: "Book a load.",
    params: [
      { name: "load_id", type: "string", optional: false },
      { name: "mc_number", type: "string", optional: false },
      { name: "rate", type: "number", optional: false },
    ],
    guards: [
      {
        on: "unless",
        test: {
          kind: "row",
          table: "loads",
          key: arg("load_id"),
          where: [[is("status", "eq", "available")]],
        },
        error: "Load {load_id} is not available",
      },
    ],
    action: {
      kind: "write",
      effects: [
        {
          kind: "update",
          rows: { table: "loads", key: arg("load_id") },
          set: [
            { path: ["status"], value: literal("booked") },
            { path: ["rate"], value: arg("rate") },
          ],
          append: [],
          remove: [],
        },
      ],
    },
  },
  {
    name: "transfer_to_human",
    description: "Hand over.",
    params: [],
    guards: [],
    action: { kind: "respond", value: literal({ status: "transferred" }) },
  },
];

const rules: Rule[] = [
  {
    id: "verified-first",
    on: ["book_load"],
    severity: "hard",
    source: { quote: "Verify the carrier before you book." },
    kind: "requires",
    tools: ["verify_carrier"],
    same: [{ argument: ["mc_number"], earlier: ["mc_number"] }],
  },
  {
    id: "stay-under",
    on: ["book_load"],
    severity: "hard",
    source: { quote: "Never pay above the ceiling." },
    kind: "bound",
    argument: ["rate"],
    bounds: [{ op: "lte", limit: { kind: "row", table: "loads", key: arg("load_id"), path: ["ceiling"] } }],
  },
  {
    id: "round-rates",
    on: ["book_load"],
    severity: "soft",
    source: { quote: "Prefer round rates." },
    kind: "check",
    cel: "args.rate % 25 == 0",
  },
  {
    id: "ceiling-secret",
    on: null,
    severity: "hard",
    source: { quote: "The ceiling is ours." },
    kind: "never_disclose",
    fields: [{ table: "loads", path: ["ceiling"] }],
    texts: [],
  },
];

/** A broker's desk with two loads and two carriers. */
export function smallDomain(tasks: Task[], more: Partial<Domain> = {}): Domain {
  return {
    name: "small",
    description: "You are a carrier desk.",
    policy: "Keep the rules.",
    clock: "2026-10-18T21:05:00Z",
    tables: [
      {
        name: "loads",
        key: "load_id",
        noun: "Load",
        newKey: { pattern: "loads-{n}", start: 1 },
        fields: ["load_id", "status", "ceiling", "rate"],
        rows: [
          { load_id: "L-1001", status: "available", ceiling: 1500 },
          { load_id: "L-1002", status: "available", ceiling: 1375 },
          { load_id: "L-1003", status: "booked", ceiling: 900 },
        ],
      },
      {
        name: "carriers",
        key: "mc_number",
        noun: "Carrier",
        newKey: { pattern: "carriers-{n}", start: 1 },
        fields: ["mc_number", "insurance"],
        rows: [
          { mc_number: "100101", insurance: "active" },
          { mc_number: "100202", insurance: "expired" },
        ],
      },
    ],
    tools,
    rules,
    tasks,
    ...more,
  };
}
