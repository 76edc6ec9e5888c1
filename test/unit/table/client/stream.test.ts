import { describe, expect, it } from "vitest";
import { AgentStreamError } from "../../../../src/table/client/errors.ts";
import { backend, edit, pinned, reply, sort, stream } from "./fake-backend.ts";
import { fakeSession, ran } from "./fake-session.ts";

const whole: [string, unknown][] = [
  ["text-delta", { text: "Sorted by " }],
  ["text-delta", { text: "salary – best first 😀." }],
  ["transcript", { text: "best paid first" }],
  ["tool-calls", { toolCalls: [sort] }],
  ["done", {}],
];

async function sendStreamed(response: Response) {
  const session = fakeSession();
  const texts: string[] = [];
  const heard: string[] = [];
  const { client, sent } = backend([response], { stream: true });
  const outcome = await client
    .send(session, "x", { onText: (text) => texts.push(text), onTranscript: (text) => heard.push(text) })
    .catch((error: unknown) => error);
  return { outcome, session, texts, heard, sent };
}

describe("a streamed reply", () => {
  it("shows its text as it grows, and runs its calls once it is done", async () => {
    const { outcome, session, texts, heard, sent } = await sendStreamed(stream(whole));
    expect(sent[0]?.headers.get("accept")).toBe("text/event-stream, application/json");
    expect(texts).toEqual(["Sorted by ", "Sorted by salary – best first 😀."]);
    expect(heard).toEqual(["best paid first"]);
    expect(outcome).toMatchObject({
      text: "Sorted by salary – best first 😀.",
      keys: ["view.setSort"],
      transcript: "best paid first",
    });
    expect(ran(session)).toHaveLength(1);
  });

  it("is the same wherever its bytes are cut, and nothing of it runs when it ends before done", async () => {
    const text = await stream(whole).text();
    const bytes = new TextEncoder().encode(text);
    const doneEnds = bytes.length;
    for (let cut = 0; cut < doneEnds; cut++) {
      const body = new Response(bytes.slice(0, cut), { headers: { "content-type": "text/event-stream" } });
      const { outcome, session } = await sendStreamed(body);
      // The last line feed only ends the frame: without it the frame is not whole.
      expect(outcome).toBeInstanceOf(AgentStreamError);
      expect(outcome).toMatchObject({ code: "stream-incomplete" });
      expect(session.executed).toEqual([]);
    }
    for (const size of [1, 2, 3, 7, 64]) {
      const pieces = new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      });
      const { outcome } = await sendStreamed(
        new Response(pieces, { headers: { "content-type": "text/event-stream" } }),
      );
      expect(outcome).toMatchObject({ text: "Sorted by salary – best first 😀.", keys: ["view.setSort"] });
    }
  });

  it("cuts off what comes after done", async () => {
    const { outcome, session } = await sendStreamed(
      stream([...whole, ["tool-calls", { toolCalls: [edit] }]]),
    );
    expect(outcome).toMatchObject({ keys: ["view.setSort"] });
    expect(ran(session).map(([key]) => key)).toEqual(["view.setSort"]);
  });

  it("passes over events nobody knows, and takes calls named twice as the last ones", async () => {
    const { outcome } = await sendStreamed(
      stream([
        ["progress", { percent: 5 }],
        ["tool-calls", { toolCalls: [edit] }],
        ["tool-calls", { toolCalls: [sort] }],
        ["done", {}],
      ]),
    );
    expect(outcome).toMatchObject({ keys: ["view.setSort"] });
  });

  it("may put a question", async () => {
    const { outcome } = await sendStreamed(
      stream([
        ["ask-user", { id: "q", question: "Which?" }],
        ["done", {}],
      ]),
    );
    expect(outcome).toMatchObject({ unresolved: { code: "no-reader-channel" } });
  });

  const many = Array.from({ length: 4_001 }, (): [string, unknown] => ["text-delta", { text: "" }]);
  const failing: [string, Response, string, string][] = [
    [
      "fails",
      stream([...whole.slice(0, 4), ["error", { code: "backend-failed", message: "No model." }]]),
      "backend-failed",
      "No model.",
    ],
    ["fails without words", stream([["error", {}]]), "stream-error", "The backend failed while it answered."],
    [
      "fails in no shape",
      stream([["error", "boom"]]),
      "stream-error",
      "The backend failed while it answered.",
    ],
    [
      "has text that is none",
      stream([
        ["text-delta", { text: 5 }],
        ["done", {}],
      ]),
      "stream-malformed",
      "Event text-delta of the reply is malformed: text must be a string",
    ],
    [
      "has data that is none",
      stream([
        ["transcript", [1]],
        ["done", {}],
      ]),
      "stream-malformed",
      "Event transcript of the reply is malformed: data must be a JSON object",
    ],
    [
      "has calls that are none",
      stream([
        ["tool-calls", { toolCalls: [{ id: "a" }] }],
        ["done", {}],
      ]),
      "stream-malformed",
      "Event tool-calls of the reply is malformed: agent HTTP tool call.name is required",
    ],
    [
      "has a question that is none",
      stream([
        ["ask-user", {}],
        ["done", {}],
      ]),
      "stream-malformed",
      "Event ask-user of the reply is malformed: agent HTTP askUser.id is required",
    ],
    [
      "has too many events",
      stream([...many, ["done", {}]]),
      "stream-too-long",
      "The reply has more than 4000 events; nothing of it was run.",
    ],
    [
      "has too many bytes",
      stream([
        ["text-delta", { text: "x".repeat(512_000) }],
        ["done", {}],
      ]),
      "payload-too-large",
      "The reply is larger than 512000 bytes; nothing of it was run.",
    ],
    [
      "is empty",
      stream([]),
      "stream-incomplete",
      "The reply ended before it was done, so nothing of it was run.",
    ],
  ];
  it.each(failing)("that %s runs nothing", async (_name, response, code, message) => {
    const { outcome, session } = await sendStreamed(response);
    expect(outcome).toMatchObject({ code, message });
    expect(session.executed).toEqual([]);
  });

  it("takes exactly as many events as allowed", async () => {
    const { outcome } = await sendStreamed(stream([...many.slice(0, 3_999), ["done", {}]]));
    expect(outcome).toMatchObject({ results: [] });
  });

  it("whose connection breaks runs nothing", async () => {
    const broken = new ReadableStream({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode('event: text-delta\ndata: {"text":"a"}\n\n')),
      pull: (controller) => controller.error(new TypeError("terminated")),
    });
    const { outcome } = await sendStreamed(
      new Response(broken, { headers: { "content-type": "text/event-stream" } }),
    );
    expect(outcome).toMatchObject({ code: "connection-failed" });
  });

  it("that duplicates an id runs nothing", async () => {
    const { outcome, session } = await sendStreamed(
      stream([
        ["tool-calls", { toolCalls: [sort, { ...edit, id: "a" }] }],
        ["done", {}],
      ]),
    );
    expect(outcome).toMatchObject({ code: "duplicate-call-id" });
    expect(session.executed).toEqual([]);
  });
});

describe("a reply in JSON although events were asked for", () => {
  it("is taken as it is, without a second request, its text shown at once", async () => {
    const { outcome, texts, sent } = await sendStreamed(
      Response.json(reply({ text: "Sorted.", toolCalls: [sort] })),
    );
    expect(sent).toHaveLength(1);
    expect(texts).toEqual(["Sorted."]);
    expect(outcome).toMatchObject({ text: "Sorted.", keys: ["view.setSort"] });
  });

  it("keeps a pin through streamed turns", async () => {
    const { client, turns } = backend([pinned(), stream(whole), stream(whole)], { stream: true });
    const session = fakeSession();
    await client.connect(session);
    await client.send(session, "one");
    await client.send(session, "two");
    expect(turns().map((turn) => "context" in turn)).toEqual([false, false]);
  });

  it("is asked for by a turn that does not want events", async () => {
    const { client, sent } = backend([reply({ text: "Plain." })], { stream: true });
    await client.send(fakeSession(), "x", { stream: false });
    expect(sent[0]?.headers.get("accept")).toBe("application/json");
  });
});
