import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from "miniflare";
import type { WorkerBundle } from "../../../src/cli/engine/bundle.ts";
import { applyMigrations } from "../../../src/cli/engine/migrations.ts";
import { childrenOf } from "../../../src/cli/engine/processes.ts";

/** A Worker in a runtime of its own, reached on a socket of its own: nothing stands between it and who asks. */
export interface BenchRuntime {
  name: string;
  /** Origin of the Worker. */
  url: string;
  /** Process of the runtime. */
  pid: number;
  stateDir: string;
  close(): Promise<void>;
}

/** Starts a bundle with its objects and databases in a new folder below `stateRoot`, which `close` removes. */
export async function startRuntime(
  name: string,
  bundle: WorkerBundle,
  vars: { [name: string]: string },
  stateRoot: string,
): Promise<BenchRuntime> {
  const stateDir = await mkdtemp(path.join(stateRoot, "greenroom-bench-"));
  const removed = () => rm(stateDir, { recursive: true, force: true, maxRetries: 5 });
  try {
    const runtime = await startRuntimeIn(stateDir, name, bundle, vars);
    return { ...runtime, close: () => runtime.close().then(removed) };
  } catch (error) {
    await removed();
    throw error;
  }
}

/** Starts a bundle with its objects and databases in a folder, which stays. */
export async function startRuntimeIn(
  stateDir: string,
  name: string,
  bundle: WorkerBundle,
  vars: { [name: string]: string },
): Promise<BenchRuntime> {
  const before = new Set(childrenOf(process.pid, "workerd").map(({ pid }) => pid));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      log: new NoOpLog(),
      logRequests: false,
      resourcePersistencePath: stateDir,
      handleStructuredLogs: ({ level, message }) => {
        if (level === "error") console.error(`${name}: ${message}`);
      },
      workers: [
        {
          ...bundle.options,
          name,
          unsafeRegisterWorker: false,
          // Without it requests pass through a Worker of Miniflare's first.
          unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
          modules: bundle.modules,
          bindings: { ...bundle.vars, ...vars },
        },
      ],
    }),
  );
  const close = () => miniflare.dispose();
  try {
    await miniflare.ready;
    const url = await miniflare.unsafeGetDirectURL(name);
    const runtime = childrenOf(process.pid, "workerd").find(({ pid }) => !before.has(pid));
    if (runtime === undefined) throw new Error(`the runtime of ${name} cannot be found`);
    if (bundle.migrations.length > 0) {
      await applyMigrations(await miniflare.getD1Database("DB"), bundle.migrations);
    }
    return { name, url: url.origin, pid: runtime.pid, stateDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}
