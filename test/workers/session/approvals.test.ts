import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { Client, interruptsOf, lastReply } from "./client.ts";

describe("an approval by the inbox", () => {
  it("is listed once the client sees the pause, and runs the call by itself when approved", async () => {
    const client = new Client();
    const paused = await client.say("Delete notes.txt");
    const [interrupt] = interruptsOf(paused);
    expect(interrupt).toMatchObject({
      tool: "delete_file",
      args: { path: "notes.txt" },
      message: "Delete notes.txt for good?",
    });
    const [row] = await client.inbox();
    expect(row).toMatchObject({ id: interrupt?.id, status: "pending", decidedBy: null, interrupt });
    expect(await client.refusal({ messages: [client.message("hello?")] })).toBe("approval_pending");
    expect(await client.approve(interrupt?.id ?? "")).toEqual({
      status: 200,
      body: { id: interrupt?.id, status: "approved" },
    });
    const snapshot = await client.settled();
    expect(lastReply(snapshot)).toBe("delete_file says: Deleted notes.txt.");
    expect(snapshot.state.files).toEqual(["report.txt"]);
    expect(snapshot.interrupts).toEqual([]);
    expect(await client.inbox()).toMatchObject([{ status: "approved", decidedBy: "inbox" }]);
    const runs = await client.runs(1);
    expect(runs).toHaveLength(1);
  });

  it("survives the object", async () => {
    const client = new Client();
    const [interrupt] = interruptsOf(await client.say("Delete notes.txt"));
    await evictDurableObject(await client.object());
    expect((await client.approve(interrupt?.id ?? "")).status).toBe(200);
    expect(lastReply(await client.settled())).toBe("delete_file says: Deleted notes.txt.");
  });
});
