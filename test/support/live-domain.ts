import type { StepRequest } from "../../src/sandtable/trial/step-protocol.ts";

/**
 * A desk where every turn of the caller is different text, so that a step that came twice can be told from two steps:
 * `count` asks for three numbered bookings, one a turn, and hangs up.
 */
export const deskFiles: Record<string, string> = {
  "domain.yaml": "name: desk\ndescription: You answer carriers.\nclock: 2026-10-18T21:05:00Z\n",
  "policy.md": "Verify the carrier before you book.\n",
  "world.yaml": `
loads:
  key: load_id
  noun: Load
  rows:
    L-1: { status: available, rate: null, notes: [] }
    L-2: { status: available, rate: null, notes: [] }
    L-3: { status: available, rate: null, notes: [] }
carriers: { key: mc_number, rows: { "100101": { insurance: active } } }
`,
  "tools.yaml": `
verify_carrier:
  description: Look a carrier up.
  params: { mc_number: string }
  lookup: { table: carriers, key: $mc_number }
book_load:
  description: Book a load.
  params: { load_id: string, mc_number: string, rate: number }
  guard: { unless: { table: loads, key: $load_id, where: { status: available } }, error: "Load {load_id} is not available" }
  update: { table: loads, key: $load_id, set: { status: booked, rate: $rate } }
add_note:
  description: Write a note on a load.
  params: { load_id: string, note: string }
  update: { table: loads, key: $load_id, append: { notes: $note } }
keep:
  description: Keep anything.
  params: { what: { type: object }, list: { type: list, optional: true } }
  respond: { kept: $what }
`,
  "rules.yaml": `
verified-first:
  on: book_load
  requires: { call: verify_carrier, same: [mc_number] }
  source: { quote: Verify the carrier before you book., document: policy.md }
plausible: { on: book_load, bound: { arg: rate, lte: 5000 } }
`,
  "tasks.yaml": `
count:
  critical: true
  caller:
    opens: "MC 100101, book L-1."
    replies:
      - { when: { said: L-1 is booked }, say: "Now book L-2.", then: accept }
      - { when: { said: L-2 is booked }, say: "Now book L-3.", then: accept }
      - { when: { said: L-3 is booked }, say: "Thanks, bye.", then: hang_up }
    fallback: "Sorry?"
    patience: 2
  expect:
    called: [{ tool: book_load, times: 3, ok: true }]
    state: { loads: { L-1: { status: booked }, L-2: { status: booked }, L-3: { status: booked } } }
hello:
  caller: { opens: "Hello there.", replies: [{ when: { said: hello }, say: "Bye.", then: hang_up }], fallback: "Sorry?", patience: 1 }
  expect: { say: [hello] }
`,
};

/** What a good desk answers, read off the request alone: seven steps for `count`, two for `hello`. */
export function deskAnswer(step: StepRequest): unknown {
  const { message, tool_results: results } = step;
  if (results !== undefined) {
    const [result] = results;
    const load = /^(?:v|b)-(L-\d)$/.exec(result?.id ?? "")?.[1] ?? "L-1";
    if (result?.id.startsWith("v-")) return booking(load);
    return { reply: result?.ok ? `${load} is booked.` : `Sorry, ${load} is not available.` };
  }
  const load = /L-\d/.exec(message ?? "")?.[0];
  if (load === undefined) return { reply: "Hello, and good bye." };
  if (message?.startsWith("MC"))
    return {
      tool_calls: [{ id: `v-${load}`, name: "verify_carrier", arguments: { mc_number: "100101" } }],
    };
  return booking(load);
}

function booking(load: string): unknown {
  const args = { load_id: load, mc_number: "100101", rate: 1375 };
  return { tool_calls: [{ id: `b-${load}`, name: "book_load", arguments: args }] };
}
