import type { RunEvent } from "../src/workflows/runtime/types.ts";
import type { FeedFormat } from "./event-feed.ts";

/** Server-sent events of a run: `run` first, `message` for what happens, `done` or `error` last. The number is the id. */
export const runFormat: FeedFormat = {
  encode: ({ seq, body }) => `id: ${seq}\nevent: ${nameOf(JSON.parse(body) as RunEvent)}\ndata: ${body}\n\n`,
  heartbeat: ": still here\n\n",
};

function nameOf(event: RunEvent): "run" | "message" | "done" | "error" {
  if (event.type === "run") return "run";
  if (event.type !== "end") return "message";
  return event.status === "done" ? "done" : "error";
}
