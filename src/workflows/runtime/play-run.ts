import type { WorkflowDefinition } from "./definition.ts";
import { jsonBytes, readJsonValue } from "./json-value.ts";
import { issuesOf, maxValueBytes } from "./read-input.ts";
import { reliably } from "./reliably.ts";
import { type EnginePort, RunPlayer, type RunPort } from "./run-player.ts";
import type { EnterAnswer, RunEnd, RunSpec } from "./run-protocol.ts";
import { inBody, type StepServices } from "./scope.ts";
import type { RunFailure } from "./types.ts";

/** What a playing needs of the run's object beside what its operations do. */
export interface PlayPort extends RunPort {
  enter(playing: string): Promise<string>;
  finish(playing: string, end: string): Promise<void>;
}

/**
 * Plays a run's code once, from its start: what the engine has kept of it comes back at once, the rest is done. Comes
 * back when the run has ended. Throws what the engine throws to stop it.
 */
export async function playRun(ports: {
  playing: string;
  find: (name: string) => WorkflowDefinition | undefined;
  engine: EnginePort;
  run: PlayPort;
  services: (spec: RunSpec) => StepServices;
}): Promise<void> {
  const { playing, engine, run } = ports;
  const entered = await reliably(async () => JSON.parse(await run.enter(playing)) as EnterAnswer);
  if (entered.kind !== "play") return;
  const { spec } = entered;
  const definition = ports.find(spec.workflow);
  const player = new RunPlayer({ playing, spec, engine, run, services: ports.services(spec) });
  if (definition === undefined) {
    const message = `There is no workflow "${spec.workflow}" any more.`;
    return finish(run, playing, failed("workflow_not_found", message));
  }
  const end = await Promise.race([playBody(definition, player, spec.input), player.halted]);
  if (!("kind" in end)) return finish(run, playing, end);
  if (end.kind === "superseded") return standAside(engine, playing);
  if (end.kind === "over") return;
  if (isAbort(end.error)) throw end.error;
  return finish(run, playing, failed("engine_failed", messageOf(end.error)));
}

async function playBody(definition: WorkflowDefinition, player: RunPlayer, input: unknown): Promise<RunEnd> {
  try {
    const returned = await inBody(player, () => definition.run(structuredClone(input) as never));
    return readOutput(definition, returned);
  } catch (error) {
    return { status: "failed", failure: failureOf(error) };
  }
}

function readOutput({ outputSchema }: WorkflowDefinition, returned: unknown): RunEnd {
  let value = returned;
  if (outputSchema !== undefined) {
    const read = outputSchema.safeParse(returned);
    if (!read.success) {
      const [issue] = issuesOf(read.error);
      const where = issue === undefined || issue.path === "" ? "" : ` at ${issue.path}`;
      return failed(
        "workflow_output_invalid",
        `The output is not what the schema says${where}: ${issue?.message}`,
      );
    }
    value = read.data;
  }
  const json = readJsonValue(value, "the output");
  if (!json.ok) return failed("workflow_output_invalid", json.message);
  if (jsonBytes(JSON.stringify(json.value)) > maxValueBytes)
    return failed("workflow_output_invalid", `The output is larger than ${maxValueBytes} bytes of JSON.`);
  return { status: "done", output: json.value };
}

function finish(run: PlayPort, playing: string, end: RunEnd): Promise<void> {
  return reliably(() => run.finish(playing, JSON.stringify(end)));
}

/** Another playing goes on with the run. This one must neither act nor end, for the engine takes its end for the run's. */
async function standAside(engine: EnginePort, playing: string): Promise<void> {
  for (let round = 1; ; round += 1) {
    await engine.waitForEvent(`aside ${playing} ${round}`, { type: `aside-${playing}`, timeout: "365 days" });
  }
}

/** How the engine says that it stops a playing on purpose, such as when an operator pauses it. */
function isAbort(error: unknown): boolean {
  return /\babort/i.test(messageOf(error));
}

function failureOf(error: unknown): RunFailure {
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string"
      ? error.code
      : "workflow_failed";
  const step =
    error instanceof Error && "step" in error && typeof error.step === "string" ? error.step : null;
  return { code, message: messageOf(error).slice(0, 2_000), ...(step === null ? {} : { step }) };
}

function failed(code: string, message: string): RunEnd {
  return { status: "failed", failure: { code, message } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
