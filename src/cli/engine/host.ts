import path from "node:path";
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from "miniflare";
import { messageOf } from "../cli-error.ts";
import { loadBundle } from "./bundle.ts";
import type { HostNews, HostOrder } from "./host-protocol.ts";
import { applyMigrations } from "./migrations.ts";
import { childrenOf } from "./processes.ts";
import { lockState, StateInUse, type StateLock } from "./state-lock.ts";
import { stateToken } from "./state-token.ts";

/*
 * The process that holds the runtime for one command. It is a process of its own, in its own process group, because
 * the runtime must neither be ended by the Ctrl-C meant for the command nor outlive a command that was killed: the
 * channel to the command closes however the command ends, and then this process ends the runtime and itself.
 */

let closing: Promise<void> | undefined;
let lock: StateLock | undefined;
let miniflare: Miniflare | undefined;

process.on("message", (order: HostOrder) => {
  if (order.type === "close") void close();
  else void start(order);
});
process.on("disconnect", () => void close());

async function start(order: HostOrder & { type: "start" }): Promise<void> {
  try {
    lock = lockState(order.stateDir);
    const token = stateToken(order.stateDir);
    const bundle = await loadBundle(order.root, () => tell({ type: "building" }));
    if (closing !== undefined) return;
    miniflare = new Miniflare(
      convertV4MiniflareOptions({
        host: "127.0.0.1",
        port: order.port,
        // Without this Miniflare asks the network for a sample of the `cf` object.
        cf: false,
        telemetry: { enabled: false },
        log: new NoOpLog(),
        logRequests: false,
        resourcePersistencePath: path.resolve(order.stateDir),
        handleStructuredLogs: ({ level, message }) => tell({ type: "log", level, message }),
        unsafeHandleRuntimeRestart: restarted,
        workers: [
          {
            ...bundle.options,
            name: "greenroom",
            // The registry of other dev servers on this machine is none of ours.
            unsafeRegisterWorker: false,
            modules: bundle.modules,
            bindings: { ...bundle.vars, ...order.vars, AGENT_HTTP_TOKEN: token },
          },
        ],
      }),
    );
    const url = await miniflare.ready;
    lock.runtimes(childrenOf(process.pid, "workerd"));
    if (bundle.migrations.length > 0) {
      await applyMigrations(await miniflare.getD1Database("DB"), bundle.migrations);
    }
    tell({ type: "ready", url: url.origin, token });
  } catch (error) {
    if (closing !== undefined) return;
    tell({ type: "failed", message: messageOf(error), stateInUse: error instanceof StateInUse });
    await close();
  }
}

async function restarted(): Promise<void> {
  if (miniflare === undefined) return;
  const url = await miniflare.ready;
  lock?.runtimes(childrenOf(process.pid, "workerd"));
  tell({ type: "restarted", url: url.origin });
}

function close(): Promise<void> {
  closing ??= (async () => {
    try {
      await miniflare?.dispose();
    } finally {
      lock?.release();
      process.exit(0);
    }
  })();
  return closing;
}

function tell(news: HostNews): void {
  // The command may be gone; then there is nobody to tell, and `disconnect` ends this process.
  if (process.connected) process.send?.(news, () => undefined);
}
