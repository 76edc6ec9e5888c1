import * as z from "zod";
import { type OwnedContext, param } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { readJson } from "../../http/read-json.ts";
import { inDatabase } from "../../store/in-database.ts";
import { sessionKeys } from "../../wires/session-headers.ts";
import { startRun } from "../../workflows/runtime/start-run.ts";
import type { StartOutcome } from "../../workflows/runtime/types.ts";
import { invalidInput, unknownWorkflow } from "./refusals.ts";

/** A run that was started, now or by an earlier request with the same key. */
export type Started = Extract<StartOutcome, { kind: "started" }>;

/** Longest `Idempotency-Key`, characters. */
const maxKey = 255;

/**
 * Starts a run of the workflow that the path names, with the request's body as its input; `Idempotency-Key` makes
 * sure that it is started once. Throws 404 for an unknown workflow, 400 for an input that does not fit, 409 when the
 * key had started a run with another input.
 */
export async function startFrom(context: OwnedContext): Promise<Started> {
  const workflow = param(context, "name");
  const input = await readJson(context, z.json());
  const { conversation } = sessionKeys(context.request.headers);
  const key = idempotencyKeyOf(context.request.headers);
  const outcome = await inDatabase(
    startRun(context.env, context.owner, {
      workflow,
      input,
      trigger: "manual",
      ...(key === null ? {} : { idempotencyKey: key }),
      ...(conversation === null ? {} : { conversation }),
    }),
  );
  return started(outcome, workflow);
}

/** The run, or the refusal thrown as the error a client is told. */
export function started(outcome: StartOutcome, workflow: string): Started {
  switch (outcome.kind) {
    case "started":
      return outcome;
    case "unknown_workflow":
      throw unknownWorkflow(workflow);
    case "invalid":
      throw invalidInput(outcome.issues);
    case "key_reused":
      throw new HttpError("conflict", outcome.message, { details: { runId: outcome.runId } });
  }
}

/** The request's `Idempotency-Key`; `null` without one. Throws 400 for one that is empty or too long. */
export function idempotencyKeyOf(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null) return null;
  if (key.trim() === "" || key.length > maxKey)
    throw new HttpError("invalid_request", `Idempotency-Key must be 1 to ${maxKey} characters.`);
  return key;
}
