import type { Note } from "../src/store/workflow-notes.ts";
import type { Json } from "../src/turn/index.ts";
import type { RunDetail, RunSummary, StepRecord, WaitRecord } from "../src/workflows/runtime/types.ts";
import { retryWait } from "./workflow-run-journal.ts";
import type { StoredStep, WorkflowRunStorage } from "./workflow-run-storage.ts";

/** Largest output of a step that is shown with its run, characters of JSON. */
const maxShownOutput = 65_536;

/** Characters of outputs that are shown altogether, of the steps that began first: what crosses between objects is bounded. */
const maxShownOutputs = 4_194_304;

/** Writes down that lists are to show the run as it stands. */
export function noteRun(storage: WorkflowRunStorage): void {
  const note: Note = { kind: "run", owner: storage.spec().owner, run: summaryOf(storage) };
  storage.addTo("notes", note);
}

/** A run as lists show it. */
function summaryOf(storage: WorkflowRunStorage): RunSummary {
  const { runId, workflow, trigger, conversation, parent, retryOf, startedAt } = storage.spec();
  const result = storage.result();
  return {
    runId,
    workflowName: workflow,
    trigger,
    status: storage.status(),
    conversation,
    parentRunId: parent?.runId ?? null,
    retryOf,
    startedAt,
    endedAt: storage.endedAt(),
    failure: result?.status === "failed" ? result.failure : null,
  };
}

/** A run with all that happened in it. `position`: its place in the line of a serial workflow. */
export function detailOf(storage: WorkflowRunStorage, position: number | null): RunDetail {
  const result = storage.result();
  let left = maxShownOutputs;
  const shown = (value: Json): Json => {
    left -= JSON.stringify(value).length;
    return left >= 0 ? value : null;
  };
  return {
    ...summaryOf(storage),
    input: storage.rawInput(),
    output: result?.status === "done" ? result.output : null,
    steps: storage.steps(maxShownOutput).map((step) => stepRecord(storage, step, shown)),
    waits: storage.waits().map((wait) => waitRecord(wait, storage.endedAt())),
    position,
  };
}

function stepRecord(storage: WorkflowRunStorage, step: StoredStep, shown: (value: Json) => Json): StepRecord {
  const { id, name, attempts, startedAt, failure, settled } = step;
  const runEnded = storage.endedAt();
  const endedAt = step.endedAt ?? runEnded;
  const status = step.endedAt === null && runEnded !== null ? "interrupted" : step.status;
  const due = status === "retrying" ? (storage.wait(retryWait(id, attempts))?.due ?? null) : null;
  return {
    ...{ id, name, status, attempts, startedAt, endedAt, failure },
    durationMs: endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt),
    retryAt: isoOf(due),
    output: settled?.kind === "done" ? shown(settled.value) : null,
  };
}

function waitRecord(
  wait: ReturnType<WorkflowRunStorage["waits"]>[number],
  runEnded: string | null,
): WaitRecord {
  const { id, kind, openedAt, due, token } = wait;
  const settledAt = wait.settledAt ?? runEnded;
  return {
    id,
    kind: kind === "retry" ? "sleep" : kind,
    status: settledAt === null ? "open" : "settled",
    openedAt,
    until: isoOf(due),
    settledAt,
    token,
  };
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
