import type { Interrupt, JsonObject, Message } from "../../../../../src/turn/index.ts";
import { encodeMessages } from "../../../../../src/wires/agui/encode-messages.ts";
import type { AguiMessage } from "../../../../../src/wires/agui/events.ts";
import { call, callJson } from "../../../api/client.ts";
import { ApiError } from "../../../api/errors.ts";
import type { Approval } from "../model/items.ts";

/** A session as the Worker keeps it, in the shapes of the conversation. */
export interface SessionState {
  messages: AguiMessage[];
  /** What people had calls run with instead of their own arguments, by call. */
  edited: Map<string, JsonObject>;
  state: JsonObject;
  approvals: Approval[];
  running: boolean;
}

/** The session of a thread; null where there is none. */
export async function readThread(
  agent: string,
  threadId: string,
  signal: AbortSignal,
): Promise<SessionState | null> {
  const found = await callJson<{
    messages: Message[];
    state: JsonObject;
    interrupts: Interrupt[];
    running: boolean;
  }>(sessionPath(agent, threadId), { signal }).catch(nullWhenMissing);
  if (found === null) return null;
  const { messages, state, interrupts, running } = found;
  return {
    messages: encodeMessages(messages),
    edited: new Map(
      messages.flatMap((message) =>
        message.role === "tool" && message.edited !== undefined ? [[message.callId, message.edited]] : [],
      ),
    ),
    state,
    approvals: interrupts.map(({ id, callId, tool, args, message, allowedDecisions, argsSchema }) => ({
      id,
      callId,
      tool,
      args,
      message,
      allowed: allowedDecisions,
      schema: argsSchema,
    })),
    running,
  };
}

/** Deletes the session of a thread; one that is not there is deleted already. */
export async function deleteThread(agent: string, threadId: string): Promise<void> {
  await call(sessionPath(agent, threadId), { method: "DELETE" }).catch(nullWhenMissing);
}

/** Cancels the turn that a thread is in. Nothing to cancel is fine. */
export async function cancelTurn(agent: string, threadId: string, signal: AbortSignal): Promise<void> {
  await call(`${sessionPath(agent, threadId)}/cancel`, { method: "POST", signal }).catch(nullWhenMissing);
}

function sessionPath(agent: string, threadId: string): string {
  return `/api/sessions/${encodeURIComponent(agent)}/${encodeURIComponent(threadId)}`;
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}
