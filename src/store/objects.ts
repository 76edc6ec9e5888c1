import type { RehearsalObject } from "../../objects/rehearsal.ts";
import type { Env } from "../env.ts";

/** The object of a rehearsal. Its name holds the owner, so that a guessed run id of somebody else finds nothing. */
export function rehearsalObject(env: Env, owner: string, runId: string): DurableObjectStub<RehearsalObject> {
  return env.REHEARSAL.get(env.REHEARSAL.idFromName(`${owner}:${runId}`));
}
