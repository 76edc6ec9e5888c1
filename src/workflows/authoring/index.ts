/** What the author of a workflow imports. */
export { callDeepAgent, streamDeepAgent } from "./call-deep-agent.ts";
export { FatalError, RetryableError, StepFailedError } from "./errors.ts";
export { createHook, defineHook } from "./hook.ts";
export { getStepMetadata, getWorkflowMetadata } from "./metadata.ts";
export { getWritable, progress } from "./progress.ts";
export { requestApproval } from "./request-approval.ts";
export { listSchedules, scheduleWorkflow, unscheduleWorkflow } from "./schedules.ts";
export { sleep } from "./sleep.ts";
export { startAndWait, startWorkflow } from "./start-workflow.ts";
