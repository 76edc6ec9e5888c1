import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { json, pageSize } from "./arguments.ts";
import { type OperateFlags, operate, operating } from "./operate.ts";
import type { Reply } from "./operate-client.ts";
import { query } from "./query.ts";
import { showItems, showMembers, textOf, timeOf } from "./show.ts";

const statuses = "pending, approved, rejected, timed_out or cancelled";

/** `greenroom hitl list|get|approve|reject`: the approvals inbox. */
export function addHitlCommands(
  program: Command,
  context: CommandContext,
  done: (code: number) => void,
): void {
  const hitl = program.command("hitl").description("decide what waits for a person");

  operating(hitl.command("list").description("approvals, newest first"))
    .option("--status <status>", `only these: ${statuses}`)
    .option("--limit <n>", "at most this many, up to 100", pageSize)
    .option("--cursor <cursor>", "the page after the one that named it")
    .action(async (flags: OperateFlags & { status?: string; limit?: number; cursor?: string }) =>
      done(
        await operate(
          flags,
          context,
          ({ api }) => api.get(`/api/approvals${query({ ...flags }, ["status", "limit", "cursor"])}`),
          showApprovals,
        ),
      ),
    );

  operating(hitl.command("get").argument("<ID>").description("what would happen, and what led to it")).action(
    async (id: string, flags: OperateFlags) =>
      done(await operate(flags, context, ({ api }) => api.get(of(id)), showApproval)),
  );

  operating(hitl.command("approve").argument("<ID>").description("let it happen"), { confirmed: true })
    .option("--reason <text>", "a workflow is told it")
    .option("--edit <json>", "with these arguments, or this payload, instead", json)
    .action(async (id: string, flags: OperateFlags & { reason?: string; edit?: unknown }) => {
      const body = {
        ...(flags.edit === undefined ? {} : { editedPayload: flags.edit }),
        ...(flags.reason === undefined ? {} : { reason: flags.reason }),
      };
      const work = decide(id, "approve", body);
      done(await operate(flags, context, work, showDecision, `approve ${textOf(id)}`));
    });

  operating(hitl.command("reject").argument("<ID>").description("do not let it happen"), { confirmed: true })
    .option("--reason <text>", "the agent or the workflow is told it")
    .action(async (id: string, flags: OperateFlags & { reason?: string }) => {
      const work = decide(id, "reject", flags.reason === undefined ? {} : { reason: flags.reason });
      done(await operate(flags, context, work, showDecision, `reject ${textOf(id)}`));
    });
}

function decide(id: string, verb: "approve" | "reject", body: Reply) {
  return ({ api }: Parameters<Parameters<typeof operate>[2]>[0]) => api.post(`${of(id)}/${verb}`, body);
}

function of(id: string): string {
  return `/api/approvals/${encodeURIComponent(id)}`;
}

function showApprovals(reply: Reply, context: CommandContext): void {
  showItems(
    reply,
    [
      { head: "id", of: (row) => row.id },
      { head: "status", of: (row) => row.status, status: true },
      { head: "topic", of: (row) => row.topic },
      { head: "created", of: (row) => timeOf(row.createdAt), priority: 2 },
      { head: "asks", of: (row) => row.title, grow: true },
    ],
    "Nothing waits.",
    context,
  );
}

function showApproval(approval: Reply, context: CommandContext): void {
  showMembers(
    [
      ["id", approval.id],
      ["status", approval.status],
      ["topic", approval.topic],
      ["asks", approval.title],
      ["payload", approval.payload],
      ["run", approval.runId],
      ["created", timeOf(approval.createdAt)],
      ["deadline", timeOf(approval.expiresAt)],
      ["decision", approval.decision],
      ["decided", timeOf(approval.decidedAt)],
      ["decided by", approval.decidedBy],
    ],
    context,
  );
}

function showDecision(reply: Reply, context: CommandContext): void {
  showMembers(
    [
      ["id", reply.id],
      ["status", reply.status],
    ],
    context,
  );
}
