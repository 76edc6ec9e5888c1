import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { AgentNews, AgentOrder, AgentStats, Gap } from "./agent-protocol.ts";

export interface BenchAgent {
  url: string;
  pid: number;
  /** Sets how it answers from now on, and its counters back. */
  mode(order: Omit<Extract<AgentOrder, { type: "mode" }>, "type">): Promise<void>;
  /** What it counted since the last `mode`. */
  stats(): Promise<{ stats: AgentStats; recorded: string[]; gaps: Gap[] }>;
  close(): void;
}

/** Starts the agent in a process of its own, which ends with this one. */
export async function startAgent(): Promise<BenchAgent> {
  const child = fork(fileURLToPath(new URL("./agent.ts", import.meta.url)), [], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const news = <T extends AgentNews["type"]>(type: T) =>
    new Promise<Extract<AgentNews, { type: T }>>((resolve, reject) => {
      const lost = () => reject(new Error("the agent's process ended"));
      child.once("exit", lost);
      child.once("message", (message: AgentNews) => {
        child.off("exit", lost);
        if (message.type !== type) return reject(new Error(`the agent said ${message.type}`));
        resolve(message as Extract<AgentNews, { type: T }>);
      });
    });
  const { url } = await news("ready");
  return {
    url,
    pid: child.pid ?? 0,
    async mode(order) {
      const done = news("done");
      child.send({ type: "mode", ...order } satisfies AgentOrder);
      await done;
    },
    async stats() {
      const told = news("stats");
      child.send({ type: "stats" } satisfies AgentOrder);
      return told;
    },
    close: () => void child.disconnect(),
  };
}
