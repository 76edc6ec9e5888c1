import type { RunRow } from "../../api/work.ts";
import type { Tone } from "../../ui/badge.tsx";
import type { IconName } from "../../ui/icon.tsx";

export type RunStatus = RunRow["status"];

/** How the state of a run looks; the word goes with it. */
export const runLook: Record<RunStatus, { tone: Tone; icon: IconName }> = {
  waiting: { tone: "plain", icon: "clock" },
  running: { tone: "info", icon: "play" },
  done: { tone: "ok", icon: "check" },
  failed: { tone: "bad", icon: "cross" },
  interrupted: { tone: "warn", icon: "clock" },
  cancelled: { tone: "plain", icon: "dash" },
};

/** An interrupted turn waits for a person; an interrupted workflow was cancelled. */
export function statusWord({ kind, status }: Pick<RunRow, "kind" | "status">): string {
  if (status !== "interrupted") return status;
  return kind === "agent" ? "waits for a person" : "cancelled";
}

/** Whether more may happen in a run. */
export function isOpen({ kind, status }: Pick<RunRow, "kind" | "status">): boolean {
  return status === "running" || status === "waiting" || (kind === "agent" && status === "interrupted");
}
