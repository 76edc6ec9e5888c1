/** `adapttable.agent.v1` for anyone: the wire's parsers and limits, the client, and the table's session. */
export type { AskReader, ReaderAnswer } from "./client/ask-reader.ts";
export {
  type AgentHttpClient,
  type AgentHttpClientOptions,
  createAgentHttpClient,
  type SendOptions,
} from "./client/client.ts";
export { AgentError, AgentHttpError, AgentStreamError, AgentTurnError } from "./client/errors.ts";
export type * from "./client/session-port.ts";
export type { CallSubject, TurnReport, Unresolved } from "./client/turn-report.ts";
export type * from "./protocol/contract.ts";
export { AGENT_HTTP_LIMITS } from "./protocol/limits.ts";
export type * from "./protocol/messages.ts";
export { parseAgentHttpRequest } from "./protocol/parse-request.ts";
export { parseAgentHttpResponse } from "./protocol/parse-response.ts";
