import { describe, expect, it } from "vitest";
import { backend, pinned, reply, sort } from "./fake-backend.ts";
import { fakeSession } from "./fake-session.ts";

const clip = { mimeType: "audio/webm;codecs=opus", base64: "AAAA", durationMs: 1500 };
const ask = { toolCalls: [{ id: "d", name: "describe", args: { keys: ["view.setSort"] } }] };

describe("a spoken turn", () => {
  it("sends the clip once, and from then on what was heard", async () => {
    const heard: string[] = [];
    const { client, turns } = backend([
      reply({ transcript: "best paid first", ...ask }),
      reply({ transcript: "something else", toolCalls: [sort], continueWithResults: true }),
      reply({ text: "Sorted." }),
    ]);
    const report = await client.send(fakeSession(), "", {
      audio: clip,
      onTranscript: (text) => heard.push(text),
      returnResults: true,
    });
    expect(turns().map(({ message, audio }) => [message, audio])).toEqual([
      [undefined, { mimeType: "audio/webm", base64: "AAAA", durationMs: 1500 }],
      ["best paid first", undefined],
      ["best paid first", undefined],
    ]);
    expect(heard).toEqual(["best paid first"]);
    expect(report).toMatchObject({ text: "Sorted.", transcript: "best paid first", keys: ["view.setSort"] });
  });

  it("sends the clip again when the pin was lost, because nothing had heard it", async () => {
    const { client, turns } = backend([
      pinned(),
      reply({ pin: { status: "unknown" } }),
      pinned({ text: "Yes." }),
    ]);
    const session = fakeSession();
    await client.connect(session);
    await client.send(session, "", { audio: clip });
    expect(turns().map((turn) => "audio" in turn)).toEqual([true, true]);
  });

  it("ends when another round is needed and nobody said what was heard", async () => {
    const { client, sent } = backend([reply(ask)]);
    await expect(client.send(fakeSession(), "", { audio: clip })).rejects.toMatchObject({
      code: "transcript-missing",
      settled: { needsFulfilled: { describe: 1, read: 0 } },
    });
    expect(sent).toHaveLength(1);
  });

  it("needs no transcript when one round is all", async () => {
    const { client } = backend([reply({ text: "Sorted.", toolCalls: [sort] })]);
    const report = await client.send(fakeSession(), "", { audio: clip });
    expect(report).toMatchObject({ text: "Sorted.", keys: ["view.setSort"] });
    expect(report).not.toHaveProperty("transcript");
  });

  it.each([
    [{ ...clip, mimeType: "video/mp4" }, /audio\.mimeType/],
    [{ ...clip, durationMs: 120_001 }, /audio\.durationMs exceeds/],
    [{ ...clip, base64: "A".repeat(5_333_336) }, /audio exceeds limit of 4000000 bytes/],
  ])("does not send a clip that no parser takes", async (audio, message) => {
    const { client, sent } = backend([]);
    await expect(client.send(fakeSession(), "", { audio })).rejects.toMatchObject({
      code: "audio-invalid",
      message: expect.stringMatching(message),
    });
    expect(sent).toEqual([]);
  });

  it("sends a clip far beyond what a text may take", async () => {
    const { client, sent } = backend([reply({ text: "Heard." })]);
    await client.send(fakeSession(), "", { audio: { ...clip, base64: "A".repeat(5_000_000) } });
    expect(sent).toHaveLength(1);
  });
});
