import { describe, expect, it } from "vitest";
import { ModelError } from "../../../../src/models/model-error.ts";
import { memoryPins } from "../../../../src/table/backend/memory-pins.ts";
import { pinTtlMs } from "../../../../src/table/backend/pin-store.ts";
import { Backend, eventsOf, FakeBrain, fullTurn, pinnedTurn, sortBySalary } from "./table-wire.ts";

const sorting = { toolCalls: [{ id: "t1:0:0", name: "view.setSort", args: { key: "salary", dir: "desc" } }] };

/** A brain that writes its text in these pieces. */
function writing(pieces: string[], reply = sortBySalary): FakeBrain {
  return new FakeBrain(async (_, { onText }) => {
    for (const piece of pieces) {
      onText(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return reply;
  });
}

describe("a stream", () => {
  it("brings the text, then the calls whole, then done", async () => {
    const backend = new Backend();
    const events = await eventsOf(await backend.stream(pinnedTurn(await backend.connect())));
    expect(events).toEqual([
      ["text-delta", { text: "Sorting by salary." }],
      ["tool-calls", sorting],
      ["done", {}],
    ]);
  });

  it("brings text as it is written, and what is left of it at the end", async () => {
    const backend = new Backend(writing(["Sorting", " by"]));
    const events = await eventsOf(await backend.stream(fullTurn()));
    expect(events).toEqual([
      ["text-delta", { text: "Sorting" }],
      ["text-delta", { text: " by" }],
      ["text-delta", { text: " salary." }],
      ["tool-calls", sorting],
      ["done", {}],
    ]);
  });

  it("brings what was heard and the question before the calls", async () => {
    const ask = { question: "Which one?", options: [{ id: "a", label: "A" }], allowFreeText: true };
    const backend = new Backend(new FakeBrain({ ...sortBySalary, ask }), { transcribe: async () => "heard" });
    const audio = { mimeType: "audio/ogg", base64: btoa("x"), durationMs: 5 };
    expect((await eventsOf(await backend.stream(fullTurn({ audio })))).slice(1)).toEqual([
      ["transcript", { text: "heard" }],
      ["ask-user", { id: "t1:0:1", ...ask }],
      ["tool-calls", sorting],
      ["done", {}],
    ]);
  });

  it("that fails says so and is never done", async () => {
    const brain = new FakeBrain(async (_, { onText }) => {
      onText("Sort");
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new ModelError("malformed", "it broke");
    });
    expect(await eventsOf(await new Backend(brain).stream(fullTurn()))).toEqual([
      ["text-delta", { text: "Sort" }],
      ["error", { code: "backend-failed", message: "The model did not answer: it broke" }],
    ]);
  });

  it("that ends with calls the contract lacks runs none of them", async () => {
    const backend = new Backend(
      writing(["Done"], { text: "Done", calls: [{ name: "rows.delete", args: {} }] }),
    );
    const events = await eventsOf(await backend.stream(fullTurn()));
    expect(events.map(([name]) => name)).toEqual(["text-delta", "error"]);
  });

  it("says nothing of a fault of ours, and reports it", async () => {
    const brain = new FakeBrain(async (_, { onText }) => {
      onText("Sort");
      await Promise.resolve();
      throw new RangeError("secret detail");
    });
    const backend = new Backend(brain);
    const events = await eventsOf(await backend.stream(fullTurn()));
    expect(events.at(-1)).toEqual([
      "error",
      { code: "backend-failed", message: "Something went wrong on our side." },
    ]);
    expect(backend.reported).toEqual([new RangeError("secret detail")]);
  });

  it("never has more events or bytes than a client takes", async () => {
    const many = writing(Array(4_500).fill("x"), { text: "x".repeat(4_500), calls: [] });
    const events = await eventsOf(await new Backend(many).stream(fullTurn()));
    expect(events.length).toBeLessThanOrEqual(4_000);
    expect(events.map(([, data]) => (data as { text?: string }).text ?? "").join("")).toHaveLength(4_500);
    const large = writing(Array(20).fill("x".repeat(30_000)), { text: "x".repeat(600_000), calls: [] });
    const response = await new Backend(large).stream(fullTurn());
    const text = await response.text();
    expect(text.length).toBeLessThan(512_000);
    expect(text.trimEnd().split("\n\n").at(-1)).toBe(
      'event: error\ndata: {"code":"backend-failed","message":"The agent\'s answer is larger than 512000 bytes."}',
    );
  }, 20_000);

  it("ends the brain's work when its reader leaves", async () => {
    let seen: AbortSignal | undefined;
    const brain = new FakeBrain((_, { signal, onText }) => {
      seen = signal;
      onText("Sort");
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const backend = new Backend(brain);
    const reader = (await backend.stream(fullTurn())).body?.getReader();
    await reader?.read();
    const waiting = reader?.read();
    await reader?.cancel();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(seen?.aborted).toBe(true);
    expect(backend.reported).toEqual([]);
  });
});

describe("JSON in place of a stream", () => {
  it("carries a reply whose results should come back", async () => {
    const backend = new Backend(
      new FakeBrain({ text: "Reading.", calls: [{ name: "rows.read", args: { offset: 0, limit: 5 } }] }),
    );
    const sessionId = await backend.connect();
    const response = await backend.stream(pinnedTurn(sessionId));
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ continueWithResults: true, text: "Reading.", sessionId });
  });

  it("pins a client that comes back with its contract after a loss", async () => {
    const backend = new Backend();
    const lost = await backend.stream(pinnedTurn("gone", { turnId: "t7" }));
    expect(await lost.json()).toMatchObject({ pin: { status: "expired" } });
    const again = await backend.stream(fullTurn({ turnId: "t7" }));
    const { sessionId, pin, text } = (await again.json()) as {
      sessionId: string;
      pin: { status: string };
      text: string;
    };
    expect([pin.status, text]).toEqual(["acknowledged", "Sorting by salary."]);
    await eventsOf(await backend.stream(pinnedTurn(sessionId)));
  });

  it("pins once more a client whose own pin ran out, and streams to one that takes none", async () => {
    let now = 1_000_000;
    const backend = new Backend(new FakeBrain(), { pins: memoryPins(() => now) });
    const sessionId = await backend.connect();
    await eventsOf(await backend.stream(fullTurn({ sessionId })));
    now += pinTtlMs;
    const response = await backend.stream(fullTurn({ sessionId }));
    expect(await response.json()).toMatchObject({ sessionId, pin: { status: "acknowledged" } });
    await eventsOf(await backend.stream(fullTurn({ sessionId })));
  });
});
