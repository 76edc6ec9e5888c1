import type { RehearsalObject } from "../objects/rehearsal.ts";
import type { SessionObject } from "../objects/session.ts";
import type { TableObject } from "../objects/table.ts";
import type { TrialObject } from "../objects/trial.ts";
import type { WorkflowRunObject } from "../objects/workflow-run.ts";
import type { WorkflowSchedulerObject } from "../objects/workflow-scheduler.ts";
import type { Variables } from "./config.ts";

/** What the platform hands to the Worker: the bindings of `wrangler.toml` and the variables of `config.ts`. */
export interface Env extends Variables {
  DB: D1Database;
  TRIAL: DurableObjectNamespace<TrialObject>;
  REHEARSAL: DurableObjectNamespace<RehearsalObject>;
  SESSION: DurableObjectNamespace<SessionObject>;
  TABLE: DurableObjectNamespace<TableObject>;
  WORKFLOW_RUN: DurableObjectNamespace<WorkflowRunObject>;
  WORKFLOW_SCHEDULER: DurableObjectNamespace<WorkflowSchedulerObject>;
  /** The engine that plays the code of workflows: a `WorkflowRunner` each run. */
  WORKFLOWS: Workflow;
  ASSETS: Fetcher;
}

type WorkerEnv = Env;

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {}
    interface GlobalProps {
      mainModule: typeof import("./worker.ts");
      durableNamespaces:
        | "TrialObject"
        | "RehearsalObject"
        | "SessionObject"
        | "TableObject"
        | "WorkflowRunObject"
        | "WorkflowSchedulerObject";
    }
  }
}
