import type { Env } from "../src/env.ts";
import { putQuestion } from "../src/store/inbox.ts";
import { workflowRunObject } from "../src/store/objects.ts";
import { claimToken, type HookPlace } from "../src/store/workflow-hooks.ts";
import type { HookAnswer, RunSpec } from "../src/workflows/runtime/run-protocol.ts";
import { logFault } from "./log-fault.ts";
import type { StoredHook } from "./workflow-run-storage.ts";

/** Times a token is asked for while the run that had it lets go of it. */
const claims = 4;

/**
 * Makes a hook known, so that it can be found: takes its token and, when a person is asked, writes the inbox. Doing it
 * again changes nothing.
 */
export async function announceHook(
  env: Env,
  { owner, runId, workflow }: RunSpec,
  objectId: string,
  hook: StoredHook,
): Promise<{ kind: "announced" } | Extract<HookAnswer, { kind: "taken" | "failed" }>> {
  const { id: hookId, token, question, approvalId, due } = hook;
  const createdAt = new Date().toISOString();
  try {
    const holder = await claim(env, { owner, token, runId, hookId, createdAt });
    if (holder.runId !== runId || holder.hookId !== hookId) return { kind: "taken", runId: holder.runId };
    if (question !== null && approvalId !== null) {
      const expiresAt = due === null ? null : new Date(due).toISOString();
      const place = { id: approvalId, owner, objectId, workflow, token, runId };
      await putQuestion(env.DB, place, question, { createdAt, expiresAt });
    }
    return { kind: "announced" };
  } catch (error) {
    logFault("workflow_hook_not_announced", error);
    return { kind: "failed", message: "The database cannot answer now." };
  }
}

/** Who holds the token now. A run that has ended may still have its row: its object knows, and lets go of it. */
async function claim(env: Env, hook: Parameters<typeof claimToken>[1]): Promise<HookPlace> {
  let holder = await claimToken(env.DB, hook);
  for (let tries = 1; tries < claims; tries += 1) {
    if (holder.runId === hook.runId) return holder;
    if (await workflowRunObject(env, holder.owner, holder.runId).holds(holder.hookId)) return holder;
    holder = await claimToken(env.DB, hook);
  }
  return holder;
}
