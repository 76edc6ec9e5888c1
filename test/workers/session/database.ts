import { env } from "cloudflare:workers";
import { vi } from "vitest";

/** The class of the database binding, the same in the Worker and in its objects. */
const database = Object.getPrototypeOf(env.DB) as D1Database;

/** What a batch would do. */
type Gate = (send: () => Promise<D1Result[]>, queries: string[]) => Promise<D1Result[]>;

/** Puts `gate` before every batch, which is how sessions write to the database, until the mocks are restored. */
export function gateBatches(gate: Gate): void {
  const original = database.batch;
  vi.spyOn(database, "batch").mockImplementation(function (
    this: D1Database,
    statements: D1PreparedStatement[],
  ) {
    const queries = statements.map((one) => String((one as unknown as { statement?: unknown }).statement));
    return gate(() => original.call(this, statements), queries) as Promise<D1Result<never>[]>;
  });
}

/** What the platform throws when the database cannot be reached. */
export function away(): Error {
  return new Error("D1_ERROR: Network connection lost.");
}

/**
 * Lets one part of a test wait for another. Asked again and again: a promise that one object settles for another ends the
 * runtime when objects are thrown away.
 */
export function latch(): { wait(): Promise<void>; open(): void } {
  let opened = false;
  return {
    wait: async () => {
      while (!opened) await new Promise((resolve) => setTimeout(resolve, 2));
    },
    open: () => {
      opened = true;
    },
  };
}
