import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeStreamEvent, frameData, streamFrames } from "../../../../src/table/protocol/stream-frame.ts";

function read(...pieces: string[]) {
  const frames = streamFrames();
  return pieces.flatMap((piece) => frames.push(piece));
}

describe("encodeStreamEvent", () => {
  it("writes one event with one line of data", () => {
    expect(encodeStreamEvent("text-delta", { text: "a\nb" })).toBe(
      'event: text-delta\ndata: {"text":"a\\nb"}\n\n',
    );
  });
});

describe("streamFrames", () => {
  it("joins data lines, and skips comments, other fields and frames without a name", () => {
    const text =
      ': ping\n\nevent: text-delta\nid: 4\ndata: {"text":\ndata: "a"}\n\ndata: {}\n\nevent:done\n\n';
    expect(read(text)).toEqual([
      { event: "text-delta", data: '{"text":\n"a"}' },
      { event: "done", data: "" },
    ]);
  });

  it("gives nothing for a frame that is not ended", () => {
    expect(read("event: done\ndata: {}\n")).toEqual([]);
  });

  it("gives the same frames wherever the text is cut, with LF, CR and CRLF", () => {
    const events = ["text-delta", "ask-user", "tool-calls", "done"] as const;
    for (const end of ["\n", "\r", "\r\n"]) {
      const text = events
        .map((event) => encodeStreamEvent(event, { text: "é😀" }))
        .join(": ping\n\n")
        .replaceAll("\n", end);
      const whole = read(`\uFEFF${text}`);
      expect(whole.map((frame) => frame.event)).toEqual([...events]);
      fc.assert(
        fc.property(fc.array(fc.nat({ max: text.length }), { maxLength: 8 }), (cuts) => {
          const at = [0, ...cuts.sort((a, b) => a - b), text.length];
          const pieces = at.slice(1).map((to, index) => text.slice(at[index], to));
          expect(read(...pieces)).toEqual(whole);
        }),
      );
      expect(read(...text)).toEqual(whole);
    }
  });

  it("takes a long line byte by byte in time that grows with its length only", () => {
    const frames = streamFrames();
    frames.push("event: done\ndata: ");
    for (let index = 0; index < 500_000; index++) frames.push("1");
    expect(frames.push("\n\n")[0]?.data).toHaveLength(500_000);
  });
});

describe("frameData", () => {
  it("reads an object, takes empty data as an empty one, and anything else as none", () => {
    expect(frameData({ event: "x", data: '{"a":1}' })).toEqual({ a: 1 });
    expect(frameData({ event: "x", data: " " })).toEqual({});
    for (const data of ["[1]", "null", "{", '"a"']) expect(frameData({ event: "x", data })).toBeUndefined();
  });
});
