import { loadDomain } from "../../../src/sandtable/domain/load.ts";
import type { DomainProblem } from "../../../src/sandtable/domain/problem.ts";
import type { Domain } from "../../../src/sandtable/domain/types.ts";

export type Files = Record<string, string>;

/** A small right domain; tests replace single files of it. */
export const sample: Files = {
  "domain.yaml": `name: freight
description: |
  You are the carrier desk.
clock: 2026-10-18T21:05:00Z
`,
  "policy.md": "# Policy\n\nVerify the carrier\nbefore you book.\n",
  "world.yaml": `loads:
  key: load_id
  noun: Load
  rows:
    L-1001: { origin: { city: Dallas, state: TX }, status: available, ceiling: 1500, tags: [dry] }
    L-1002: { origin: { city: Tulsa, state: OK }, status: booked, ceiling: 900, tags: [] }
carriers:
  key: mc_number
  fields: [mc_number, name, insurance]
  rows:
    - { mc_number: "100101", name: Swift, insurance: active }
bookings:
  key: booking_id
  new_key: B-{n}
`,
  "tools.yaml": `verify_carrier:
  description: Look a carrier up.
  params: { mc_number: string }
  lookup: { table: carriers, key: $mc_number }
book_load:
  description: Book a load.
  params:
    load_id: string
    mc_number: string
    rate: { type: number, minimum: 0 }
    equipment: { enum: [van, reefer], optional: true }
  guard:
    unless: { table: loads, key: $load_id, where: { status: available } }
    error: Load {load_id} is not available
  create: { table: bookings, set: { load_id: $load_id, rate: $rate } }
  update: { table: loads, key: $load_id, set: { status: booked } }
`,
  "rules.yaml": `verified-first:
  on: book_load
  source: { quote: verify the carrier before you book, document: policy.md }
  requires: { call: verify_carrier, same: [mc_number] }
`,
  "callers.yaml": `patient:
  opens: Hello
  fallback: Pardon?
`,
  "tasks.yaml": `book-it:
  caller: patient
  reference:
    - verify_carrier: { mc_number: "100101" }
  expect:
    called: [book_load]
    state: { loads: { L-1001: { status: booked } } }
`,
};

/** The sample with some files replaced. */
export function withFiles(changes: Files): Files {
  return { ...sample, ...changes };
}

/** The domain of the sample with some files replaced; fails with its problems when there are any. */
export function domainOf(changes: Files = {}): Domain {
  const loaded = loadDomain(withFiles(changes));
  if (loaded.ok) return loaded.domain;
  throw new Error(loaded.problems.map(line).join("\n"));
}

/** Problems of the sample with some files replaced, one line each: `file:line:column message -> suggestion`. */
export function problemsOf(changes: Files): string[] {
  const loaded = loadDomain(withFiles(changes));
  return loaded.ok ? [] : loaded.problems.map(line);
}

function line({ file, line, column, message, suggestion }: DomainProblem): string {
  return `${file}:${line}:${column} ${message}${suggestion === undefined ? "" : ` -> ${suggestion}`}`;
}

/** The sample's file with one piece of text replaced, which must occur exactly once. */
export function edit(file: string, from: string, to: string): Files {
  const text = sample[file] ?? "";
  if (text.split(from).length !== 2) throw new Error(`"${from}" must occur once in ${file}`);
  return { [file]: text.replace(from, () => to) };
}
