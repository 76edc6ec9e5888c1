import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ModelNews, ModelOrder } from "./model-protocol.ts";

export interface BenchModel {
  /** Origin; Chat Completions are below `/v1`. */
  url: string;
  /** What it did since it was asked last. */
  stats(): Promise<{ answers: number; cpuMs: number }>;
  close(): void;
}

/** Starts the model in a process of its own, which ends with this one. */
export async function startModel(): Promise<BenchModel> {
  const child = fork(fileURLToPath(new URL("./model.ts", import.meta.url)), [], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const news = <T extends ModelNews["type"]>(type: T) =>
    new Promise<Extract<ModelNews, { type: T }>>((resolve, reject) => {
      const lost = () => reject(new Error("the model's process ended"));
      child.once("exit", lost);
      child.once("message", (message: ModelNews) => {
        child.off("exit", lost);
        if (message.type !== type) return reject(new Error(`the model said ${message.type}`));
        resolve(message as Extract<ModelNews, { type: T }>);
      });
    });
  const { url } = await news("ready");
  return {
    url,
    stats() {
      const told = news("stats");
      child.send({ type: "stats" } satisfies ModelOrder);
      return told;
    },
    close: () => void child.disconnect(),
  };
}
