import { evictDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { afterAll, expect, it, vi } from "vitest";
import type { Message, TurnEvent } from "../../../src/turn/index.ts";
import { Client, leaveNothing, readTurn } from "./client.ts";

afterAll(leaveNothing);

const prompts = [
  "Hello",
  "Remember the word kiwi",
  "What was the word?",
  "What is the weather in Paris and Oslo?",
  "Delete notes.txt",
  "Delete notes.txt and report.txt",
  "Ask the helper to delete notes.txt",
  "Ask the helper for the weather in Rome",
  "Use my tool, tell me the weather in Paris, and delete notes.txt",
  "Set the color to blue",
  "Use the failing tool",
  "Fail as bad_request",
  "Think about tea",
];

/** What a client does; numbers choose among what there is. */
type Operation =
  | { kind: "say"; prompt: string }
  | { kind: "inbox" | "resume"; approve: boolean }
  | { kind: "answer" | "again" | "delete" };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...prompts).map((prompt) => ({ kind: "say" as const, prompt })) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("inbox" as const, "resume" as const),
      approve: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom({ kind: "answer" as const }, { kind: "again" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "delete" as const }) },
);

const clientTools = [{ name: "open_modal", description: "", parameters: { type: "object" } }];

/** Plays the operations on a session of its own; `evict` says before which of them its object is thrown away. */
async function play(operations: Operation[], evict: boolean[]): Promise<{ thread: string; told: string[] }> {
  const client = new Client();
  const told: string[] = [];
  let last: Message[] = [];
  const send = async (changes: Parameters<Client["start"]>[0]) => {
    const started = await client.start({ clientTools, ...changes });
    told.push(
      started.ok ? (await readTurn(started.events)).events.map(essence).join(" ") : started.failure.code,
    );
  };
  for (const [at, op] of operations.entries()) {
    const there = await client.exists();
    if (evict[at] === true && there) await evictDurableObject(await client.object());
    const { interrupts, messages } = there ? await client.settled() : { interrupts: [], messages: [] };
    const decision =
      "approve" in op && op.approve ? { kind: "approve" as const } : { kind: "reject" as const };
    switch (op.kind) {
      case "say":
        last = [client.message(op.prompt)];
        await send({ messages: last });
        break;
      case "again":
        await send({ messages: last });
        break;
      case "resume":
        await send({ resume: interrupts.map(({ id }) => ({ interruptId: id, decision })) });
        break;
      case "inbox": {
        const id = interrupts[0]?.id ?? "int_none";
        told.push(
          String((decision.kind === "approve" ? await client.approve(id) : await client.reject(id)).status),
        );
        break;
      }
      case "answer": {
        const open = openCalls(messages);
        await send({
          messages: open.map((callId) => ({
            role: "tool",
            id: `r${at}`,
            callId,
            content: "opened",
            isError: false,
          })),
        });
        break;
      }
      case "delete":
        told.push(String((await client.delete()).status));
        break;
    }
  }
  const snapshot = (await client.exists()) ? await client.settled() : null;
  const waiting = snapshot?.interrupts.map(({ id }) => id) ?? [];
  await vi.waitFor(async () =>
    expect((await client.inbox()).flatMap(({ id, status }) => (status === "pending" ? [id] : []))).toEqual(
      waiting,
    ),
  );
  const inbox = (await client.inbox()).map(({ id, status }) => ({ id, status }));
  return { thread: withoutChance(JSON.stringify({ snapshot, inbox })), told };
}

/** Calls of the client's tool that have no result. */
function openCalls(messages: Message[]): string[] {
  const answered = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.callId] : [])));
  return messages
    .flatMap((message) => (message.role === "assistant" ? message.blocks : []))
    .flatMap((block) =>
      block.type === "call" && block.name === "open_modal" && !answered.has(block.callId)
        ? [block.callId]
        : [],
    );
}

/** What of an event does not hang on chance. */
function essence(event: TurnEvent): string {
  if (event.type === "turn-end") return `end:${event.outcome.type}`;
  return event.type === "messages-snapshot" ? `snapshot:${event.messages.length}` : event.type;
}

/** A text with its minted ids numbered as they first occur, and its times left out. */
function withoutChance(text: string): string {
  const ids = new Map<string, string>();
  return text
    .replace(/\b(msg|call|int|run)_[0-9a-f]{32}\b/g, (id, prefix: string) => {
      if (!ids.has(id)) ids.set(id, `${prefix}_${ids.size}`);
      return ids.get(id) ?? id;
    })
    .replace(/"createdAt":"[^"]*"/g, "");
}

it("a thread is the same however often its object is thrown away between two requests", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 2, maxLength: 9 }),
      fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
      async (operations, evict) => {
        const [kept, thrownAway] = [await play(operations, []), await play(operations, evict)];
        expect(thrownAway).toEqual(kept);
      },
    ),
    { numRuns: 15, seed: 3, endOnFailure: true },
  );
}, 60_000);
