import { readFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { messageOf } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { json } from "./arguments.ts";
import { type OperateFlags, operate, operating } from "./operate.ts";
import type { Reply } from "./operate-client.ts";
import { OperateError, operateCodes } from "./operate-error.ts";
import { showItems, showMembers } from "./show.ts";

/** `greenroom workflows list|schema|start`. */
export function addWorkflowCommands(
  program: Command,
  context: CommandContext,
  done: (code: number) => void,
): void {
  const workflows = program.command("workflows").description("start what runs durably");

  operating(workflows.command("list").description("every workflow")).action(async (flags: OperateFlags) =>
    done(await operate(flags, context, ({ api }) => api.get("/api/workflows"), showWorkflows)),
  );

  operating(
    workflows.command("schema").argument("<NAME>").description("what it takes and gives, as JSON Schema"),
  ).action(async (name: string, flags: OperateFlags) =>
    done(
      await operate(
        flags,
        context,
        ({ api }) => api.get(`${of(name)}/schema`),
        (reply, { out }) => out.line(JSON.stringify(reply.schema, null, 2)),
      ),
    ),
  );

  operating(workflows.command("start").argument("<NAME>").description("start a run"))
    .option("--input <json>", "its input", json)
    .option("--input-file <file>", "its input, from a file")
    .action(async (name: string, flags: OperateFlags & { input?: unknown; inputFile?: string }) =>
      done(
        await operate(
          flags,
          context,
          ({ api }) => api.post(`${of(name)}/start`, inputOf(flags, context)),
          (reply, shown) => showMembers(Object.entries(reply), shown),
        ),
      ),
    );
}

function of(name: string): string {
  return `/api/workflows/${encodeURIComponent(name)}`;
}

function inputOf({ input, inputFile }: { input?: unknown; inputFile?: string }, context: CommandContext) {
  if (inputFile === undefined) return input ?? {};
  const refuse = (message: string) => new OperateError("invalid_input", message, operateCodes.other);
  if (input !== undefined) throw refuse("Give --input or --input-file, not both.");
  try {
    return JSON.parse(readFileSync(path.resolve(context.cwd, inputFile), "utf8")) as unknown;
  } catch (error) {
    throw refuse(`${inputFile} cannot be used as input: ${messageOf(error)}`);
  }
}

function showWorkflows(reply: Reply, context: CommandContext): void {
  showItems(
    reply,
    [
      { head: "workflow", of: (row) => row.name },
      { head: "started by", of: (row) => row.trigger },
      { head: "description", of: (row) => row.description, grow: true },
    ],
    "No workflow is served here.",
    context,
  );
}
