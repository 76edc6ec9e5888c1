import { readFileSync } from "node:fs";
import path from "node:path";
import { CommanderError } from "commander";
import { DomainRefused } from "./api-client.ts";
import { CliError } from "./cli-error.ts";
import type { CommandContext, Interrupt } from "./command-context.ts";
import { OperateError, operateCodes } from "./operate/operate-error.ts";
import { packageRoot } from "./package-root.ts";
import { printProblems } from "./print/print-problems.ts";
import { createProgram } from "./program.ts";
import { exitCodes } from "./run/exit-code.ts";
import { createTerminal, plain } from "./terminal/terminal.ts";

/** Commands that operate a Greenroom have exit codes of their own. */
const operatingGroups: ReadonlySet<string> = new Set(["agents", "workflows", "runs", "hitl", "logs"]);

/**
 * Runs the `greenroom` command on the arguments after the program's name and returns its exit code. Errors meant for
 * a person are printed without a stack; anything else is a defect and shows one. An error is 2, but for the commands
 * that operate a Greenroom.
 */
export async function main(args: string[]): Promise<number> {
  const context = processContext();
  process.stdout.on("error", (error) => {
    if (!isClosedPipe(error)) throw error;
    // Nobody reads on, as with `| head`. A rehearsal is still played and its files are written; others have no more to do.
    if (operatingGroups.has(args[0] ?? "")) process.exit(operateCodes.ok);
  });
  const { version } = JSON.parse(readFileSync(path.join(packageRoot, "package.json"), "utf8")) as {
    version: string;
  };
  let code: number = exitCodes.held;
  const program = createProgram(context, version, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    // Help and version are thrown too, with 0; a usage error has been printed by commander.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.held;
      // To those commands 2 means that nobody is signed in.
      return operatingGroups.has(args[0] ?? "") ? operateCodes.other : exitCodes.error;
    }
    printError(error, context);
    return error instanceof OperateError ? error.exitCode : exitCodes.error;
  }
}

function printError(error: unknown, { err }: CommandContext): void {
  if (!(error instanceof CliError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    err.line(err.tone("bad", "greenroom: something went wrong that should not; please report it:"));
    err.line(text.split("\n").map(plain).join("\n  "));
    return;
  }
  if (error instanceof DomainRefused) printProblems(error.problems, error.files, error.folder, err);
  const [first = "", ...rest] = error.message.split("\n");
  err.line(`${err.tone("bad", "greenroom:")} ${plain(first)}`);
  for (const line of [...rest, ...error.details]) err.line(`  ${plain(line)}`);
}

function isClosedPipe(error: Error): boolean {
  return "code" in error && error.code === "EPIPE";
}

function processContext(): CommandContext {
  const { stdout, stderr, env } = process;
  return {
    cwd: process.cwd(),
    env,
    out: createTerminal(stdout, env),
    err: createTerminal(stderr, env),
    writeOut: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error && !isClosedPipe(error) ? reject(error) : resolve()));
      }),
    onInterrupt,
    exit: (code) => process.exit(code),
  };
}

/** Two signals this close together, in milliseconds, are one Ctrl-C that arrived by two ways. */
const sameInterruptMs = 300;

function onInterrupt(callback: (signal: Interrupt) => void): () => void {
  let first: number | undefined;
  const listener = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (first !== undefined) {
      if (now - first > sameInterruptMs) process.exit(signal === "SIGTERM" ? 143 : 130);
      return;
    }
    first = now;
    callback(signal === "SIGTERM" ? "SIGTERM" : "SIGINT");
  };
  process.on("SIGINT", listener);
  process.on("SIGTERM", listener);
  return () => {
    process.off("SIGINT", listener);
    process.off("SIGTERM", listener);
  };
}
