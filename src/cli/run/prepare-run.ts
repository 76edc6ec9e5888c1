import { randomBytes } from "node:crypto";
import path from "node:path";
import { loadDomain } from "../../sandtable/domain/load.ts";
import type { Domain } from "../../sandtable/domain/types.ts";
import { count } from "../../sandtable/report/format.ts";
import { GateError, parseGates } from "../../sandtable/verdict/gates.ts";
import { SelectionError, selectTasks } from "../../sandtable/verdict/select-tasks.ts";
import type { AgentTarget } from "../agent/agent-target.ts";
import { type HostedAgent, hostAgent } from "../agent/host-agent.ts";
import { DomainRefused, type StartBody } from "../api-client.ts";
import { CliError } from "../cli-error.ts";
import { readDomainFolder } from "../domain-folder.ts";
import { defaultMaxSteps, type RunFlags } from "./run-options.ts";

export interface LocalDomain {
  files: Record<string, string>;
  domain: Domain;
}

/** Reads and checks a domain folder, relative to `cwd`. Throws `DomainRefused` with every problem of it. */
export async function readDomain(folder: string, cwd: string): Promise<LocalDomain> {
  const files = await readDomainFolder(path.resolve(cwd, folder), folder);
  const below = Object.keys(files).flatMap((file) => /^(.+)\/domain\.yaml$/.exec(file)?.[1] ?? []);
  if (files["domain.yaml"] === undefined && below.length > 0) {
    const meant = below.slice(0, 3).map((name) => path.join(folder, name));
    throw new CliError(`there is no domain.yaml in ${folder}; did you mean ${meant.join(" or ")}?`);
  }
  const loaded = loadDomain(files);
  if (loaded.ok) return { files, domain: loaded.domain };
  throw new DomainRefused(
    `the domain has ${count(loaded.problems.length, "problem")}`,
    loaded.problems,
    files,
    folder,
  );
}

/** Checks tasks, tags and gates before anything is started. Throws `CliError`. */
export function checkSelection(domain: Domain, flags: RunFlags): void {
  try {
    const tasks = selectTasks(domain.tasks, { tasks: flags.tasks, tags: flags.tag });
    parseGates({ failUnder: flags.failUnder, floor: flags.floor }, { tasks, trials: flags.trials });
  } catch (error) {
    if (error instanceof SelectionError || error instanceof GateError) throw new CliError(error.message);
    throw error;
  }
}

/** Puts an agent that is a function on a loopback port. `null` for an agent that already has an address. */
export async function serveAgent(
  agent: AgentTarget,
  local: boolean,
  hosted: { port: number; secret: string } | null,
): Promise<(HostedAgent & { mark: { port: number; secret: string } }) | null> {
  if (agent.kind !== "function") return null;
  if (!local) {
    throw new CliError(
      `--agent ${agent.module} is a function, which runs in this command; a deployed endpoint cannot reach it. Export httpAgent(url) instead, or leave --endpoint out`,
    );
  }
  const secret = hosted?.secret ?? randomBytes(12).toString("hex");
  const server = await hostAgent(agent.run, secret, hosted?.port);
  return { ...server, mark: { port: Number(new URL(server.url).port), secret } };
}

/** The request that starts the rehearsal. `hostedUrl` is where the command serves an agent that is a function. */
export function startBody(
  files: Record<string, string>,
  agent: AgentTarget,
  hostedUrl: string | null,
  flags: RunFlags,
): StartBody {
  const ownSteps = agent.kind === "http" ? agent.maxSteps : undefined;
  return {
    domain: { files },
    agent: agentOf(agent, hostedUrl),
    trials: flags.trials,
    concurrency: flags.concurrency,
    tasks: flags.tasks,
    tags: flags.tag,
    seed: flags.seed,
    maxSteps: flags.maxSteps ?? ownSteps ?? defaultMaxSteps,
    stepTimeoutMs: flags.stepTimeout === undefined ? null : Math.round(flags.stepTimeout * 1_000),
    failUnder: flags.failUnder,
    floors: flags.floor,
  };
}

function agentOf(agent: AgentTarget, hostedUrl: string | null): StartBody["agent"] {
  switch (agent.kind) {
    case "agent":
    case "builtin":
      return { kind: agent.kind, name: agent.name };
    case "http": {
      const { url, headers, module } = agent;
      if (module === undefined) return { kind: "http", url, headers };
      return { kind: "http", url, headers, label: { kind: "module", name: module } };
    }
    case "function":
      if (hostedUrl === null) throw new Error("an agent that is a function has to be served first");
      return { kind: "http", url: hostedUrl, headers: {}, label: { kind: "module", name: agent.module } };
  }
}
