import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Engine, startEngine } from "../../src/cli/engine/start-engine.ts";
import type { RehearsalEvent } from "../../src/sandtable/rehearsal/events.ts";
import { readResults } from "../../src/sandtable/report/read-results.ts";
import type { Results } from "../../src/sandtable/report/results.ts";

/** One event as it came over the wire. */
export interface SeenEvent {
  id: number;
  event: RehearsalEvent;
}

/** The running Worker under test, with what a test does to it. */
export class LiveEngine {
  readonly stateDir: string;
  /** What the Worker wrote to its console. */
  readonly logs: string[];
  private engine: Engine;

  private constructor(stateDir: string, engine: Engine, logs: string[]) {
    this.stateDir = stateDir;
    this.engine = engine;
    this.logs = logs;
  }

  /** Starts the Worker on a fresh state folder, or on one an earlier engine left. */
  static async start(stateDir?: string): Promise<LiveEngine> {
    const folder = stateDir ?? (await mkdtemp(path.join(tmpdir(), "greenroom-live-")));
    const logs: string[] = [];
    const onLog = (level: string, message: string) => logs.push(`${level} ${message}`);
    return new LiveEngine(folder, await startEngine({ stateDir: folder, vars: {}, onLog }), logs);
  }

  get url(): string {
    return this.engine.url;
  }

  get token(): string {
    return this.engine.token;
  }

  /** Ends the engine and keeps its folder. */
  stop(): Promise<void> {
    return this.engine.close();
  }

  async close(): Promise<void> {
    await this.engine.close();
    await rm(this.stateDir, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Ends the runtime at once; the engine starts another on the same folder by itself. */
  async kill(): Promise<number> {
    const pid = await this.runtime();
    process.kill(pid, "SIGKILL");
    return pid;
  }

  /** Kills the runtime and waits until the next one answers. Nothing is asked about a rehearsal. */
  async killAndWait(): Promise<void> {
    const before = await this.kill();
    await until(async () => {
      const now = await this.runtime();
      if (now === before) return false;
      return fetch(`${this.url}/live`).then(
        (response) => response.ok,
        () => false,
      );
    }, 20_000);
  }

  api(
    route: string,
    init: { method?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const { body, signal } = init;
    return fetch(`${this.url}${route}`, {
      method: init.method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        authorization: `Bearer ${this.token}`,
        "content-type": "application/json",
        ...init.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Starts a rehearsal and returns its run id. */
  async begin(body: Record<string, unknown>): Promise<string> {
    const response = await this.api("/api/rehearsals", { body });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`start answered ${response.status}: ${text}`);
    return (JSON.parse(text) as { runId: string }).runId;
  }

  async status(runId: string): Promise<{ status: string; planned: number; finished: number }> {
    const response = await this.api(`/api/rehearsals/${runId}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`status answered ${response.status}: ${text}`);
    return JSON.parse(text) as { status: string; planned: number; finished: number };
  }

  async resultsText(runId: string): Promise<string> {
    const response = await this.api(`/api/rehearsals/${runId}/results`);
    const text = await response.text();
    if (!response.ok) throw new Error(`results answered ${response.status}: ${text}`);
    return text;
  }

  async results(runId: string): Promise<Results> {
    const read = readResults(await this.resultsText(runId));
    if (!read.ok) throw new Error(`results.json is refused: ${read.message}`);
    return read.results;
  }

  /** Every event after `after`, read to the stream's end; follows again when the connection breaks. */
  async events(runId: string, after = 0): Promise<SeenEvent[]> {
    const seen: SeenEvent[] = [];
    for (let broken = 0; broken < 100; broken += 1) {
      const last = seen.at(-1)?.id ?? after;
      try {
        const response = await this.api(`/api/rehearsals/${runId}/events`, {
          headers: last === 0 ? {} : { "last-event-id": String(last) },
        });
        if (!response.ok) throw new Error(`events answered ${response.status}: ${await response.text()}`);
        const reader = new SseReader();
        for await (const chunk of response.body ?? []) seen.push(...reader.feed(chunk));
        if (seen.at(-1)?.event.type === "ended" || after > 0) return seen;
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        await sleep(100);
      }
    }
    throw new Error(`the events of ${runId} never ended`);
  }

  /** Waits for a rehearsal's end and returns its results. */
  async ended(runId: string): Promise<Results> {
    await this.events(runId);
    return this.results(runId);
  }

  private async runtime(): Promise<number> {
    const text = await readFile(path.join(this.stateDir, "engine.lock"), "utf8");
    const { runtimes } = JSON.parse(text) as { runtimes: { pid: number }[] };
    const pid = runtimes[0]?.pid;
    if (pid === undefined) throw new Error("the engine notes no runtime");
    return pid;
  }
}

/** Reads server-sent events from bytes cut anywhere; an event counts once its empty line is there. */
export class SseReader {
  private readonly decoder = new TextDecoder();
  private rest = "";

  feed(bytes: Uint8Array): SeenEvent[] {
    this.rest += this.decoder.decode(bytes, { stream: true });
    const blocks = this.rest.split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      const id = /^id: (\d+)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (id === undefined || data === undefined) return [];
      return [{ id: Number(id), event: JSON.parse(data) as RehearsalEvent }];
    });
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves once `check` says so; throws after `ms`. */
export async function until(check: () => boolean | Promise<boolean>, ms: number): Promise<void> {
  const end = Date.now() + ms;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`not reached within ${ms} ms`);
    await sleep(20);
  }
}
