import type { StepRequest, StepToolCall } from "./trial/step-protocol.ts";

/** An agent that runs as a service, as a module given to `--agent` describes it. */
export interface HttpAgent {
  kind: "http";
  /** Where it answers POST /step. */
  url: string;
  /** Sent with every step; they reach no result and no log. */
  headers: Record<string, string>;
  /** Rounds of tool calls in one turn; absent: what the command says. */
  maxSteps?: number;
}

export interface HttpAgentOptions {
  headers?: Record<string, string>;
  maxSteps?: number;
}

/** What an agent that is a function returns: `reply` ends the turn and wins over `tool_calls`. */
export interface StepReply {
  reply?: string;
  tool_calls?: StepToolCall[];
}

/** An agent as a function of one step, for modules that hold the agent itself. */
export type StepAgent = (request: StepRequest) => StepReply | Promise<StepReply>;

/**
 * Describes an HTTP agent that needs headers or another step budget than the command's. The default export of a module
 * for `greenroom run DIR --agent ./module.mjs`. Throws a `TypeError` for an address that is not http(s), a header no
 * request can carry, and a `maxSteps` that is not a whole number of at least 1.
 */
export function httpAgent(url: string | URL, options: HttpAgentOptions = {}): HttpAgent {
  const parsed = URL.canParse(String(url)) ? new URL(url) : null;
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    throw new TypeError(`httpAgent: ${JSON.stringify(String(url))} is not an http or https address`);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (typeof value !== "string") throw new TypeError(`httpAgent: header ${name} must be a string`);
    try {
      new Headers([[name, value]]);
    } catch {
      // The value is left out of the message: it is most likely a secret.
      throw new TypeError(`httpAgent: ${JSON.stringify(name)} is not a header a request can carry`);
    }
    headers[name] = value;
  }
  const { maxSteps } = options;
  if (maxSteps !== undefined && !(Number.isInteger(maxSteps) && maxSteps >= 1)) {
    throw new TypeError("httpAgent: maxSteps must be a whole number of at least 1");
  }
  return { kind: "http", url: String(url), headers, ...(maxSteps === undefined ? {} : { maxSteps }) };
}
