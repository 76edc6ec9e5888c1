import { runInDurableObject } from "cloudflare:test";
import { afterAll, expect, it, vi } from "vitest";
import { Client, leaveNothing } from "./client.ts";

afterAll(leaveNothing);

/** Puts messages into a session as if they had been said. */
async function fill(client: Client, count: number): Promise<void> {
  await client.say("Hello");
  await runInDurableObject(await client.object(), (_, { storage }) => {
    for (let n = 3; n < 3 + count; n += 1) {
      const body = JSON.stringify({
        role: "user",
        id: `m${n}`,
        parts: [{ type: "text", text: `message ${n}` }],
      });
      storage.sql.exec(
        "INSERT INTO messages (frame, n, id, role, body) VALUES ('main', ?, ?, 'user', ?)",
        n,
        `m${n}`,
        body,
      );
    }
  });
}

/** Rows that a session reads and writes while `act` goes on, and the statements it takes. */
async function rowsOf(
  client: Client,
  act: () => Promise<unknown>,
): Promise<{ read: number; written: number; statements: number }> {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  await runInDurableObject(await client.object(), (_, { storage }) => {
    const prototype = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const exec = prototype.exec;
    vi.spyOn(prototype, "exec").mockImplementation(function (this: SqlStorage, query, ...bindings) {
      const cursor = exec.call(this, query, ...bindings);
      // What is told to the database comes when it comes.
      if (!query.includes(" notes ")) cursors.push(cursor);
      return cursor as ReturnType<typeof exec<never>>;
    });
  });
  await act();
  vi.restoreAllMocks();
  const sum = (pick: (cursor: (typeof cursors)[number]) => number) =>
    cursors.reduce((total, one) => total + pick(one), 0);
  return {
    read: sum(({ rowsRead }) => rowsRead),
    written: sum(({ rowsWritten }) => rowsWritten),
    statements: cursors.length,
  };
}

it("a turn touches as many rows among 10,000 messages as among 10", async () => {
  const costs: Record<string, Awaited<ReturnType<typeof rowsOf>>[]> = {};
  for (const count of [10, 10_000]) {
    const client = new Client();
    await fill(client, count);
    // The conversation is read once in an object's life, for the prompt.
    await client.say("Hello");
    for (const prompt of ["Hello", "What is the weather in Paris?", "Delete notes.txt"]) {
      const cost = await rowsOf(client, () => client.say(prompt, { snapshot: false }));
      costs[prompt] = [...(costs[prompt] ?? []), cost];
    }
  }
  for (const [few, many] of Object.values(costs)) {
    expect(many?.statements).toBe(few?.statements);
    expect(many?.written).toBe(few?.written);
    expect(many?.read).toBe(few?.read);
    expect(few?.written).toBeGreaterThan(5);
    expect(few?.written).toBeLessThan(40);
  }
}, 30_000);
