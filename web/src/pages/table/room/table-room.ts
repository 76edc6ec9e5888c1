import type {
  AgentHttpClient,
  ApprovalDecision,
  ApprovalRequest,
  AskUser,
  AudioClip,
  MemoryTableHost,
  ReaderAnswer,
  TablePolicy,
  TableSession,
} from "../../../../../src/table/index.ts";
// Not from the index: it has brains for servers too.
import { createTableSession, memoryTableHost } from "../../../../../src/table/session/index.ts";
import type { Json, JsonObject } from "../../../../../src/turn/json.ts";
import { messageOf } from "../../../api/errors.ts";
import { toast } from "../../../ui/toast.tsx";
import type { DemoTable } from "../data/demo-table.ts";
import { type Backend, remoteClient, simulatedClient } from "./backend.ts";
import {
  type Kept,
  type KeptBackend,
  keep,
  keepBackend,
  maxKeptTurns,
  readBackend,
  readKept,
} from "./kept.ts";
import { saveFile } from "./save-file.ts";
import type { Turn } from "./turn.ts";
import { failureWords, unresolvedWords } from "./words.ts";

/** Rows one page has when it has all of them. */
export const allRows = 10_000;
/** Rows of one read of the agent. */
const readMax = 500;
/** Earlier exchanges an agent is told. */
const maxConversation = 20;
/** After a change, this long until it is kept, milliseconds. */
const keepAfterMs = 250;

const firstPolicy: TablePolicy = { write: "allow", approval: "writes", commit: "stage" };

export interface OpenApproval {
  request: ApprovalRequest;
  decide(decision: ApprovalDecision): void;
}

export interface OpenQuestion {
  question: AskUser;
  answer(answer: ReaderAnswer | undefined): void;
}

/** What the page draws beside the table itself. A new object for each change. */
export interface RoomState {
  turns: Turn[];
  running: boolean;
  approval: OpenApproval | null;
  question: OpenQuestion | null;
  backend: Backend;
  /** A hello is under way. */
  connecting: boolean;
  policy: TablePolicy;
  /** Rises with everything that changes in the table. */
  tableVersion: number;
  /** The row that was asked to be shown last. */
  revealed: { rowKey: string; column: string | null; time: number } | null;
}

/** One table with its session, who answers, and what was said: all that a person and an agent share. */
export class TableRoom {
  readonly demo: DemoTable;
  readonly host: MemoryTableHost;
  readonly session: TableSession;
  private state: RoomState;
  private client: AgentHttpClient;
  private turnAbort: AbortController | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly made: Map<string, JsonObject>;
  private keepTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(demo: DemoTable) {
    this.demo = demo;
    const rows = demo.rows(today());
    this.made = new Map(rows.map((row) => [String(row.id), row]));
    const kept = readKept(demo.id);
    this.host = makeHost(demo, rows, kept);
    this.client = simulatedClient(today);
    const policy = kept?.policy ?? firstPolicy;
    this.session = createTableSession(this.host, {
      policy,
      approve: (request, signal) => this.askApproval(request, signal),
      limits: { readMax },
    });
    this.state = {
      turns: kept?.turns.map(interrupted) ?? [],
      running: false,
      approval: null,
      question: null,
      backend: { kind: "simulated" },
      connecting: false,
      policy,
      tableVersion: 0,
      revealed: null,
    };
    this.host.subscribe(() => this.tableChanged());
    this.session.subscribe((event) => {
      if (event.type === "receipt") {
        this.changeTurn({
          receipts: [...(this.newestTurn()?.receipts ?? []), { ...event.receipt, undone: false }],
        });
      } else if (event.type === "undo") this.markUndone(event.id);
    });
    addEventListener("pagehide", () => this.keepNow());
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): RoomState => this.state;

  /** Says something to the agent. Never rejects: what went wrong stands in the turn. */
  async send(said: string, audio?: AudioClip): Promise<void> {
    if (this.state.running) return;
    const conversation = this.state.turns
      .filter(({ text, said: words }) => text !== "" && words !== "")
      .slice(-maxConversation)
      .flatMap((turn) => [
        { role: "user" as const, text: turn.said },
        { role: "assistant" as const, text: turn.text },
      ]);
    const turn: Turn = {
      id: crypto.randomUUID(),
      said,
      spoken: audio !== undefined,
      text: "",
      receipts: [],
      status: "running",
      note: null,
    };
    const abort = new AbortController();
    this.turnAbort = abort;
    this.set({ turns: [...this.state.turns, turn], running: true });
    try {
      const report = await this.client.send(this.session, said, {
        signal: abort.signal,
        returnResults: true,
        conversation,
        ...(audio === undefined ? {} : { audio }),
        onText: (text) => this.changeTurn({ text }),
        onTranscript: (heard) => this.changeTurn({ said: heard }),
        askUser: (question, signal) => this.askQuestion(question, signal),
      });
      const { unresolved } = report;
      this.changeTurn({
        text: report.text,
        status: abort.signal.aborted ? "stopped" : "done",
        note: unresolved === undefined ? null : unresolvedWords(unresolved),
      });
    } catch (error) {
      const stopped = abort.signal.aborted;
      this.changeTurn({ status: stopped ? "stopped" : "failed", note: stopped ? null : failureWords(error) });
    }
    this.turnAbort = null;
    this.set({ running: false });
  }

  stop(): void {
    this.turnAbort?.abort();
  }

  /** Takes a view change of the agent back. Resolves with why it could not be, or null. */
  async undo(receiptId: string): Promise<string | null> {
    const { ok, error } = await this.session.undo(receiptId);
    if (ok) return null;
    return error?.code === "undo-stale"
      ? "The same part of the table was changed since, so this cannot be taken back by itself."
      : "This can no longer be taken back.";
  }

  /** Whether `undo` would find the change. */
  mayUndo(receiptId: string): boolean {
    return this.session.receipt(receiptId)?.undoable ?? false;
  }

  /** Says hello to a backend and has it answer from now on. Rejects, and leaves the one before, unless it says hello back. */
  async connect(backend: KeptBackend): Promise<void> {
    this.set({ connecting: true });
    try {
      const client = remoteClient(backend);
      const hello = await client.connect(this.session);
      this.client = client;
      keepBackend(backend);
      this.set({
        backend: { kind: "connected", endpoint: backend.endpoint, greeting: hello.text ?? "" },
      });
    } finally {
      this.set({ connecting: false });
    }
  }

  /** Goes to the backend that this tab is connected to, after a reload or when another table was connected meanwhile. */
  async followBackend(): Promise<void> {
    const kept = readBackend();
    const { backend, connecting } = this.state;
    if (connecting) return;
    if (kept === null) {
      if (backend.kind === "connected") this.disconnect();
    } else if (backend.kind === "simulated" || backend.endpoint !== kept.endpoint) {
      try {
        await this.connect(kept);
      } catch (error) {
        keepBackend(null);
        toast({ tone: "warn", text: `Simulated again. ${failureWords(error)}` });
      }
    }
  }

  /** Has the grid show a row, if the view has it, and one of its cells. */
  reveal(rowKey: string, column?: string): void {
    this.set({ revealed: { rowKey, column: column ?? null, time: performance.now() } });
  }

  disconnect(): void {
    this.client = simulatedClient(today);
    keepBackend(null);
    this.set({ backend: { kind: "simulated" } });
  }

  setPolicy(change: Partial<TablePolicy>): void {
    this.session.setPolicy(change);
    this.set({ policy: this.session.policy() });
  }

  /** An edit by hand: it waits for a save, as an agent's does. Why it was refused, or null. */
  stage(rowKey: string, column: string, value: Json): string | null {
    try {
      this.host.stageCells([{ rowKey, column, value }], { signal: new AbortController().signal });
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  clearTalk(): void {
    this.set({ turns: [] });
  }

  /** Forgets everything of this table that this tab kept; the caller makes a new room. */
  forget(): void {
    this.stop();
    this.session.close();
    clearTimeout(this.keepTimer);
    this.keepNow = () => undefined;
    keep(this.demo.id, null);
  }

  private askApproval(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    return new Promise((resolve) => {
      const decide = (decision: ApprovalDecision) => {
        signal.removeEventListener("abort", giveUp);
        this.set({ approval: null });
        resolve(decision);
      };
      const giveUp = () => decide(null);
      signal.addEventListener("abort", giveUp);
      this.set({ approval: { request, decide } });
    });
  }

  private askQuestion(question: AskUser, signal: AbortSignal): Promise<ReaderAnswer | undefined> {
    return new Promise((resolve) => {
      const answer = (given: ReaderAnswer | undefined) => {
        signal.removeEventListener("abort", giveUp);
        this.set({ question: null });
        resolve(given);
      };
      const giveUp = () => answer(undefined);
      signal.addEventListener("abort", giveUp);
      this.set({ question: { question, answer } });
    });
  }

  private newestTurn(): Turn | undefined {
    return this.state.turns.at(-1);
  }

  private changeTurn(change: Partial<Turn>): void {
    const newest = this.newestTurn();
    if (newest === undefined) return;
    this.set({ turns: [...this.state.turns.slice(0, -1), { ...newest, ...change }] });
  }

  private markUndone(id: string): void {
    this.set({
      turns: this.state.turns.map((turn) => ({
        ...turn,
        receipts: turn.receipts.map((receipt) =>
          receipt.id === id ? { ...receipt, undone: true } : receipt,
        ),
      })),
    });
  }

  private tableChanged(): void {
    this.set({ tableVersion: this.state.tableVersion + 1 });
  }

  private set(change: Partial<RoomState>): void {
    this.state = { ...this.state, ...change };
    clearTimeout(this.keepTimer);
    this.keepTimer = setTimeout(() => this.keepNow(), keepAfterMs);
    for (const listener of this.listeners) listener();
  }

  private keepNow = (): void => {
    const { totalRows: _total, canJump: _jump, pageSizes: _sizes, ...view } = this.host.view();
    keep(this.demo.id, {
      version: 1,
      view: view as Kept["view"],
      policy: this.state.policy,
      columns: Object.fromEntries(
        this.host.columns().map(({ id, readable = true, writable = false }) => [id, { readable, writable }]),
      ),
      saved: this.savedChanges(),
      staged: this.host.staged(),
      turns: this.state.turns.slice(-maxKeptTurns),
    });
  };

  /** How the saved rows differ from those that were made. Untouched rows are the very objects that were made. */
  private savedChanges(): Kept["saved"] {
    const edited: Record<string, JsonObject> = {};
    const added: JsonObject[] = [];
    const seen = new Set<string>();
    for (const { rowKey, cells } of this.host.allRows()) {
      const made = this.made.get(rowKey);
      seen.add(rowKey);
      if (made === undefined) added.push(cells);
      else if (made !== cells) edited[rowKey] = cells;
    }
    return { edited, added, deleted: [...this.made.keys()].filter((key) => !seen.has(key)) };
  }
}

function makeHost(demo: DemoTable, made: JsonObject[], kept: Kept | null): MemoryTableHost {
  const deleted = new Set(kept?.saved.deleted);
  const rows =
    kept === null
      ? made
      : [
          ...made.flatMap((row) => {
            const key = String(row.id);
            return deleted.has(key) ? [] : [kept.saved.edited[key] ?? row];
          }),
          ...kept.saved.added,
        ];
  const signal = new AbortController().signal;
  const host: MemoryTableHost = memoryTableHost({
    tableId: demo.id,
    columns: demo.columns.map((column) => ({ ...column, ...kept?.columns[column.id] })),
    rows,
    filters: demo.filters,
    view: { limit: allRows, ...demo.view, ...kept?.view },
    pageSizes: [25, 50, 100, allRows],
    today,
    savedViews: demo.savedViews ?? [],
    actions: demo.actions?.((rowKey, cells) => host.applyCells(rowKey, cells, { signal })) ?? [],
    onExport: saveFile,
    ...(demo.refuse === undefined ? {} : { refuse: demo.refuse }),
  });
  if (kept !== null && kept.staged.length > 0) host.stageCells(kept.staged, { signal });
  return host;
}

/** A turn of before the reload: one that was under way goes no further. */
function interrupted(turn: Turn): Turn {
  if (turn.status !== "running") return turn;
  return {
    ...turn,
    status: "interrupted",
    note: "The page was reloaded before this ended. What is listed was done; nothing more will be.",
  };
}

/** This machine's day, for relative filters and for the agent alike. */
function today(): string {
  const now = new Date();
  const padded = (part: number) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${padded(now.getMonth() + 1)}-${padded(now.getDate())}`;
}
