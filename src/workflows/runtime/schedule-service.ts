import type { Env } from "../../env.ts";
import { schedulerObject } from "../../store/objects.ts";
import type { Json } from "../../turn/json.ts";
import { findWorkflow } from "../registry.ts";
import { checkCron } from "./cron.ts";
import { readInput } from "./read-input.ts";
import { unknownWorkflow } from "./start-run.ts";
import type { ScheduleOutcome, ScheduleRecord } from "./types.ts";

/** Longest name of a schedule, characters. */
const maxName = 100;

/** Makes or replaces an owner's schedule of that name. The next start is the next time the expression names, UTC. */
export async function putSchedule(
  env: Env,
  owner: string,
  schedule: { name: string; workflow: string; cron: string; input: Json },
): Promise<ScheduleOutcome> {
  const { name, workflow, cron, input } = schedule;
  const definition = findWorkflow(workflow);
  if (definition === undefined) return { kind: "unknown_workflow", message: unknownWorkflow(workflow) };
  if (name === "" || name.length > maxName) {
    return { kind: "invalid", issues: [{ path: "name", message: `has 1 to ${maxName} characters` }] };
  }
  const wrong = checkCron(cron);
  if (wrong !== null) return { kind: "invalid", issues: [{ path: "cron", message: wrong }] };
  const read = readInput(definition, input);
  if (!read.ok) {
    const issues = read.issues.map(({ path, message }) => ({
      path: path === "" ? "input" : `input.${path}`,
      message,
    }));
    return { kind: "invalid", issues };
  }
  const stored = await schedulerObject(env).put(owner, JSON.stringify(schedule));
  return { kind: "scheduled", schedule: JSON.parse(stored) as ScheduleRecord };
}

/** Ends an owner's schedule. False: there is none of that name that can be ended. */
export async function removeSchedule(env: Env, owner: string, name: string): Promise<boolean> {
  return schedulerObject(env).remove(owner, name);
}

/** The schedules an owner sees, declared ones included, by name. */
export async function schedulesOf(env: Env, owner: string): Promise<ScheduleRecord[]> {
  return JSON.parse(await schedulerObject(env).list(owner)) as ScheduleRecord[];
}

/**
 * Makes the scheduler know what the workflows' files declare. It keeps itself going after that; asked again, it changes
 * nothing. Asked by the cron trigger and by whoever looks at the catalogue, so that a fresh deployment begins by itself.
 */
export async function ensureSchedules(env: Env): Promise<void> {
  await schedulerObject(env).sync();
}
