import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { pageSize } from "./arguments.ts";
import { type OperateFlags, operate, operating } from "./operate.ts";
import type { Reply } from "./operate-client.ts";
import { query } from "./query.ts";
import { showItems, showMembers, textOf, timeOf } from "./show.ts";

interface ListFlags extends OperateFlags {
  kind?: string;
  status?: string;
  agent?: string;
  workflow?: string;
  conversation?: string;
  limit?: number;
  cursor?: string;
}

/** `greenroom runs list|get|retry|cancel`: turns of agents and runs of workflows. */
export function addRunCommands(
  program: Command,
  context: CommandContext,
  done: (code: number) => void,
): void {
  const runs = program.command("runs").description("see what agents and workflows did, and do");

  operating(runs.command("list").description("runs, newest first"))
    .option("--kind <kind>", "only these: agent or workflow")
    .option("--status <status>", "only these: running, waiting, done, failed, interrupted or cancelled")
    .option("--agent <name>", "only turns of this agent")
    .option("--workflow <name>", "only runs of this workflow")
    .option("--conversation <id>", "only turns grouped under this x-stackbone-conversation")
    .option("--limit <n>", "at most this many, up to 100", pageSize)
    .option("--cursor <cursor>", "the page after the one that named it")
    .action(async (flags: ListFlags) => {
      const names = ["kind", "status", "agent", "workflow", "conversation", "limit", "cursor"];
      done(
        await operate(
          flags,
          context,
          ({ api }) => api.get(`/api/runs${query({ ...flags }, names)}`),
          showRuns,
        ),
      );
    });

  operating(runs.command("get").argument("<ID>").description("a run, a workflow's with its steps")).action(
    async (id: string, flags: OperateFlags) =>
      done(await operate(flags, context, ({ api }) => api.get(of(id)), showRun)),
  );

  operating(runs.command("retry").argument("<ID>").description("a new run from the same input"), {
    confirmed: true,
  }).action(async (id: string, flags: OperateFlags) =>
    done(
      await operate(
        flags,
        context,
        ({ api }) => api.post(`${of(id)}/retry`),
        (reply, shown) => showMembers(Object.entries(reply.run as Reply), shown),
        `run ${textOf(id)} again, from its stored input`,
      ),
    ),
  );

  operating(runs.command("cancel").argument("<ID>").description("stop a run"), { confirmed: true }).action(
    async (id: string, flags: OperateFlags) =>
      done(
        await operate(
          flags,
          context,
          ({ api }) => api.post(`${of(id)}/cancel`),
          (reply, shown) => showMembers(Object.entries(reply), shown),
          `stop run ${textOf(id)}`,
        ),
      ),
  );
}

function of(id: string): string {
  return `/api/runs/${encodeURIComponent(id)}`;
}

function showRuns(reply: Reply, context: CommandContext): void {
  showItems(
    reply,
    [
      { head: "run", of: (row) => row.runId },
      { head: "status", of: (row) => row.status, status: true },
      { head: "of", of: (row) => row.workflowName ?? row.agent, grow: true },
      { head: "trigger", of: (row) => row.trigger ?? row.wire, priority: 2 },
      { head: "started", of: (row) => timeOf(row.startedAt), priority: 1 },
    ],
    "No run yet.",
    context,
  );
}

function showRun(run: Reply, context: CommandContext): void {
  const { steps, waits, ...members } = run;
  showMembers(Object.entries(members), context);
  const open = Array.isArray(waits) ? (waits as Reply[]).filter(({ status }) => status === "open") : [];
  if (open.length > 0) {
    context.out.line();
    showItems(
      { items: open },
      [
        { head: "waits for", of: (wait) => wait.kind },
        { head: "token", of: (wait) => wait.token, grow: true },
        { head: "since", of: (wait) => timeOf(wait.openedAt), priority: 1 },
        { head: "until", of: (wait) => timeOf(wait.until) },
      ],
      "",
      context,
    );
  }
  if (!Array.isArray(steps) || steps.length === 0) return;
  context.out.line();
  showItems(
    { items: steps },
    [
      { head: "step", of: (step) => step.name },
      { head: "status", of: (step) => step.status, status: true },
      { head: "attempts", of: (step) => step.attempts, align: "right", priority: 2 },
      { head: "started", of: (step) => timeOf(step.startedAt), priority: 1 },
      {
        head: "took",
        of: (step) => (typeof step.durationMs === "number" ? `${step.durationMs} ms` : ""),
        align: "right",
      },
      { head: "error", of: (step) => (step.failure as Reply | null)?.message, grow: true },
    ],
    "",
    context,
  );
}
