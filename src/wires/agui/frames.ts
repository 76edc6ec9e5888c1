import type { TurnEncoder } from "../sse-turn.ts";
import type { AguiEncoder } from "./encode.ts";
import type { AguiEvent } from "./events.ts";

/** A comment: clients skip it, proxies see life, and its write is what notices a client that left. */
export const heartbeat = ": ping\n\n";

/** A client gives a run up when a frame is longer than 10 Mi characters. */
const maxFrameLength = 8_000_000;

/**
 * Events as frames of the stream, line feeds only. The last one carries `id`, which a client sends back as
 * `Last-Event-ID`. A snapshot of messages too long for any client is left out: what the client has of them stays.
 */
export function frames(events: AguiEvent[], id?: number): string {
  const last = events.length - 1;
  return events
    .map((event, at) => {
      const data = JSON.stringify(event);
      if (event.type === "MESSAGES_SNAPSHOT" && data.length > maxFrameLength) return "";
      return `${id !== undefined && at === last ? `id: ${id}\n` : ""}data: ${data}\n\n`;
    })
    .join("");
}

/**
 * The frames of one turn, which ends with a `RUN_ERROR` that says `lost` should it break off. `first` is the number of
 * its first event where a client can ask for the others later; the protocol's own client passes over the ids.
 */
export function frameEncoder(encoder: AguiEncoder, lost: string, first?: number): TurnEncoder {
  let next = first;
  return {
    encode: (event) => {
      const id = next;
      if (next !== undefined) next += 1;
      return frames(encoder.encode(event), id);
    },
    breakOff: () => frames(encoder.cut(lost)),
  };
}
