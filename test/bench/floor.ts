import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { convertV4MiniflareOptions, Miniflare, NoOpLog } from "miniflare";
import { childrenOf } from "../../src/cli/engine/processes.ts";

/** What a plain loop sends: the bodies of one trial, again and again. */
export interface Loop {
  url: string;
  bodies: string[];
  trials: number;
  concurrency: number;
}

export interface Looped {
  steps: number;
  wallMs: number;
}

export interface WorkerdFloor {
  /** Process of the runtime. */
  pid: number;
  run(loop: Loop): Promise<Looped>;
  close(): Promise<void>;
}

/** A second runtime, the same program as the engine's, with a Worker that does nothing but the loop. */
export async function startWorkerdFloor(): Promise<WorkerdFloor> {
  const before = new Set(childrenOf(process.pid, "workerd").map((child) => child.pid));
  const script = readFileSync(new URL("./floor-worker.js", import.meta.url), "utf8");
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      telemetry: { enabled: false },
      log: new NoOpLog(),
      logRequests: false,
      workers: [
        {
          name: "floor",
          unsafeRegisterWorker: false,
          compatibilityDate: "2026-11-02",
          modules: [{ type: "ESModule", path: "floor-worker.js", contents: script }],
        },
      ],
    }),
  );
  const url = await miniflare.ready;
  const runtime = childrenOf(process.pid, "workerd").find((child) => !before.has(child.pid));
  if (runtime === undefined) throw new Error("the floor's runtime cannot be found");
  return {
    pid: runtime.pid,
    async run(loop) {
      const startedAt = performance.now();
      const response = await fetch(url, { method: "POST", body: JSON.stringify(loop) });
      if (!response.ok) throw new Error(`the plain loop failed: ${await response.text()}`);
      const { steps } = (await response.json()) as { steps: number };
      return { steps, wallMs: performance.now() - startedAt };
    },
    close: () => miniflare.dispose(),
  };
}

/** The same loop with the `fetch` of this Node. */
export async function nodeFloor({ url, bodies, trials, concurrency }: Loop): Promise<Looped> {
  const headers = { "content-type": "application/json" };
  const startedAt = performance.now();
  let next = 0;
  let steps = 0;
  const lane = async () => {
    while (next < trials) {
      next += 1;
      for (const body of bodies) {
        const response = await fetch(url, { method: "POST", headers, body });
        const text = await response.text();
        if (!response.ok) throw new Error(`the agent answered ${response.status}: ${text}`);
        steps += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return { steps, wallMs: performance.now() - startedAt };
}
