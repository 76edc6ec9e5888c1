import path from "node:path";
import { count } from "../../sandtable/report/format.ts";
import { readResults } from "../../sandtable/report/read-results.ts";
import type { Results } from "../../sandtable/report/results.ts";
import type { AgentTarget } from "../agent/agent-target.ts";
import { parseAgent } from "../agent/parse-agent.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { printFiles, printResults } from "../print/print-results.ts";
import { chooseLeftRun, onlyRunning, startedRun } from "../run/choose-run.ts";
import { exitCodeOf, interruptCodes } from "../run/exit-code.ts";
import { follow } from "../run/follow.ts";
import { openEndpoint, openEngine, type RunPlace } from "../run/open-engine.ts";
import { checkOutFolder, type OutputFiles, writeOutputs, writeStepSummary } from "../run/outputs.ts";
import { checkSelection, readDomain, serveAgent, startBody } from "../run/prepare-run.ts";
import type { RunFlags } from "../run/run-options.ts";
import { leftRuns, newSlot, type RunMark, type StateSlot } from "../run/state-slots.ts";
import { plain } from "../terminal/terminal.ts";
import { typedAs } from "../typed-as.ts";

/**
 * `greenroom run`: rehearses an agent to the end and says how it did. Returns the exit code; throws `CliError` for what
 * is an error and not a verdict. Results are written whole or not at all, and a rehearsal whose command dies can be
 * taken up again with `--resume`.
 */
export async function runCommand(
  folder: string | undefined,
  flags: RunFlags,
  context: CommandContext,
): Promise<number> {
  const run = new Run(flags, context);
  let interrupted: number | null = null;
  const stopListening = context.onInterrupt((signal) => {
    // Before the rehearsal began there is nothing to keep.
    if (run.begun) return;
    const code = interruptCodes[signal];
    interrupted = code;
    void run.close().finally(() => context.exit(code));
  });
  try {
    return flags.resume === undefined ? await run.fresh(folder) : await run.resumed(flags.resume);
  } catch (error) {
    // What was under way failed because it was being closed.
    if (interrupted !== null) return interrupted;
    throw error;
  } finally {
    stopListening();
    await run.close();
  }
}

class Run {
  readonly #flags: RunFlags;
  readonly #context: CommandContext;
  readonly #closing: (() => Promise<void>)[] = [];
  /** From here on `follow` sees to interrupts. */
  begun = false;

  constructor(flags: RunFlags, context: CommandContext) {
    this.#flags = flags;
    this.#context = context;
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
  }

  async fresh(folder: string | undefined): Promise<number> {
    const flags = this.#flags;
    const { cwd, env } = this.#context;
    if (folder === undefined)
      throw new CliError(`which domain? ${typedAs(env)} run DIR --agent URL|module|agent:NAME|builtin:NAME`);
    if (flags.agent === undefined) {
      throw new CliError(
        "which agent? --agent URL, --agent path/of/module.mjs, --agent agent:NAME or --agent builtin:NAME",
      );
    }
    const { files, domain } = await readDomain(folder, cwd);
    checkSelection(domain, flags);
    const agent = await parseAgent(flags.agent, cwd);
    await checkOutFolder(this.#outRoot());
    const slot = flags.endpoint === undefined ? await this.#newSlot() : null;
    const place = await this.#open(slot, agent.kind === "http" ? agent.url : null);
    const hosted = await serveAgent(agent, place.local, null);
    if (hosted !== null) this.#closing.push(hosted.close);

    const body = startBody(files, agent, hosted?.url ?? null, flags);
    const mark: RunMark = {
      runId: null,
      startedAt: new Date().toISOString(),
      domain: domain.name,
      ...this.#out(),
      concurrency: flags.concurrency,
      hosted: hosted?.mark ?? null,
    };
    // Before the rehearsal starts, so that a command that dies with the answer under way leaves one to take up.
    await slot?.mark(mark);
    const { runId, planned } = await place.api.start(body);
    await slot?.mark({ ...mark, runId });
    this.#say(
      `rehearsing ${plain(domain.name)} with ${agentName(agent)}: ${count(planned, "trial")}, run ${runId}`,
    );
    return this.#finish(place, slot, runId, mark, false);
  }

  /** Takes up the rehearsal of that id; with `true` the one that was left last. */
  async resumed(asked: string | true): Promise<number> {
    const flags = this.#flags;
    const { cwd } = this.#context;
    if (flags.endpoint !== undefined) {
      const place = await this.#open(null, null);
      const runId = asked === true ? await onlyRunning(place.api, flags.endpoint) : asked;
      const { status } = await place.api.status(runId);
      this.#say(`run ${runId} is ${status}`);
      return this.#finish(place, null, runId, { ...this.#out(), concurrency: flags.concurrency }, true);
    }
    const state = path.relative(cwd, this.#stateRoot()) || ".";
    const { mark, slot } = await chooseLeftRun(this.#stateRoot(), asked, state);
    if (mark.hosted !== null && flags.agent === undefined) {
      throw new CliError(
        "the agent of this run is a function of a module; give --agent with the same module again",
      );
    }
    const agent = flags.agent === undefined ? null : await parseAgent(flags.agent, cwd);
    // The agent has to be there before the engine is: the rehearsal goes on the moment that starts.
    const hosted = agent === null || mark.hosted === null ? null : await serveAgent(agent, true, mark.hosted);
    if (hosted !== null) this.#closing.push(hosted.close);
    const place = await this.#open(slot, agent?.kind === "http" ? agent.url : null);
    const what = `${plain(mark.domain)}, started ${mark.startedAt}`;
    const runId = mark.runId ?? (await startedRun(place.api));
    if (runId === null) {
      await this.#done(place, slot);
      throw new CliError(`the run of ${what}, was cut off before it began: no step was sent; run it again`);
    }
    if (mark.runId === null) await slot.mark({ ...mark, runId });
    this.#say(`taking up run ${runId} of ${what}`);
    return this.#finish(
      place,
      slot,
      runId,
      flags.out === undefined ? mark : { ...mark, ...this.#out() },
      true,
    );
  }

  async #finish(
    place: RunPlace,
    slot: StateSlot | null,
    runId: string,
    mark: Pick<RunMark, "out" | "outByRun" | "concurrency">,
    resumed: boolean,
  ): Promise<number> {
    this.begun = true;
    const terminal = this.#people();
    const hint = `take it up again with: ${typedAs(this.#context.env)} run --resume ${runId}`;
    const interrupted = await follow({
      place,
      runId,
      concurrency: mark.concurrency,
      terminal,
      resumed,
      context: this.#context,
    }).catch((error: unknown) => {
      if (error instanceof CliError)
        throw new CliError(error.message, [...error.details, hint], { cause: error });
      throw error;
    });
    const text = await place.api.results(runId);
    const read = readResults(text);
    if (!read.ok) throw new CliError(`the endpoint's results cannot be read: ${read.message}`);
    const { results } = read;
    if (results.summary.agentNeverAnswered && interrupted === null) {
      await this.#done(place, slot);
      const [first = "none was asked for", ...more] = firstFailures(results);
      throw new CliError(
        `the agent gave no step that could be used: ${first}; nothing was rehearsed and nothing is written`,
        more,
      );
    }
    const folder = mark.outByRun ? path.join(mark.out, runId) : mark.out;
    const files = await writeOutputs(folder, results, text);
    await writeStepSummary(results, this.#context.env);
    await this.#done(place, slot);
    if (this.#flags.json) await this.#context.writeOut(text);
    printResults(results, terminal);
    printFiles(this.#relative(files), terminal);
    if (interrupted !== null) return interrupted;
    const { code, error } = exitCodeOf(results);
    if (error !== undefined) this.#context.err.line(this.#context.err.tone("bad", `greenroom: ${error}`));
    return code;
  }

  /** The rehearsal is over and safe elsewhere: its state folder goes. */
  async #done(place: RunPlace, slot: StateSlot | null): Promise<void> {
    await place.close();
    await slot?.remove();
  }

  async #open(slot: StateSlot | null, agentUrl: string | null): Promise<RunPlace> {
    const { env } = this.#context;
    if (slot === null) {
      const { endpoint = "", token } = this.#flags;
      return openEndpoint(endpoint, token ?? env.GREENROOM_TOKEN);
    }
    const place = await openEngine({ slot, env, agentUrl, note: (text) => this.#say(plain(text)) });
    this.#closing.push(place.close);
    return place;
  }

  /** A state folder that goes again unless a rehearsal was started in it. */
  async #newSlot(): Promise<StateSlot> {
    const slot = await newSlot(this.#stateRoot());
    this.#closing.push(async () => {
      const left = await leftRuns(this.#stateRoot());
      const mine = left.find((run) => run.slot.folder === slot.folder);
      if (mine === undefined || mine.mark.runId === null) await slot.remove();
    });
    return slot;
  }

  #say(text: string): void {
    const terminal = this.#people();
    terminal.line(terminal.tone("dim", text));
  }

  /** Where people read: standard output belongs to results.json with `--json`. */
  #people() {
    return this.#flags.json ? this.#context.err : this.#context.out;
  }

  #stateRoot(): string {
    return path.resolve(this.#context.cwd, this.#flags.state);
  }

  #outRoot(): string {
    return path.resolve(this.#context.cwd, this.#flags.out ?? "greenroom-results");
  }

  #out(): Pick<RunMark, "out" | "outByRun"> {
    return { out: this.#outRoot(), outByRun: this.#flags.out === undefined };
  }

  #relative(files: OutputFiles): OutputFiles {
    const shown = (file: string) => {
      const relative = path.relative(this.#context.cwd, file);
      return relative.startsWith("..") ? file : relative;
    };
    const { results, report, junit, summary } = files;
    return { results: shown(results), report: shown(report), junit: shown(junit), summary: shown(summary) };
  }
}

function agentName(agent: AgentTarget): string {
  if (agent.kind === "agent") return `the Worker's agent ${plain(agent.name)}`;
  if (agent.kind === "builtin") return `the builtin agent ${plain(agent.name)}`;
  if (agent.kind === "function" || agent.module !== undefined)
    return `the agent of ${plain(agent.module ?? "")}`;
  const { origin, pathname } = new URL(agent.url);
  return `the agent at ${plain(origin + pathname)}`;
}

/** What the agent's failures were, each once. */
function firstFailures(results: Results): string[] {
  const failures = results.trials.flatMap((trial) =>
    trial.why.flatMap((reason) => (reason.kind === "runtime" ? [plain(describeFailure(reason))] : [])),
  );
  return [...new Set(failures)].slice(0, 3);
}

function describeFailure({ message, body }: { message: string; body?: string }): string {
  return body === undefined || body === "" || message.includes(body)
    ? message
    : `${message}: ${body.slice(0, 300)}`;
}
