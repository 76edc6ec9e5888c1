import { tmpdir } from "node:os";
import { loadBundle, type WorkerBundle } from "../../src/cli/engine/bundle.ts";
import { packageRoot } from "../../src/cli/package-root.ts";
import { contractFingerprint } from "../../src/table/protocol/fingerprint.ts";
import { createTableSession, memoryTableHost } from "../../src/table/session/index.ts";
import { median, type Spread, spread } from "./numbers.ts";
import { cpuMsOf, flushMs } from "./procfs.ts";
import type { LaneReply } from "./serving/lane.ts";
import { load } from "./serving/load.ts";
import { loadPeer } from "./serving/peers.ts";
import { type BenchRuntime, startRuntime } from "./serving/runtime.ts";
import { type Kind, kinds, token } from "./serving/stacks.ts";

export interface TablePlan {
  lanes: number;
  rounds: number;
  /** Of each kind in each round, ms. */
  ms: number;
  warmUpMs: number;
}

/** What one kind of request came to; times in ms a request. */
interface TableKindResult {
  name: string;
  /** Bytes of a request. */
  bytes: number;
  requests: number;
  perSecond: Spread;
  /** Of the runtime's process; `null` where the system does not tell. */
  cpuMs: number | null;
  p50: number;
  p99: number;
  /** Rate by that of the floor, round by round. */
  rateToFloor: Spread;
}

export interface TableResult extends TablePlan {
  flushMs: number;
  results: TableKindResult[];
}

interface Round {
  perSecond: number;
  cpuMs: number | null;
  latencies: number[];
}

/**
 * What a table's requests cost beside "one object, one INSERT", measured by turns: a hello in a session of its own, the
 * same hello again, and turns on a pin, of a table with four columns and of one with two hundred. The embedded agent
 * answers. Every reply must be the right one.
 */
export async function measureTable(plan: TablePlan, say: (text: string) => void): Promise<TableResult> {
  const root = tmpdir();
  const ours: WorkerBundle = await loadBundle(packageRoot, () => say("building the Worker\n"));
  const floor = await startRuntime(
    "floor",
    await loadPeer("floor", () => say("building the floor\n")),
    {},
    root,
  );
  try {
    const worker = await startRuntime("ours", ours, { AGENT_HTTP_TOKEN: token }, root);
    try {
      return await measure(plan, { floor, worker });
    } finally {
      await worker.close();
    }
  } finally {
    await floor.close();
  }
}

async function measure(
  plan: TablePlan,
  { floor, worker }: { floor: BenchRuntime; worker: BenchRuntime },
): Promise<TableResult> {
  const wanted = [
    { kind: kinds.floor, runtime: floor },
    ...tableKinds().map((kind) => ({ kind, runtime: worker })),
  ];
  for (const { kind, runtime } of wanted) await run(kind, runtime, plan.lanes, plan.warmUpMs, "warm");
  const taken = new Map<Kind, Round[]>(wanted.map(({ kind }) => [kind, []]));
  const flushes: number[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    flushes.push(flushMs(tmpdir()));
    for (const { kind, runtime } of round % 2 === 0 ? wanted : wanted.toReversed()) {
      taken.get(kind)?.push(await run(kind, runtime, plan.lanes, plan.ms, String(round)));
    }
  }
  const base = taken.get(kinds.floor) ?? [];
  return {
    ...plan,
    flushMs: median(flushes),
    results: [...taken].map(([kind, rounds]) => resultOf(kind, rounds, base)),
  };
}

async function run(
  kind: Kind,
  { url, pid }: BenchRuntime,
  lanes: number,
  ms: number,
  label: string,
): Promise<Round> {
  const before = cpuMsOf(pid);
  const { turns, wallMs, latencies } = await load(kind, url, { lanes, ms, label });
  const after = cpuMsOf(pid);
  return {
    perSecond: (turns * 1_000) / wallMs,
    cpuMs: before === null || after === null ? null : (after - before) / turns,
    latencies,
  };
}

function resultOf(kind: Kind, rounds: Round[], base: Round[]): TableKindResult {
  const latencies = rounds.flatMap((round) => round.latencies).sort((a, b) => a - b);
  const at = (part: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
  const cpu = rounds.map(({ cpuMs }) => cpuMs).filter((value) => value !== null);
  return {
    name: kind.name,
    bytes: Buffer.byteLength(kind.request("0-0-1", 1).body),
    requests: latencies.length,
    perSecond: spread(rounds.map(({ perSecond }) => perSecond)),
    cpuMs: cpu.length === 0 ? null : median(cpu),
    p50: at(0.5),
    p99: at(0.99),
    rateToFloor: spread(
      rounds.map(({ perSecond }, round) => perSecond / (base[round]?.perSecond ?? Number.NaN)),
    ),
  };
}

function tableKinds(): Kind[] {
  const small = requestsOf("people", 4);
  const wide = requestsOf("wide", 200);
  return [
    helloKind("hello, a new session", small, (session) => session),
    helloKind("hello, a session it knows", small, () => "known"),
    helloKind("hello, 200 columns", wide, () => "known"),
    turnKind("pinned turn", small),
    turnKind("pinned turn, 200 columns", wide),
  ];
}

interface TableRequests {
  hello: { [key: string]: unknown };
  turn: { [key: string]: unknown };
}

/** What a client sends of a table: a session's own contract, with every guide where there are few columns. */
function requestsOf(tableId: string, count: number): TableRequests {
  const others = Array.from({ length: count - 1 }, (_, n) => ({
    id: `c${n}`,
    label: `Column ${n}`,
    type: "string",
  }));
  const session = createTableSession(
    memoryTableHost({
      tableId,
      columns: [{ id: "salary", label: "Salary", type: "number" }, ...others],
      rows: [],
    }),
  );
  const context = session.context({ profile: count > 50 ? "compact" : "full" });
  const [manifest, catalog, view] = [session.manifest(), session.catalog(), session.view()];
  const head = {
    schemaVersion: "adapttable.agent.v1",
    tableId,
    contractVersion: contractFingerprint(context.contract, manifest, catalog),
    view,
  };
  return {
    hello: { ...head, kind: "hello", context, manifest, catalog },
    turn: {
      ...head,
      kind: "turn",
      viewRevision: manifest.viewRevision,
      message: "Sort by salary, highest first",
      turnId: "t1",
      phaseId: 0,
    },
  };
}

const headers = { authorization: `Bearer ${token}` };
const path = "/agent";

function helloKind(name: string, { hello }: TableRequests, sessionOf: (session: string) => string): Kind {
  return {
    name,
    stack: "ours",
    turnsPerSession: 1,
    request: (session) => ({
      path,
      headers,
      body: JSON.stringify({ ...hello, sessionId: sessionOf(session) }),
    }),
    problem: ({ status, body }) =>
      status === 200 && body.includes('"ok":true') && body.includes('"acknowledged"')
        ? null
        : `${status}: ${body}`,
  };
}

/** Turns of one session, which the hellos before have pinned. */
function turnKind(name: string, { turn }: TableRequests): Kind {
  const body = JSON.stringify({ ...turn, sessionId: "known" });
  return {
    name,
    stack: "ours",
    turnsPerSession: Number.POSITIVE_INFINITY,
    request: () => ({ path, headers, body }),
    problem: sortsBySalary,
  };
}

function sortsBySalary({ status, body }: LaneReply): string | null {
  const call = '"name":"view.setSort","args":{"key":"salary","dir":"desc"}';
  return status === 200 && body.includes(call) ? null : `${status}: ${body}`;
}

/** Requests a second beside the floor's, and what one takes. */
export function printTable({ results, flushMs }: TableResult): string {
  const rows = results.map(({ name, bytes, perSecond, rateToFloor, cpuMs, p50, p99 }) => [
    name,
    String(bytes),
    perSecond.median.toFixed(0),
    rateToFloor.median.toFixed(2),
    `${rateToFloor.min.toFixed(2)}-${rateToFloor.max.toFixed(2)}`,
    cpuMs?.toFixed(2) ?? "",
    p50.toFixed(1),
    p99.toFixed(1),
  ]);
  const head = ["", "bytes", "a second", "to floor", "rounds", "CPU ms", "p50 ms", "p99 ms"];
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  "),
  );
  return [
    `requests of a table, beside one object and one INSERT (flush ${flushMs.toFixed(2)} ms)`,
    ...text,
  ].join("\n");
}
