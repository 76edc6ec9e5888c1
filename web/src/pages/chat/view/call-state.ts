import type { Tone } from "../../../ui/badge.tsx";
import type { IconName } from "../../../ui/icon.tsx";
import type { ThreadView } from "../model/chat-thread.ts";
import type { CallItem, CallState } from "../model/items.ts";

/** How the result of a call begins that a person refused, and of one that a turn's end left undone. */
const refused = "A person refused this call";
const undone = /^The turn (was cancelled|failed) before/;

/** Where a call stands. */
export function callState(item: CallItem, view: ThreadView): CallState {
  const { callId, result, writing } = item;
  if (result !== null) {
    if (!result.isError) return "done";
    if (result.content.startsWith(refused)) return "rejected";
    return undone.test(result.content) ? "stopped" : "failed";
  }
  if (view.clientCalls.includes(callId)) return "yours";
  if (view.approvals.some((one) => one.callId === callId || ownerOf(view, one.callId) === callId))
    return "waiting";
  if (!view.running) return "stopped";
  return writing ? "writing" : "running";
}

function ownerOf(view: ThreadView, callId: string): string | null {
  const call = view.items.find((item) => item.kind === "call" && item.callId === callId);
  return call?.kind === "call" ? call.owner : null;
}

/** How each state looks and reads; null icon: it moves. */
export const callLook: Record<CallState, { word: string; tone: Tone; icon: IconName | null }> = {
  writing: { word: "writing", tone: "info", icon: null },
  running: { word: "running", tone: "info", icon: null },
  waiting: { word: "needs approval", tone: "warn", icon: "clock" },
  yours: { word: "asks you", tone: "warn", icon: "user" },
  done: { word: "done", tone: "ok", icon: "check" },
  failed: { word: "failed", tone: "bad", icon: "cross" },
  rejected: { word: "rejected", tone: "bad", icon: "cross" },
  stopped: { word: "not run", tone: "plain", icon: "dash" },
};
