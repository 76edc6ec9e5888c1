import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from "cloudflare:workers";
import { startTurn } from "../src/agents/runtime/start-turn.ts";
import type { Env } from "../src/env.ts";
import { workflowRunObject } from "../src/store/objects.ts";
import { findWorkflow } from "../src/workflows/registry.ts";
import { refuseEndlessWait } from "../src/workflows/runtime/endless-wait.ts";
import { type PlayPort, playRun } from "../src/workflows/runtime/play-run.ts";
import type { EnginePort } from "../src/workflows/runtime/run-player.ts";
import type { RunSpec } from "../src/workflows/runtime/run-protocol.ts";
import { putSchedule, removeSchedule, schedulesOf } from "../src/workflows/runtime/schedule-service.ts";
import type { StepServices } from "../src/workflows/runtime/scope.ts";
import { startRun } from "../src/workflows/runtime/start-run.ts";

/** What the engine keeps of a run: whose code it plays, and where its object is. */
interface RunParams {
  workflow: string;
  runId: string;
  owner: string;
}

/** The engine's side of every run of every workflow: it plays the code, and keeps what its steps came to. */
export class WorkflowRunner extends WorkflowEntrypoint<Env, RunParams> {
  override async run(event: Readonly<WorkflowEvent<RunParams>>, step: WorkflowStep): Promise<void> {
    const { owner, runId } = event.payload;
    await playRun({
      playing: crypto.randomUUID(),
      find: findWorkflow,
      engine: step as EnginePort,
      run: this.port(owner, runId),
      services: (spec) => this.services(spec),
    });
  }

  private services({ owner, runId, workflow, conversation, ...spec }: RunSpec): StepServices {
    const { env } = this;
    return {
      start: ({ wait, ...child }) => {
        const waiters = wait === null ? [] : [...spec.waiters, workflow];
        refuseEndlessWait(findWorkflow(child.workflow), waiters);
        return startRun(
          env,
          owner,
          { ...child, trigger: "workflow", ...(conversation === null ? {} : { conversation }) },
          { parent: { owner, runId, wait }, waiters },
        );
      },
      putSchedule: (schedule) => putSchedule(env, owner, schedule),
      removeSchedule: (name) => removeSchedule(env, owner, name),
      listSchedules: () => schedulesOf(env, owner),
      startTurn: (request) => startTurn({ env, owner, ctx: this.ctx }, request),
    };
  }

  /** The run's object; a fresh stub each time, for one that has seen its object die stays broken. */
  private port(owner: string, runId: string): PlayPort {
    const object = () => workflowRunObject(this.env, owner, runId);
    return {
      enter: (playing) => object().enter(playing),
      beginStep: (...order) => object().beginStep(...order),
      endStep: (...order) => object().endStep(...order),
      openWait: (...order) => object().openWait(...order),
      openHook: (...order) => object().openHook(...order),
      closeHook: (hookId) => object().closeHook(hookId),
      outcome: (of) => object().outcome(of),
      append: (...order) => object().append(...order),
      finish: (...order) => object().finish(...order),
    };
  }
}
