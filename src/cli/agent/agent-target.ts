import type { StepAgent } from "../../sandtable/http-agent.ts";

/** The agent that `--agent` names. */
export type AgentTarget =
  /** One that the Worker serves itself. */
  | { kind: "agent"; name: string }
  | { kind: "builtin"; name: string }
  | {
      kind: "http";
      url: string;
      headers: Record<string, string>;
      maxSteps?: number;
      /** File name of the module that described it. */
      module?: string;
    }
  | { kind: "function"; run: StepAgent; module: string };
