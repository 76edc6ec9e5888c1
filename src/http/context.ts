import type { Config, ConfigProblem } from "../config.ts";
import type { Env } from "../env.ts";
import type { OutboundPolicy } from "./guard-url.ts";

/** What a handler gets. One per request; nothing in it outlives the reply. */
export interface Context {
  request: Request;
  env: Env;
  ctx: ExecutionContext;
  config: Config;
  /** Empty wherever a handler relies on the configuration: a call is refused before it gets there. */
  configProblems: ConfigProblem[];
  /** Sent back as `x-request-id` and written in every log line about this request. */
  requestId: string;
  url: URL;
  /** Whether this Worker is being reached on a loopback host, so that what is only for a developer's machine is allowed. */
  loopback: boolean;
  /** What an outbound request to an address the caller gave may reach. */
  outbound: OutboundPolicy;
  /** Path parameters, URL-decoded. Own properties only. */
  params: { readonly [name: string]: string };
}

/** The context of a route that asks for a credential. */
export interface OwnedContext extends Context {
  /** Who is calling: the first 32 hex digits of the SHA-256 of the credential. What is stored belongs to an owner. */
  owner: string;
}

/**
 * The path parameter `name`, URL-decoded and not empty. Throws a plain error, a fault of ours, when the route's path
 * does not declare it.
 */
export function param(context: Context, name: string): string {
  const value = context.params[name];
  if (value === undefined) throw new Error(`the route has no path parameter "${name}"`);
  return value;
}
