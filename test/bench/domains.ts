/** A domain folder: path inside it to text. */
export type Files = Record<string, string>;

const head: Files = {
  "domain.yaml": `name: bench
description: |
  You are the carrier desk of a freight broker. Carriers call about loads on the board; you tell them what is
  there, agree on a rate and book them. You are brief and friendly, and you say numbers as numbers.
clock: 2026-10-18T21:05:00Z
`,
  "policy.md": `# Desk policy

1. Ask for the MC number and verify it before you do anything for a carrier. Book only carriers whose insurance is active.
2. Look the load up before you offer it: the board changes by the minute. Never offer a load that is taken.
3. Start at the posted rate. You may go up to the ceiling of the load, never above it, and you never tell it to anyone.
4. Say the load and the rate back to the carrier, and book only after they have said yes to both.
5. One load a call. Send the confirmation once the load is booked, and only then say that it is done.
6. Give a caller who is angry, or who asks for one, a person. Do not argue about detention or past payments.
`,
};

const tools = `
verify_carrier:
  description: Look a carrier up by its MC number and say whether its authority and insurance are active.
  params: { mc_number: { type: string, description: The carrier's MC number } }
  lookup: { table: carriers, key: $mc_number }
search_loads:
  description: Find loads on the board that are available, by the state they start in.
  params:
    state: { type: string, description: Two letters }
    min_rate: { type: number, minimum: 0, optional: true }
  search: { table: loads, where: { status: available, origin.state: $state, rate: { gte: $min_rate } }, sort: -rate, limit: 3, fields: [load_id, origin, rate] }
get_load:
  description: Look one load up by its id.
  params: { load_id: string }
  lookup: { table: loads, key: $load_id, fields: [load_id, origin, status, rate] }
book_load:
  description: Book a carrier on a load at an agreed rate.
  params: { load_id: string, mc_number: string, rate: { type: number, minimum: 0 } }
  guard: { unless: { table: loads, key: $load_id, where: { status: available } }, error: "Load {load_id} is not available" }
  update: { table: loads, key: $load_id, set: { status: booked, carrier: $mc_number, rate: $rate } }
send_confirmation:
  description: Send the rate confirmation of a booked load to the carrier on it.
  params: { load_id: string }
  create: { table: messages, set: { load_id: $load_id, text: Confirmed. } }
  respond: { sent: true }
transfer_to_human:
  description: Hand the call to a person.
  params: { reason: { type: string, optional: true } }
  respond: { status: transferred }
`;

const rules = `
verify-first:
  on: book_load
  requires: { call: verify_carrier, same: [mc_number], result: { insurance: active } }
  source: { quote: verify it before you do anything for a carrier, document: policy.md }
look-first:
  on: book_load
  requires: { call: get_load, same: [load_id], result: { status: available } }
under-ceiling:
  on: book_load
  bound: { arg: rate, lte: { table: loads, key: $load_id, field: ceiling } }
still-there:
  on: book_load
  check: row('loads', args.load_id).status == 'available' && args.rate > 0
once:
  on: book_load
  limit: { times: 1, per: [mc_number], counting: successful }
secret:
  never_disclose: { table: loads, field: ceiling, where: { load_id: L-7 } }
`;

const lines = [2, 3, 4, 5].map(
  (line) => `{ when: { not_said: goodbye }, say: This is line ${line}., times: 1 }`,
);
const fiveTurns = `{ opens: This is line 1., replies: [${lines.join(", ")}, { when: { not_said: goodbye }, then: hang_up }], fallback: Hello? }`;

/**
 * Five turns with a caller who never minds what is said. Task `calls` expects a tool call in each turn, ten steps in
 * all; task `talk` expects replies only, five steps. Six tools, six rules, a few rows: the size of a small real domain.
 */
export const deskDomain: Files = {
  ...head,
  "tools.yaml": tools,
  "rules.yaml": rules,
  "world.yaml": `
loads:
  key: load_id
  noun: Load
  rows:
${loadRows(12)
  .map((row) => `    ${row.load_id}: ${JSON.stringify(row)}`)
  .join("\n")}
carriers: { key: mc_number, noun: Carrier, rows: { "100101": { insurance: active }, "100202": { insurance: expired } } }
messages: { key: message_id, fields: [message_id, load_id, text], rows: {} }
`,
  "tasks.yaml": `
calls:
  caller: ${fiveTurns}
  expect: { called: [verify_carrier, search_loads, get_load, book_load, send_confirmation], state: { loads: { L-7: { status: booked, rate: 1375 } } } }
talk:
  caller: ${fiveTurns}
  expect: { say: ["$1,375"] }
`,
};

/** A domain whose one table has this many rows, for measuring what a row costs to find and to change. */
export function worldDomain(rows: number): Files {
  return {
    ...head,
    "tools.yaml": `
get_load: { description: Look a load up., params: { load_id: string }, lookup: { table: loads, key: $load_id } }
note_load: { description: Note a rate., params: { load_id: string, rate: number }, update: { table: loads, key: $load_id, set: { rate: $rate } } }
nothing: { description: Answer., params: { load_id: string, rate: { type: number, optional: true } }, respond: { load_id: L-1, origin: { city: Dallas, state: TX }, status: available, rate: 1375, ceiling: 1500 } }
`,
    "world.yaml": "loads: { key: load_id, noun: Load, rows_from: loads.jsonl }\n",
    "world/loads.jsonl": loadRows(rows)
      .map((row) => JSON.stringify(row))
      .join("\n"),
    "tasks.yaml": `
one:
  caller: { opens: This is line 1., replies: [{ when: { said: Done }, then: hang_up }], fallback: Hello? }
  expect: { say: [Done] }
`,
  };
}

function loadRows(count: number): { load_id: string; [field: string]: unknown }[] {
  const states = ["TX", "OK", "LA", "NM"];
  return Array.from({ length: count }, (_, n) => ({
    load_id: `L-${n + 1}`,
    origin: { city: "Dallas", state: states[n % states.length] },
    status: "available",
    rate: 1300 + (n % 100),
    ceiling: 1500,
  }));
}
