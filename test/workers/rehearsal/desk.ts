import { exports } from "cloudflare:workers";
import { vi } from "vitest";
import type { StepRequest } from "../../../src/sandtable/trial/step-protocol.ts";

/** A small domain: two tasks, one rule. */
export const files = {
  "domain.yaml": "name: desk\ndescription: You answer carriers.\nclock: 2026-10-18T21:05:00Z\n",
  "policy.md": "Verify the carrier before you book.\n",
  "world.yaml": `
loads:
  key: load_id
  noun: Load
  rows:
    L-1: { status: available, rate: null }
    L-2: { status: booked, rate: 900 }
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
`,
  "rules.yaml": `
verified-first:
  on: book_load
  requires: { call: verify_carrier, same: [mc_number] }
  source: { quote: Verify the carrier before you book., document: policy.md }
`,
  "tasks.yaml": `
book:
  tags: [booking]
  critical: true
  caller:
    opens: MC 100101, I want L-1.
    replies: [{ when: { called: book_load }, say: Thanks., then: hang_up }]
    fallback: Hello?
    patience: 2
  expect: { called: [book_load], state: { loads: { L-1: { status: booked, rate: 1375 } } } }
taken:
  caller: { opens: "MC 100101, I want L-2.", replies: [{ when: { said: not available }, then: hang_up }], fallback: Hello? }
  expect: { not_called: [transfer], say: [not available] }
`.replace("not_called: [transfer], ", ""),
};

type Answer = Record<string, unknown>;

/** What a well-behaved agent answers, from the request alone. */
export function goodAnswer(request: StepRequest): Answer {
  const { message, tool_results: results } = request;
  const load = request.session_id.includes("/taken") ? "L-2" : "L-1";
  if (message?.startsWith("MC"))
    return { tool_calls: [{ id: "v", name: "verify_carrier", arguments: { mc_number: "100101" } }] };
  const [result] = results ?? [];
  if (result?.id === "v") {
    const args = { load_id: load, mc_number: "100101", rate: 1375 };
    return { tool_calls: [{ id: "b", name: "book_load", arguments: args }] };
  }
  if (result?.id === "b") return { reply: result.ok ? "Booked at $1,375." : `Sorry: ${result.error}.` };
  return { reply: "You are welcome." };
}

export interface Sent {
  url: string;
  headers: Headers;
  body: StepRequest;
}

/** Stands in for the network: every step goes to `answer`, and is noted. */
export function agentAnswers(
  answer: (
    request: StepRequest,
    sent: Sent[],
    signal: AbortSignal | null,
  ) => Answer | Response | Promise<Answer | Response>,
): Sent[] {
  const sent: Sent[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const body = (await request.clone().json()) as StepRequest;
    sent.push({ url: request.url, headers: request.headers, body });
    const answered = await answer(body, sent, init?.signal ?? null);
    return answered instanceof Response ? answered : Response.json(answered);
  });
  return sent;
}

const origin = "http://127.0.0.1:8787";

export async function api(
  path: string,
  init: { method?: string; body?: unknown; token?: string; headers?: Record<string, string> } = {},
) {
  return exports.default.fetch(`${origin}${path}`, {
    method: init.method ?? (init.body === undefined ? "GET" : "POST"),
    headers: {
      authorization: `Bearer ${init.token ?? "t"}`,
      "content-type": "application/json",
      ...init.headers,
    },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
}

export const agent = {
  kind: "http",
  url: "http://127.0.0.1:9/step",
  headers: { authorization: "Bearer of-the-agent" },
};

export async function start(body: Record<string, unknown> = {}): Promise<string> {
  const response = await api("/api/rehearsals", { body: { domain: { files }, agent, ...body } });
  if (response.status !== 201) throw new Error(await response.text());
  return ((await response.json()) as { runId: string }).runId;
}

/** The events of a rehearsal to its end. */
export async function events(runId: string, after?: number): Promise<Record<string, unknown>[]> {
  const headers = after === undefined ? {} : { "last-event-id": String(after) };
  const text = await (await api(`/api/rehearsals/${runId}/events`, { headers })).text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data]) => JSON.parse(data ?? "") as Record<string, unknown>,
  );
}
