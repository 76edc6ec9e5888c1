import type { JsonObject, SubagentRef, TurnEvent } from "../../turn/index.ts";
import { finishCall, mainFrame, type SessionStore, type StoredCall } from "./session-store.ts";

/** Longest tool result kept, characters; the rest is cut with a mark, so that no result fills a prompt. */
const maxResultChars = 200_000;

/** Result of a call that was running when the runtime stopped. */
export const interruptedResult =
  "This call was interrupted and its outcome is not known: it may or may not have taken effect. It was not run again.";

/** Results of calls that a turn without a reply leaves open. A client's calls stay open: its results can still come. */
const closings = {
  new: "before this call was made; it was not run.",
  waiting: "before a person had decided about this call; it was not run.",
  decided: "before this call was made; it was not run.",
};

/** Where a call's end is written and told. */
export interface CallEnd {
  store: SessionStore;
  emit(event: TurnEvent): void;
  mintId(prefix: string): string;
}

/**
 * Gives a call its result, which is stored and told. Half a surrogate pair, which providers refuse, becomes U+FFFD. What
 * a person edited is stored with the result, for the model: the call itself stays as the model made it.
 */
export function endCall(
  { store, emit, mintId }: CallEnd,
  call: Pick<StoredCall, "callId" | "frame" | "status">,
  { content, isError, subagent }: { content: string; isError: boolean; subagent?: SubagentRef | undefined },
): void {
  const result = { messageId: mintId("msg_"), content: cut(content).toWellFormed(), isError };
  const edited = editedArgs(store, call);
  finishCall(store, call, { ...result, ...(edited === null ? {} : { edited }) });
  emit({
    type: "call-result",
    callId: call.callId,
    ...result,
    ...(subagent === undefined ? {} : { subagent }),
  });
}

/**
 * Gives every call that a failed or cancelled turn leaves open its result, those of the subagents it started included,
 * so that the conversation can go on; what waited for a person waits no more.
 */
export function closeCalls(
  end: CallEnd,
  why: "failed" | "was cancelled",
  frame = mainFrame,
  subagent?: SubagentRef,
): void {
  for (const call of end.store.openCalls(frame)) {
    const { callId, status } = call;
    if (status === "client" || status === "done") continue;
    closeCalls(end, why, callId, { id: callId, name: String(call.args.subagent) });
    if (status === "waiting") end.store.cancelInterrupt(callId);
    const content = status === "running" ? interruptedResult : `The turn ${why} ${closings[status]}`;
    endCall(end, call, { content, isError: true, subagent });
  }
}

/** The arguments a person put in place of a call's own. Only calls that wait or run can have any. */
function editedArgs(
  store: SessionStore,
  { callId, status }: Pick<StoredCall, "callId" | "status">,
): JsonObject | null {
  if (status !== "decided" && status !== "running") return null;
  const decision = store.interruptOfCall(callId)?.decision;
  return decision?.kind === "edit" ? decision.args : null;
}

function cut(text: string): string {
  if (text.length <= maxResultChars) return text;
  return `${text.slice(0, maxResultChars)}\n[cut: ${text.length - maxResultChars} more characters]`;
}
