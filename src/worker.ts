import type { Env } from "./env.ts";
import { handle } from "./router.ts";
import { ensureSchedules } from "./workflows/runtime/schedule-service.ts";

export { RehearsalObject } from "../objects/rehearsal.ts";
export { SessionObject } from "../objects/session.ts";
export { TableObject } from "../objects/table.ts";
export { TrialObject } from "../objects/trial.ts";
export { WorkflowRunObject } from "../objects/workflow-run.ts";
export { WorkflowRunner } from "../objects/workflow-runner.ts";
export { WorkflowSchedulerObject } from "../objects/workflow-scheduler.ts";

export default {
  fetch: handle,
  scheduled: (_controller, env) => ensureSchedules(env),
} satisfies ExportedHandler<Env>;
