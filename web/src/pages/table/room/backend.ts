import { localBackend } from "../../../../../src/table/backend/local.ts";
import { embeddedBrain } from "../../../../../src/table/brains/embedded/index.ts";
import { type AgentHttpClient, createAgentHttpClient } from "../../../../../src/table/client/client.ts";
import { currentToken } from "../../../api/token.ts";
import type { KeptBackend } from "./kept.ts";

/** Who answers: the interpreter in this page, or a backend that said hello. */
export type Backend = { kind: "simulated" } | { kind: "connected"; endpoint: string; greeting: string };

/** The Worker this page is from. */
export const ownEndpoint = `${location.origin}/agent`;

/** The embedded agent in this page: no request leaves it. */
export function simulatedClient(today: () => string): AgentHttpClient {
  return createAgentHttpClient({
    endpoint: "simulated:",
    stream: true,
    fetch: localBackend(embeddedBrain(), { today }),
  });
}

/** A client of another backend. The tab's own token goes to this page's own origin only. */
export function remoteClient({ endpoint, token }: KeptBackend): AgentHttpClient {
  const own = new URL(endpoint).origin === location.origin;
  return createAgentHttpClient({
    endpoint,
    stream: true,
    headers: (): Record<string, string> => {
      const presented = token === "" && own ? currentToken() : token;
      return presented === "" ? {} : { authorization: `Bearer ${presented}` };
    },
  });
}

/** Why an address cannot be a backend's; null when it can. */
export function endpointFault(endpoint: string): string | null {
  if (!URL.canParse(endpoint)) return "Give a whole address, such as https://your.example/agent.";
  const { protocol, hostname, origin } = new URL(endpoint);
  if (origin === location.origin || protocol === "https:") return null;
  if (protocol !== "http:") return "The address begins with https:// or http://.";
  return hostname === "127.0.0.1" || hostname === "localhost"
    ? null
    : "Without https, only this machine can be reached: http://127.0.0.1 or http://localhost.";
}
