import type { CatalogEntry, ContextSelection, TableContract } from "../protocol/contract.ts";
import { schemaVersion } from "../protocol/limits.ts";
import type { AgentHttpRequest, AgentHttpResponse } from "../protocol/messages.ts";
import { given } from "../protocol/shape.ts";
import { type PinStore, pinTtlMs, type SaidTurn } from "./pin-store.ts";

/** What a pin holds of a table. The view is never pinned. */
export interface PinnedDoc {
  contract: TableContract;
  catalog: CatalogEntry[];
  /** What of the contract did not travel. */
  left?: Pick<ContextSelection, "deferred" | "notes">;
  /** As the client sent it, byte for byte. */
  contractVersion?: string;
}

/** What a request tells of its table; `null` when it relies on a pin. */
export function pinnedDoc({ context, catalog = [], contractVersion }: AgentHttpRequest): PinnedDoc | null {
  if (context === undefined) return null;
  const { deferred, notes } = context.selection;
  const left = { deferred: deferred.filter(({ kind }) => kind !== "column"), ...given("notes", notes) };
  return {
    contract: context.contract,
    catalog,
    ...given("left", left.deferred.length > 0 || notes !== undefined ? left : undefined),
    ...given("contractVersion", contractVersion),
  };
}

/** Pins what a request told, under its own session id or a fresh one. `known` and `said`: see `PinStore.keep`. */
export async function keepPin(
  { sessionId, tableId }: AgentHttpRequest,
  doc: PinnedDoc,
  { pins, mintSessionId }: { pins: PinStore; mintSessionId(): string },
): Promise<{ sessionId: string; known: boolean; said: SaidTurn[] }> {
  const id = sessionId ?? mintSessionId();
  return { sessionId: id, ...(await pins.keep(id, tableId, JSON.stringify(doc))) };
}

/**
 * What is pinned for a request's session and table; `null` when nothing is. A request that names another version of the
 * contract than the one held relies on a pin that is not here either: to answer it would be to answer for another table.
 */
export async function findPin(
  { sessionId, tableId, contractVersion }: AgentHttpRequest,
  pins: PinStore,
): Promise<{ doc: PinnedDoc; said: SaidTurn[] } | null> {
  if (sessionId === undefined) return null;
  const found = await pins.find(sessionId, tableId);
  if (found === null) return null;
  const doc = JSON.parse(found.doc) as PinnedDoc;
  if (contractVersion !== undefined && contractVersion !== doc.contractVersion) return null;
  return { doc, said: found.said };
}

/**
 * The parts of a reply that tell the client it may rely on its pin from now on. A version that is an empty text is none:
 * the protocol lets a request carry one and no reply.
 */
export function acknowledge(sessionId: string, contractVersion: string | undefined): AgentHttpResponse {
  return {
    schemaVersion,
    sessionId,
    pin: {
      status: "acknowledged",
      ...given("contractVersion", contractVersion || undefined),
      ttlMs: pinTtlMs,
    },
  };
}

/** The reply to a turn whose pin is gone: the client sends the contract again. */
export function pinLost(sessionId: string | undefined): AgentHttpResponse {
  return {
    schemaVersion,
    text: "The table's contract is not known here any more. Send it again with the turn.",
    pin: { status: sessionId === undefined ? "unknown" : "expired" },
  };
}
