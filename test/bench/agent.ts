import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import type { AgentNews, AgentOrder, AgentStats, Gap } from "./agent-protocol.ts";

/*
 * The agent the rehearsals are measured against, in a process of its own. It answers at once, keeps connections open
 * and reads no more of a request than tells one kind from another, so that as little as possible of what is measured
 * is the agent.
 */

/** What it calls in each turn; the caller's lines carry the number of the turn. */
const calls: Record<string, { name: string; arguments: Record<string, unknown> }> = {
  "1": { name: "verify_carrier", arguments: { mc_number: "100101" } },
  "2": { name: "search_loads", arguments: { state: "TX" } },
  "3": { name: "get_load", arguments: { load_id: "L-7" } },
  "4": { name: "book_load", arguments: { load_id: "L-7", mc_number: "100101", rate: 1375 } },
  "5": { name: "send_confirmation", arguments: { load_id: "L-7" } },
};
const callAnswers: Record<string, string> = Object.fromEntries(
  Object.entries(calls).map(([turn, call]) => [
    turn,
    JSON.stringify({ tool_calls: [{ id: turn, ...call }] }),
  ]),
);

let order: Extract<AgentOrder, { type: "mode" }> = { type: "mode", mode: "calls", delayMs: 0, record: false };
let stats = fresh();
let recorded: string[] = [];
let gaps: Gap[] = [];
/** In `burst`: how many were sent in this turn, and when the last one left. */
let bursts = 0;
let burstSentAt = 0;

const server = createServer((request, response) => {
  const startedAt = performance.now();
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const arrivedAt = performance.now();
    const text = Buffer.concat(chunks).toString();
    if (order.record) recorded.push(text);
    const send = () => {
      const body = answerTo(text, arrivedAt);
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
      burstSentAt = performance.now();
      stats.requests += 1;
      stats.bytes += text.length;
      stats.ownMs += burstSentAt - startedAt;
    };
    if (order.delayMs === 0) send();
    else setTimeout(send, order.delayMs);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  tell({ type: "ready", url: `http://127.0.0.1:${port}/step` });
});

process.on("message", (asked: AgentOrder) => {
  if (asked.type === "stats") {
    return tell({ type: "stats", stats: { ...stats, cpuMs: cpuMs() - stats.cpuMs }, recorded, gaps });
  }
  order = asked;
  stats = fresh();
  recorded = [];
  gaps = [];
  bursts = 0;
  tell({ type: "done" });
});
process.on("disconnect", () => process.exit(0));

function answerTo(text: string, arrivedAt: number): string {
  // The caller's line, when there is one, is the last thing in a request.
  const line = /"message":"This is line (\d)\."\}$/.exec(text.slice(-60));
  if (order.mode === "burst") return nextBurst(line !== null, arrivedAt);
  if (order.mode === "talk") return '{"reply":"Noted, that is $1,375."}';
  return line === null ? '{"reply":"Done, that is $1,375."}' : (callAnswers[line[1] ?? ""] ?? "{}");
}

function nextBurst(opening: boolean, arrivedAt: number): string {
  if (opening) bursts = 0;
  const before = order.bursts?.[bursts - 1];
  if (before !== undefined) gaps.push({ kind: before.kind, ms: arrivedAt - burstSentAt });
  const next = order.bursts?.[bursts];
  bursts += 1;
  return next === undefined ? '{"reply":"Done."}' : next.answer;
}

/** Counters at nothing; `cpuMs` holds where the process stood. */
function fresh(): AgentStats {
  return { requests: 0, bytes: 0, ownMs: 0, cpuMs: cpuMs() };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function tell(news: AgentNews): void {
  process.send?.(news);
}
