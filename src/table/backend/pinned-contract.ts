import type { CatalogEntry, TableContract } from "../protocol/contract.ts";
import { schemaVersion } from "../protocol/limits.ts";
import type { AgentHttpRequest, AgentHttpResponse } from "../protocol/messages.ts";
import { given } from "../protocol/shape.ts";
import { type PinStore, pinTtlMs } from "./pin-store.ts";

/** What a pin holds of a table. The view is never pinned. */
export interface PinnedDoc {
  contract: TableContract;
  catalog: CatalogEntry[];
  /** As the client sent it, byte for byte. */
  contractVersion?: string;
}

/** What a request tells of its table; `null` when it relies on a pin. */
export function pinnedDoc({ context, catalog = [], contractVersion }: AgentHttpRequest): PinnedDoc | null {
  if (context === undefined) return null;
  return { contract: context.contract, catalog, ...given("contractVersion", contractVersion) };
}

/** Pins what a request told, under its own session id or a fresh one. `known`: see `PinStore.keep`. */
export async function keepPin(
  { sessionId, tableId }: AgentHttpRequest,
  doc: PinnedDoc,
  { pins, mintSessionId }: { pins: PinStore; mintSessionId(): string },
): Promise<{ sessionId: string; known: boolean }> {
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
): Promise<PinnedDoc | null> {
  if (sessionId === undefined) return null;
  const text = await pins.find(sessionId, tableId);
  if (text === null) return null;
  const doc = JSON.parse(text) as PinnedDoc;
  return contractVersion === undefined || contractVersion === doc.contractVersion ? doc : null;
}

/** The parts of a reply that tell the client it may rely on its pin from now on. */
export function acknowledge(sessionId: string, contractVersion: string | undefined): AgentHttpResponse {
  return {
    schemaVersion,
    sessionId,
    pin: { status: "acknowledged", ...given("contractVersion", contractVersion), ttlMs: pinTtlMs },
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
