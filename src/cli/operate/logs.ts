import type { Command } from "commander";
import { createParser } from "eventsource-parser";
import type { CommandContext } from "../command-context.ts";
import { streamText } from "../stream-text.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import { type OperateFlags, type Operation, operate, operating } from "./operate.ts";
import type { OperateClient, Reply } from "./operate-client.ts";
import { OperateError, operateCodes } from "./operate-error.ts";
import { textOf } from "./show.ts";

/** Streams in a row that brought nothing before the command gives up. */
const attempts = 5;

/** Between two of them. */
const pauseMs = 500;

/** A live stream says something every few seconds; one that says nothing for this long is dead. */
const silenceMs = 20_000;

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
  for (let failures = 0; failures < attempts; failures += 1) {
    for await (const event of eventsAfter(api, path, last)) {
      failures = 0;
      last = event.id ?? last;
      if (isOfRun(event.data)) await print(event.data, context, json);
      if (event.data.type === "end") return {};
    }
    // A thread's stream closes when nothing is under way; a run's only after its end.
    if (run.kind === "agent") return {};
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new OperateError("stream_broken", `The events of ${id} broke off.`, operateCodes.other);
}

/** The events of one connection, until it ends, breaks or falls silent. */
async function* eventsAfter(
  api: OperateClient,
  path: string,
  last: string | null,
): AsyncGenerator<{ id: string | undefined; data: Reply }> {
  const silence = new AbortController();
  const dead = () => silence.abort(new TypeError("the event stream fell silent"));
  let timer = setTimeout(dead, silenceMs);
  const ready: { id: string | undefined; data: Reply }[] = [];
  const parser = createParser({
    onEvent: ({ id, data }) => ready.push({ id, data: JSON.parse(data) as Reply }),
  });
  try {
    const response = await api.events(path, last, silence.signal);
    for await (const text of streamText(response, silence.signal)) {
      clearTimeout(timer);
      timer = setTimeout(dead, silenceMs);
      parser.feed(text);
      yield* ready.splice(0);
    }
  } catch (error) {
    // A connection that breaks while it is read: it is taken up again after the last event seen.
    if (!(error instanceof TypeError)) throw error;
  } finally {
    clearTimeout(timer);
  }
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
