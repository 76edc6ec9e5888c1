import type { ApprovalStatus } from "../../api/work.ts";
import type { Tone } from "../../ui/badge.tsx";
import type { IconName } from "../../ui/icon.tsx";

/** How the state of an approval looks and reads. */
export const statusLook: Record<ApprovalStatus, { tone: Tone; icon: IconName; word: string }> = {
  pending: { tone: "info", icon: "clock", word: "waiting" },
  approved: { tone: "ok", icon: "check", word: "approved" },
  rejected: { tone: "bad", icon: "cross", word: "rejected" },
  timed_out: { tone: "warn", icon: "clock", word: "timed out" },
  cancelled: { tone: "plain", icon: "dash", word: "withdrawn" },
};

export const deciderWords = {
  wire: "on the agent’s wire",
  inbox: "in the inbox",
  hook: "through its hook",
  timeout: "by its deadline: nobody decided in time",
} as const;
