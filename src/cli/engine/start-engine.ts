import { fork } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CliError } from "../cli-error.ts";
import { packageRoot } from "../package-root.ts";
import type { HostNews, HostOrder } from "./host-protocol.ts";
import { lockState, StateInUse } from "./state-lock.ts";

export interface EngineOptions {
  /** Folder of the objects' and D1's databases; made when missing. One engine at a time uses it. */
  stateDir: string;
  /** Variables of the Worker, such as `AGENT_PROVIDER`. */
  vars: Record<string, string>;
  /** Loopback port; 0 or absent: a free one. */
  port?: number;
  /** Called when the Worker has to be built first, which takes a few seconds. */
  onBuild?: () => void;
  /** What the Worker writes to its console. */
  onLog?: (level: string, message: string) => void;
}

export interface Engine {
  /** Origin such as `http://127.0.0.1:40441`; the same after the runtime had to be started again. */
  url: string;
  /** The one credential the Worker accepts, made at random with the state folder: what is in it belongs to it. */
  token: string;
  /** Resolves with the reason when the engine is lost without `close`. */
  lost: Promise<string>;
  /** Ends the runtime and gives the state folder free. Safe to call again. */
  close(): Promise<void>;
}

/**
 * Starts the same Worker that is deployed, on this machine, with objects and D1 migrated: about one second, a few
 * more when the sources changed since the last start. No account, no network, no telemetry. The runtime ends with
 * the calling process, however that ends. Throws `StateInUse` when another engine has the folder, `CliError` with
 * the cause when it cannot start for another reason.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  mkdirSync(options.stateDir, { recursive: true });
  const host = fork(fileURLToPath(new URL("./host.ts", import.meta.url)), [], {
    detached: true,
    // The files may lie below node_modules, where Node does not strip types by itself.
    execArgv: [
      "--disable-warning=ExperimentalWarning",
      "--import",
      new URL("bin/typescript.js", pathToFileURL(`${packageRoot}/`)).href,
    ],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let output = "";
  host.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-8_000);
  });
  let closing = false;
  const exited = new Promise<string>((resolve) => {
    host.once("exit", (code, signal) => {
      if (closing) return resolve("closed");
      endOrphans(options.stateDir);
      resolve(
        [`the embedded engine ended (${signal ?? `exit ${code}`})`, output.trim()].filter(Boolean).join("\n"),
      );
    });
    host.once("error", (error) => resolve(`the embedded engine could not be started: ${error.message}`));
  });
  const close = async (): Promise<void> => {
    if (!closing && host.connected) host.send({ type: "close" } satisfies HostOrder);
    closing = true;
    await exited;
  };

  const ready = new Promise<{ url: string; token: string }>((resolve, reject) => {
    host.on("message", (news: HostNews) => {
      if (news.type === "building") options.onBuild?.();
      else if (news.type === "ready") resolve(news);
      else if (news.type === "log") options.onLog?.(news.level, news.message);
      else if (news.type === "failed") {
        closing = true;
        reject(news.stateInUse ? new StateInUse(news.message) : new CliError(news.message));
      }
    });
    void exited.then((reason) => reject(new CliError(reason)));
  });
  const order: HostOrder = {
    type: "start",
    root: packageRoot,
    stateDir: options.stateDir,
    port: options.port ?? 0,
    vars: options.vars,
  };
  host.send(order);
  const { url, token } = await ready;
  const lost = exited.then((reason) => (closing ? new Promise<string>(() => undefined) : reason));
  return { url, token, lost, close };
}

/** Ends what a killed host left running, before anyone uses its folder again. */
function endOrphans(stateDir: string): void {
  if (!existsSync(stateDir)) return;
  try {
    lockState(stateDir).release();
  } catch (error) {
    // Another engine has taken the folder in the meantime, and with it this duty.
    if (!(error instanceof StateInUse)) throw error;
  }
}
