import type { TablePolicy } from "../protocol/contract.ts";
import { buildCatalog, buildManifest } from "./contract.ts";
import { Executor } from "./executor.ts";
import { fitContext } from "./fit-context.ts";
import { describe } from "./guides.ts";
import { LiveTable } from "./live-table.ts";
import { messageOf } from "./refusal.ts";
import { Revisions } from "./revision.ts";
import type { TableSession, TableSessionEvent, TableSessionOptions } from "./session-types.ts";
import type { TableHost } from "./table-host.ts";
import { Turns } from "./turns.ts";
import { UndoStack } from "./undo-stack.ts";
import { publishedView } from "./view.ts";

const safest: TablePolicy = { write: "deny", approval: "writes", commit: "stage" };
const replayLimit = 200;

/**
 * Opens a table to agents: what they may know and do of it, and the one way they do it. Permissions, redaction,
 * revisions, approval, commit policy and replay are kept here, whatever a backend sends. Reads no rows until one asks.
 */
export function createTableSession(host: TableHost, options: TableSessionOptions = {}): TableSession {
  let policy: TablePolicy = { ...safest, ...options.policy };
  const revisions = new Revisions();
  const undoStack = new UndoStack();
  const turns = new Turns();
  const listeners = new Set<(event: TableSessionEvent) => void>();
  let lastTold = 0;

  const live = () => new LiveTable(host, options, policy);
  const tell = (event: TableSessionEvent): void => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        console.error(`a listener of table "${host.tableId}" failed: ${messageOf(error)}`);
      }
    }
  };
  const tellChange = (): void => {
    if (listeners.size === 0) return;
    const revision = revisions.of(live());
    if (revision === lastTold) return;
    lastTold = revision;
    tell({ type: "change", revision });
  };
  const executor = new Executor({
    live,
    revisions,
    undo: undoStack,
    turns,
    tell,
    replayLimit: options.replayLimit ?? replayLimit,
    approve: options.approve ?? null,
  });
  const unsubscribe = host.subscribe?.(tellChange);

  return {
    get tableId() {
      return host.tableId;
    },
    context(contextOptions) {
      const table = live();
      return fitContext(table, revisions.of(table), contextOptions);
    },
    manifest() {
      const table = live();
      return buildManifest(table, revisions.of(table));
    },
    catalog: () => buildCatalog(live()),
    view() {
      const table = live();
      return publishedView(table, revisions.of(table));
    },
    describe: (request) => describe(live(), request),
    async execute(order) {
      const result = await executor.execute(order);
      tellChange();
      return result;
    },
    policy: () => ({ ...policy }),
    setPolicy(change) {
      policy = { ...policy, ...change };
      tellChange();
    },
    setApprovalHandler: (handler) => executor.approvals.setHandler(handler),
    receipts: () => executor.receipts(),
    receipt: (idempotencyKey) => executor.receipt(idempotencyKey),
    undo: (id) =>
      turns.next(async () => {
        const undone = await undoStack.undo(host, id);
        const revision = revisions.of(live());
        if (undone.id !== undefined) tell({ type: "undo", id: undone.id, revision });
        tellChange();
        return { ...undone, revision };
      }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      unsubscribe?.();
      listeners.clear();
    },
  };
}
