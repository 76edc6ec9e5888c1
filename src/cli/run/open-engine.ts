import { ApiClient } from "../api-client.ts";
import { CliError } from "../cli-error.ts";
import { engineVars } from "../engine/engine-vars.ts";
import { startEngine } from "../engine/start-engine.ts";
import { StateInUse } from "../engine/state-lock.ts";
import type { StateSlot } from "./state-slots.ts";

/** Where a rehearsal runs: the embedded engine, or an endpoint somewhere. */
export interface RunPlace {
  api: ApiClient;
  /** The address to show; `null` for the embedded engine. */
  endpoint: string | null;
  /** Runs on this machine, so it can reach an agent on a loopback address. */
  local: boolean;
  /** Resolves with the reason when the place is lost while in use. */
  lost: Promise<string>;
  close(): Promise<void>;
}

export interface EngineWishes {
  slot: StateSlot;
  env: NodeJS.ProcessEnv;
  /** Address of the agent, when it is one somebody typed. */
  agentUrl: string | null;
  /** Tells the person why they wait. */
  note: (text: string) => void;
}

/** Starts the embedded engine on a state folder. Throws `CliError` when it cannot start. */
export async function openEngine(wishes: EngineWishes): Promise<RunPlace> {
  const { slot, env, note } = wishes;
  try {
    const engine = await startEngine({
      stateDir: slot.folder,
      vars: engineVars(env, wishes.agentUrl),
      onBuild: () => note("building the engine, once after each change of its sources"),
      onLog: (level, message) => {
        if (env.GREENROOM_DEBUG !== undefined) note(`engine ${level}: ${message}`);
      },
    });
    return { api: new ApiClient(engine.url, engine.token), endpoint: null, local: true, ...engine };
  } catch (error) {
    if (error instanceof StateInUse)
      throw new CliError(`another command is at this rehearsal: ${error.message}`);
    throw error;
  }
}

/** A deployed endpoint. Throws `CliError` for an address that is none, or a missing token. */
export function openEndpoint(endpoint: string, token: string | undefined): RunPlace {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new CliError(`--endpoint ${endpoint}: not an http or https address`);
  }
  if (token === undefined || token === "") {
    throw new CliError("--endpoint needs a token: give --token T, or set GREENROOM_TOKEN");
  }
  const local = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !local) {
    throw new CliError(`--endpoint ${endpoint}: a token is sent over https only, or to this machine`);
  }
  return {
    api: new ApiClient(endpoint, token),
    endpoint,
    local,
    lost: new Promise(() => undefined),
    close: () => Promise.resolve(),
  };
}
