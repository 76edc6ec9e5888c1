import { dropOldest, type GuideCache, guideCache } from "./guide-cache.ts";
import { type PinMachine, pinMachine } from "./pin-machine.ts";
import type { TableSessionPort } from "./session-port.ts";

/** Tables whose last handle is remembered. */
const maxHandles = 16;

/** What this client knows of its backend for one table session. */
export interface Connection {
  pin: PinMachine;
  guides: GuideCache;
  /** A re-pinning under way, shared by all turns that need the same one. */
  refreshing: { version: string; done: Promise<void> } | undefined;
}

/** Connections by table session, and the last handle a backend gave out for each table. */
export interface Connections {
  of(session: TableSessionPort): Connection;
  /** The handle to send when no pin names one: a session made anew for the same table finds its backend again. */
  handle(tableId: string): string | undefined;
  keepHandle(tableId: string, sessionId: string): void;
  /** Pin, guides and handle: they are one promise, and a backend that lost one has lost all. */
  forget(session: TableSessionPort): void;
}

/**
 * Connections of one client. They live as long as the client and the session do, and are never shared between clients:
 * a handle that one backend gave out is of no use to another and need not be shown to it.
 */
export function connections(now: () => number): Connections {
  const held = new WeakMap<TableSessionPort, Connection>();
  const handles = new Map<string, string>();

  function of(session: TableSessionPort): Connection {
    let connection = held.get(session);
    if (!connection) {
      connection = { pin: pinMachine(now), guides: guideCache(), refreshing: undefined };
      held.set(session, connection);
    }
    return connection;
  }

  return {
    of,
    handle: (tableId) => handles.get(tableId),
    keepHandle(tableId, sessionId) {
      handles.delete(tableId);
      handles.set(tableId, sessionId);
      dropOldest(handles, maxHandles);
    },
    forget(session) {
      const connection = of(session);
      connection.pin.forget();
      connection.guides.clear();
      handles.delete(session.tableId);
    },
  };
}
