import type { Json } from "../../turn/json.ts";
import { durationMs } from "../runtime/duration.ts";
import { jsonBytes, readJsonValue } from "../runtime/json-value.ts";
import { maxValueBytes } from "../runtime/read-input.ts";
import type { ApprovalValue } from "../runtime/run-protocol.ts";
import { bodyOps } from "../runtime/scope.ts";
import { readToken } from "./hook.ts";

interface ApprovalRequest {
  /** By which the decision comes; unique among what waits. */
  token: string;
  /** What kind of question it is. */
  topic: string;
  /** What the person decides about, and may change. */
  payload: unknown;
  title?: string;
  /** "24h", "90m", "PT24H" or milliseconds; left out, it waits as long as it takes. */
  timeout?: string | number;
  /** What holds when nobody decides in time. Default: reject. */
  fallback?: "approve" | "reject";
}

/** `payload`: what the person changed it to. `timedOut`: nobody decided, and the fallback holds. */
export interface ApprovalDecision {
  status: "approved" | "rejected";
  payload?: Json;
  comment?: string;
  timedOut: boolean;
}

/**
 * Asks a person, in a workflow's body, and waits for the answer. The question is in the inbox before anybody can find
 * it, in a step of its own; when that cannot be written the step fails with `approval_persist_failed`. A decision at the
 * deadline or later does not count.
 */
export async function requestApproval(request: ApprovalRequest): Promise<ApprovalDecision> {
  const ops = bodyOps("requestApproval()");
  const { topic, timeout, fallback = "reject", title = topic } = request;
  const payload = readJsonValue(request.payload, "payload");
  if (!payload.ok) throw new Error(`requestApproval(): ${payload.message}`);
  const bytes = jsonBytes(JSON.stringify([topic, title, payload.value]));
  if (bytes > maxValueBytes)
    throw new Error(
      `requestApproval(): the question has ${bytes} bytes of JSON; at most ${maxValueBytes} can be asked`,
    );
  if (topic === "") throw new Error("requestApproval(): the topic is empty");
  const id = ops.nextId("approval");
  const { event } = await ops.openHook("requestApproval", {
    id,
    wait: id,
    token: readToken(request.token),
    many: false,
    schema: null,
    approval: {
      question: { topic, title, payload: payload.value, fallback },
      timeoutMs: timeout === undefined ? null : durationMs(timeout),
    },
  });
  const value = await ops.settled(id, event);
  return decisionOf(value as { [Key in keyof ApprovalValue]: ApprovalValue[Key] });
}

function decisionOf({ status, payload, comment, timedOut }: ApprovalValue): ApprovalDecision {
  return {
    status,
    ...(payload === undefined ? {} : { payload }),
    ...(comment === undefined ? {} : { comment }),
    timedOut,
  };
}
