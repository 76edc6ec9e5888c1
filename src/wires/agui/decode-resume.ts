import type { Decision, JsonObject, ResumeEntry, TurnFailure } from "../../turn/index.ts";
import type { RunInputResume } from "./schema.ts";

/** Members that say why not; clients name it differently. */
const reasonKeys = ["reason", "message", "comment", "feedback"];

/** The decisions a request brings, or the failure that tells which of them cannot be understood. */
export function decodeResume(
  entries: readonly RunInputResume[],
): { ok: true; resume: ResumeEntry[] } | { ok: false; failure: TurnFailure } {
  const resume: ResumeEntry[] = [];
  for (const { interruptId, status, payload } of entries) {
    const decision = decodeDecision(status, payload);
    if (typeof decision === "string") {
      const message = `The resume entry for interrupt ${JSON.stringify(interruptId)} cannot be used: ${decision}.`;
      return { ok: false, failure: { code: "invalid_resume", message, retryable: false } };
    }
    resume.push({ interruptId, decision });
  }
  return { ok: true, resume };
}

/** A decision, or what is wrong with the entry. */
function decodeDecision(status: string, payload: unknown): Decision | string {
  if (status === "cancelled") return reject(isObject(payload) ? payload : {});
  if (status !== "resolved") return 'its status must be "resolved" or "cancelled"';
  if (!isObject(payload)) {
    return 'its payload must be an object such as {"approved":true}, {"approved":false} or {"editedArgs":{…}}';
  }
  const { approved, editedArgs } = payload;
  if (approved !== undefined && approved !== null && typeof approved !== "boolean") {
    return '"approved" must be true or false';
  }
  if (approved === false) return reject(payload);
  if (editedArgs !== undefined && editedArgs !== null) {
    return isObject(editedArgs) ? { kind: "edit", args: editedArgs } : '"editedArgs" must be an object';
  }
  if (approved === true) return { kind: "approve" };
  return 'its payload must say "approved", or bring "editedArgs"';
}

function reject(payload: JsonObject): Decision {
  for (const key of reasonKeys) {
    const reason = payload[key];
    if (typeof reason === "string" && reason !== "") return { kind: "reject", reason };
  }
  return { kind: "reject" };
}

/** What was parsed from JSON and is an object, is a JSON object. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
