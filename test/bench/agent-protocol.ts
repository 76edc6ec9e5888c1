/** What the bench tells the agent's process. Each order sets the counters back. */
export type AgentOrder =
  | {
      type: "mode";
      /** `calls`: a tool call, then a reply, each turn. `talk`: replies only. `burst`: many calls in one answer. */
      mode: "calls" | "talk" | "burst";
      /** How long each answer is held back, ms. */
      delayMs: number;
      /** Whether the bodies of the requests are kept. */
      record: boolean;
      /** For `burst`: the answers of a turn, one after the other. */
      bursts?: Burst[];
    }
  | { type: "stats" };

/** An answer with many calls of one tool. */
export interface Burst {
  kind: string;
  /** Body of the answer, JSON. */
  answer: string;
}

/** From the moment the agent's answer was on its way to the arrival of the results. */
export interface Gap {
  kind: string;
  ms: number;
}

export interface AgentStats {
  requests: number;
  /** Characters of the requests' bodies. */
  bytes: number;
  /** From the head of a request to its answer handed to the system, summed, ms. */
  ownMs: number;
  /** CPU of the agent's process, ms. */
  cpuMs: number;
}

export type AgentNews =
  | { type: "ready"; url: string }
  | { type: "done" }
  | { type: "stats"; stats: AgentStats; recorded: string[]; gaps: Gap[] };
