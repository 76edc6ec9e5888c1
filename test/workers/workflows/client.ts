import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { workflowRunObject } from "../../../src/store/objects.ts";
import type { Json } from "../../../src/turn/index.ts";
import { getRun, watchRun } from "../../../src/workflows/runtime/service.ts";
import { startRun } from "../../../src/workflows/runtime/start-run.ts";
import type { RunDetail, RunEvent, StartRequest } from "../../../src/workflows/runtime/types.ts";

export const owner = "0".repeat(32);

/** A token nobody else uses. */
export function token(): string {
  return `t-${crypto.randomUUID()}`;
}

/** Starts a run and returns its id. */
export async function begin(
  workflow: string,
  input: unknown,
  more: Partial<StartRequest> = {},
): Promise<string> {
  const outcome = await startRun(env, owner, { workflow, input: input as Json, trigger: "manual", ...more });
  if (outcome.kind !== "started") throw new Error(JSON.stringify(outcome));
  return outcome.run.runId;
}

/** Starts a run of the playground. */
export function play(...actions: unknown[]): Promise<string> {
  return begin("playground", { actions });
}

export async function run(runId: string): Promise<RunDetail> {
  const found = await getRun(env, owner, runId);
  if (found === null) throw new Error(`there is no run ${runId}`);
  return found;
}

export async function until(check: () => Promise<boolean>, ms = 15_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`not reached within ${ms} ms`);
    await scheduler.wait(10);
  }
}

/** The run once it has ended. */
export async function ended(runId: string): Promise<RunDetail> {
  await until(async () => (await run(runId)).endedAt !== null);
  return run(runId);
}

/** Waits until the run waits for `count` things at once. */
export async function waiting(runId: string, count = 1): Promise<void> {
  await until(async () => (await run(runId)).waits.filter(({ status }) => status === "open").length >= count);
}

/** Every event of a run that has ended, in order. */
export async function events(
  runId: string,
  after = 0,
): Promise<{ id: number; name: string; event: RunEvent }[]> {
  const response = await watchRun(env, owner, runId, after);
  if (response === null) throw new Error(`there is no run ${runId}`);
  const blocks = (await response.text()).split("\n\n").filter((block) => block.startsWith("id: "));
  return blocks.map((block) => ({
    id: Number(/^id: (\d+)$/m.exec(block)?.[1]),
    name: /^event: (.*)$/m.exec(block)?.[1] ?? "",
    event: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? "null") as RunEvent,
  }));
}

/** How often a step really ran, by its name: what it told while it did. */
export async function ran(runId: string, name: string): Promise<number> {
  return (await events(runId)).filter(({ event }) => {
    if (event.type !== "progress") return false;
    const data = event.data as { ran?: string };
    return data.ran === name;
  }).length;
}

export function object(runId: string) {
  return workflowRunObject(env, owner, runId);
}

/** Ends a file's runs, so that none goes on while the next file's are counted. */
export async function leaveNothing(): Promise<void> {
  await reset();
}
