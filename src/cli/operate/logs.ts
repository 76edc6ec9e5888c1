import type { Command } from "commander";
import { createParser } from "eventsource-parser";
import type { CommandContext } from "../command-context.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import { type OperateFlags, type Operation, operate, operating } from "./operate.ts";
import type { Reply } from "./operate-client.ts";
import { OperateError, operateCodes } from "./operate-error.ts";
import { textOf } from "./show.ts";

/** Streams in a row that brought nothing before the command gives up. */
const attempts = 5;

const tones: { [type: string]: Tone } = {
  "step-failed": "bad",
  RUN_ERROR: "bad",
  end: "strong",
  RUN_FINISHED: "strong",
  "wait-start": "warn",
};

/** `greenroom logs RUN_ID`: what happens in a run, from its first event to its end. */
export function addLogsCommand(
  program: Command,
  context: CommandContext,
  done: (code: number) => void,
): void {
  operating(
    program
      .command("logs")
      .argument("<RUN_ID>", "a workflow's run, or a durable turn of an agent")
      .description(
        "follow what happens in a run, from its first event to its end; with --json one object a line",
      ),
  ).action(async (id: string, flags: OperateFlags) =>
    done(
      await operate(
        { ...flags, json: false },
        context,
        (operation) => follow(id, operation, flags.json),
        () => undefined,
      ).catch((error: unknown) => refused(error, flags, context)),
    ),
  );
}

function refused(error: unknown, { json }: OperateFlags, context: CommandContext): number {
  if (!json || !(error instanceof OperateError)) throw error;
  context.err.write(`${JSON.stringify(error.toJson())}\n`);
  return error.exitCode;
}

async function follow(id: string, { api, context }: Operation, json: boolean): Promise<Reply> {
  const run = await api.get(`/api/runs/${encodeURIComponent(id)}`);
  const { path, isOfRun } = streamOf(id, run);
  let last: string | null = null;
  for (let silent = 0; silent < attempts; silent += 1) {
    const events: { id: string | undefined; event: Reply }[] = [];
    const parser = createParser({
      onEvent: (message) => events.push({ id: message.id, event: JSON.parse(message.data) as Reply }),
    });
    const response = await api.events(path, last, AbortSignal.timeout(86_400_000));
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      parser.feed(text);
      for (const { id: number, event } of events.splice(0)) {
        silent = 0;
        if (number !== undefined) last = number;
        if (isOfRun(event)) await print(event, context, json);
        if (event.type === "end") return {};
      }
    }
    // A thread's stream closes when nothing is under way; a run's only after its end.
    if (run.kind === "agent") return {};
  }
  throw new OperateError("stream_broken", `The events of ${id} broke off.`, operateCodes.other);
}

/** Where a run's events are, and which of them are its own. */
function streamOf(id: string, run: Reply): { path: string; isOfRun(event: Reply): boolean } {
  if (run.kind === "workflow")
    return { path: `/api/runs/${encodeURIComponent(id)}/events`, isOfRun: () => true };
  if (typeof run.session !== "string")
    throw new OperateError(
      "no_events",
      `${id} was a stateless turn of ${textOf(run.agent)}: nothing of it is kept but its record.`,
      operateCodes.notFound,
      `See it with: greenroom runs get ${id}`,
    );
  let within = false;
  return {
    path: `/agui/v1/agents/${encodeURIComponent(String(run.agent))}/threads/${encodeURIComponent(run.session)}/events`,
    isOfRun(event) {
      // The record's id ends with the one the client gave, which only it keeps apart from others'.
      if (event.type === "RUN_STARTED") within = id === event.runId || id.endsWith(`-${event.runId}`);
      return within;
    },
  };
}

async function print(event: Reply, context: CommandContext, json: boolean): Promise<void> {
  if (json) return context.writeOut(`${JSON.stringify(event)}\n`);
  const { type, at, ...rest } = event;
  line(context.out, String(type), at, rest);
}

function line(out: Terminal, type: string, at: unknown, rest: Reply): void {
  const time = typeof at === "string" ? `${out.tone("dim", textOf(at.slice(11, 23)))}  ` : "";
  const words = Object.entries(rest)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${out.tone("dim", `${name}=`)}${textOf(value)}`);
  out.line(`${time}${out.tone(tones[type] ?? "accent", textOf(type).padEnd(18))}  ${words.join(" ")}`);
}
