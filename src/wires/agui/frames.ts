import type { TurnEncoder } from "../sse-turn.ts";
import type { AguiEncoder } from "./encode.ts";
import type { AguiEvent } from "./events.ts";

/** A comment: clients skip it, proxies see life, and its write is what notices a client that left. */
export const heartbeat = ": ping\n\n";

/** Events as frames of the stream, line feeds only. The last one carries `id`, which a client sends back as `Last-Event-ID`. */
export function frames(events: AguiEvent[], id?: number): string {
  const last = events.length - 1;
  return events
    .map(
      (event, at) =>
        `${id !== undefined && at === last ? `id: ${id}\n` : ""}data: ${JSON.stringify(event)}\n\n`,
    )
    .join("");
}

/** The frames of one turn, which ends with a `RUN_ERROR` that says `lost` should it break off. */
export function frameEncoder(encoder: AguiEncoder, lost: string): TurnEncoder {
  return {
    encode: (event) => frames(encoder.encode(event)),
    breakOff: () => frames(encoder.cut(lost)),
  };
}
