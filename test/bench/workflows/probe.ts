import { createServer } from "node:http";
import { performance } from "node:perf_hooks";

/** The service that steps call: it notes when each step of each run got through. */
export interface Probe {
  url: string;
  /** When the step of a run called, by this process's clock, ms. Throws when it does not within twenty seconds. */
  called(run: string, step: "first" | "resumed"): Promise<number>;
  close(): void;
}

const patienceMs = 20_000;

/** Starts it on a free loopback port. */
export async function startProbe(): Promise<Probe> {
  const calls = new Map<string, PromiseWithResolvers<number>>();
  const callOf = (key: string) => {
    const known = calls.get(key);
    if (known !== undefined) return known;
    const made = Promise.withResolvers<number>();
    calls.set(key, made);
    return made;
  };
  const server = createServer((request, response) => {
    callOf(request.url ?? "").resolve(performance.now());
    response.end("noted");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the probe has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async called(run, step) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${run}: the step "${step}" did not come`)), patienceMs);
      });
      try {
        return await Promise.race([callOf(`/${run}/${step}`).promise, late]);
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
