import { localBackend } from "../../../../src/table/backend/local.ts";
import type { TableDeps } from "../../../../src/table/backend/table-deps.ts";
import type { BrainOptions, BrainReply, BrainRound, TableBrain } from "../../../../src/table/brains/brain.ts";
import type { TableContract } from "../../../../src/table/protocol/contract.ts";
import type { AgentHttpResponse } from "../../../../src/table/protocol/messages.ts";

/** A table of people that offers sorting, reading and editing. */
export const contract: TableContract = {
  tableId: "people",
  version: "c1",
  capabilities: ["edit.cells", "rows.read", "view.setFilters", "view.setSort"].map((key) => ({
    key,
    summary: key,
  })),
  columns: [
    { id: "name", label: "Name", type: "string", readable: true, writable: true, sortable: true },
    { id: "salary", label: "Salary", type: "number", readable: true, writable: true, sortable: true },
  ],
  filters: [],
  rowAddressing: { scope: "page", key: "rowKey" },
  limits: { pageMax: 100, readMax: 50 },
  policy: { write: "allow", approval: "writes", commit: "stage" },
  source: {
    fullDataset: true,
    grouping: false,
    selectAcrossPages: false,
    exportScope: "page",
    totalCount: 3,
  },
};

/** A version such as a client makes: long, and with signs that JSON writes in more than one way. */
export const contractVersion = `{"caps":["edit.cells"],"note":"caf\u00e9 \u2028 \\"quoted\\" /"}`;

export const view = { revision: 7, page: 1, limit: 10, search: "" };

const context = { contract, selection: { profile: "full", version: "s1" } };

const catalog = contract.capabilities.map(({ key, summary }) => ({ key, summary }));

const manifest = {
  schemaVersion: "adapttable.agent.v1",
  tableId: "people",
  viewRevision: 7,
  capabilities: catalog.map(({ key }) => key),
  columns: contract.columns,
  rowAddressing: contract.rowAddressing,
  limits: contract.limits,
  policy: contract.policy,
  source: contract.source,
};

const head = { schemaVersion: "adapttable.agent.v1", tableId: "people" };

/** What a request with the whole contract carries. */
export const full = { context, manifest, catalog, contractVersion, selectionVersion: "s1", view };

export const hello = { ...head, kind: "hello", ...full };

/** A turn that relies on a pin. */
export function pinnedTurn(sessionId: string, changes: object = {}): object {
  return {
    ...head,
    kind: "turn",
    sessionId,
    contractVersion,
    selectionVersion: "s1",
    viewRevision: 7,
    view,
    message: "sort by salary",
    turnId: "t1",
    phaseId: 0,
    ...changes,
  };
}

/** A turn that carries the contract. */
export function fullTurn(changes: object = {}): object {
  return { ...head, kind: "turn", ...full, message: "sort by salary", turnId: "t1", phaseId: 0, ...changes };
}

export const sortBySalary: BrainReply = {
  text: "Sorting by salary.",
  calls: [{ name: "view.setSort", args: { key: "salary", dir: "desc" } }],
};

/** A brain that answers what it is told to, and keeps the rounds it saw. */
export class FakeBrain implements TableBrain {
  readonly rounds: BrainRound[] = [];
  private readonly decide: (
    round: BrainRound,
    options: Required<BrainOptions>,
  ) => BrainReply | Promise<BrainReply>;

  constructor(decide: FakeBrain["decide"] | BrainReply = sortBySalary) {
    this.decide = typeof decide === "function" ? decide : () => decide;
  }

  async answer(round: BrainRound, options: BrainOptions): Promise<BrainReply> {
    this.rounds.push(round);
    return this.decide(round, { onText: () => undefined, ...options });
  }
}

/** A backend in this process, spoken to as a client would. */
export class Backend {
  readonly brain: FakeBrain;
  readonly reported: unknown[] = [];
  private readonly fetch: typeof fetch;

  constructor(brain = new FakeBrain(), deps: Partial<TableDeps> = {}) {
    this.brain = brain;
    const report = (error: unknown) => this.reported.push(error);
    this.fetch = localBackend(brain, { today: () => "2026-03-05", report, ...deps });
  }

  post(body: unknown, init: { accept?: string; signal?: AbortSignal } = {}): Promise<Response> {
    return this.fetch("/agent", {
      method: "POST",
      headers: { "content-type": "application/json", accept: init.accept ?? "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...(init.signal === undefined ? {} : { signal: init.signal }),
    });
  }

  async reply(body: unknown): Promise<AgentHttpResponse> {
    const response = await this.post(body);
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()) as AgentHttpResponse;
  }

  async refusal(body: unknown, init: { accept?: string } = {}): Promise<{ status: number; error: string }> {
    const response = await this.post(body, init);
    const { error } = (await response.json()) as { error: string };
    return { status: response.status, error };
  }

  /** A session that is pinned. */
  async connect(): Promise<string> {
    return (await this.reply(hello)).sessionId ?? "";
  }

  /** A reply to a client that takes streams. */
  stream(body: unknown, signal?: AbortSignal): Promise<Response> {
    const accept = "text/event-stream, application/json";
    return this.post(body, { accept, ...(signal === undefined ? {} : { signal }) });
  }
}

/** Events of a stream that has ended, as `[name, data]`. */
export async function eventsOf(response: Response): Promise<[string, unknown][]> {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true)
    throw new Error(`no stream: ${await response.text()}`);
  return (await response.text())
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":"))
    .map((frame) => {
      const [, name = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
      return [name, JSON.parse(data)];
    });
}
