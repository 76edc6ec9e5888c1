import { Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "./command-context.ts";
import { addAgentCommands } from "./operate/agents.ts";
import { addHitlCommands } from "./operate/hitl.ts";
import { addLogsCommand } from "./operate/logs.ts";
import { addRunCommands } from "./operate/runs.ts";
import { addWorkflowCommands } from "./operate/workflows.ts";
import type { RunFlags } from "./run/run-options.ts";

/**
 * The command line: what can be typed and what it means. `done` is told the exit code of the command that ran. What a
 * command is made of is loaded when it is typed: half a second, for those that rehearse.
 */
export function createProgram(
  context: CommandContext,
  version: string,
  done: (code: number) => void,
): Command {
  const program = new Command("greenroom")
    .description("Rehearse an agent before real people meet it, and operate what is served.")
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      writeErr: (text) => context.err.write(text),
      getOutHelpWidth: () => context.out.columns(),
      getErrHelpWidth: () => context.err.columns(),
    })
    .addHelpText(
      "after",
      "\nExit codes: 0 every gate holds, 1 a gate or a critical task failed, 2 an error.\nOf agents, workflows, runs, hitl, logs: 0 done, 1 an error, 2 not signed in, 3 not running, 4 not found, 5 denied or without --yes.",
    );

  program
    .command("run")
    .argument("[DIR]", "domain folder")
    .description("rehearse an agent against a domain and write a report")
    .option(
      "-a, --agent <agent>",
      "URL of an agent that answers POST /step, a module, agent:NAME or builtin:NAME",
    )
    .option("-n, --trials <n>", "trials of each task", wholeNumber(1), 1)
    .option("-c, --concurrency <n>", "trials under way at once", wholeNumber(1), 4)
    .option("--tasks <ids>", "only these tasks; repeat it or separate with commas", list, [])
    .option("--tag <tags>", "only tasks with one of these tags; `untagged` for those without", list, [])
    .option("--seed <n>", "chooses among a scripted caller's lines", wholeNumber(0), 1)
    .option(
      "--fail-under <share>",
      "gate on pass^1, as 0.9, or pass^k, as pass^3=0.8; repeatable",
      collect,
      [],
    )
    .option("--floor <tag=share>", "gate on pass^1 of the tasks with a tag; repeatable", collect, [])
    .option("--step-timeout <seconds>", "most time the agent has for one step (default: no limit)", positive)
    .option(
      "--max-steps <n>",
      "rounds of tool calls in one turn (default: 16, or what the module says)",
      wholeNumber(1),
    )
    .option("--endpoint <url>", "rehearse on a deployed Greenroom instead of the embedded engine")
    .option("--token <token>", "credential for --endpoint (or set GREENROOM_TOKEN)")
    .option("--json", "write results.json to standard output and everything else to standard error", false)
    .option("-o, --out <dir>", "where the files go (default: ./greenroom-results/<runId>)")
    .option("--resume [runId]", "take up a rehearsal whose command was killed: this one, or the newest")
    .addOption(
      new Option("--state <dir>", "where the embedded engine keeps its state").default(".greenroom/state"),
    )
    .action(async (folder: string | undefined, flags: RunFlags) => {
      const { runCommand } = await import("./commands/run.ts");
      done(await runCommand(folder, flags, context));
    });

  program
    .command("init")
    .argument("<DIR>", "a folder that is new or empty")
    .description("write a small domain that works, to start from")
    .action(async (folder: string) => {
      const { initCommand } = await import("./commands/init.ts");
      done(await initCommand(folder, context));
    });

  program
    .command("validate")
    .argument("<DIR>", "domain folder")
    .description("check a domain and show everything that is wrong with it")
    .action(async (folder: string) => {
      const { validateCommand } = await import("./commands/validate.ts");
      done(await validateCommand(folder, context));
    });

  program
    .command("lint")
    .argument("<DIR>", "domain folder")
    .description("replay every reference and find tasks that prove nothing")
    .action(async (folder: string) => {
      const { lintCommand } = await import("./commands/lint.ts");
      done(await lintCommand(folder, context));
    });

  program
    .command("report")
    .argument("<results.json>")
    .description("render the report of a results.json again")
    .option("-o, --out <dir>", "where the files go (default: beside results.json)")
    .action(async (file: string, flags: { out?: string }) => {
      const { reportCommand } = await import("./commands/report.ts");
      done(await reportCommand(file, flags, context));
    });

  addAgentCommands(program, context, done);
  addWorkflowCommands(program, context, done);
  addRunCommands(program, context, done);
  addHitlCommands(program, context, done);
  addLogsCommand(program, context, done);
  return program;
}

function list(text: string, before: string[]): string[] {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  if (words.length === 0) throw new InvalidArgumentError("It names nothing.");
  return [...before, ...words];
}

function collect(text: string, before: string[]): string[] {
  return [...before, text];
}

function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
    }
    return value;
  };
}

function positive(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0)
    throw new InvalidArgumentError("It must be a number of seconds above 0.");
  return value;
}
