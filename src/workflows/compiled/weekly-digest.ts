// Written by scripts/make-workflows.ts from weekly-digest.workflow.ts; run `npm run generate` after changing that.
// biome-ignore-all format: generated
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
import { runStep as runStep$, type StepFunction as StepFunction$ } from "../authoring/step.ts";
import { env } from "cloudflare:workers";
import { progress } from "../authoring/index.ts";
import * as z from "zod";

export const inputSchema = z.object({ days: z.number().int().min(1).max(365).default(7) });

/** Mondays at six, UTC. */
export const schedules = [{ cron: "0 6 * * 1", input: { days: 7 } }];

/** One digest at a time. */
export const executionMode = "serial";

/** Counts the runs of the last days, by how they ended. */
export async function weeklyDigestWorkflow({ days }: z.output<typeof inputSchema>) {
  "use workflow";
  const runs = await count("workflow_runs", days);
  const turns = await count("agent_runs", days);
  return { days, runs, turns };
}

async function count(table: "workflow_runs" | "agent_runs", days: number) {
  const step$: StepFunction$ = count; return runStep$(step$, "count", async () => {
  const since = new Date(Date.now() - days * 86_400_000).toISOString();
  const { results } = await env.DB.prepare(
    `SELECT status, COUNT(*) AS runs FROM ${table} WHERE started_at >= ? GROUP BY status`,
  )
    .bind(since)
    .all<{ status: string; runs: number }>();
  await progress({ table, since });
  return Object.fromEntries(results.map(({ status, runs }) => [status, runs]));
}); }
