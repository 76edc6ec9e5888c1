/** `adapttable.agent.v1` for anyone: the wire's parsers and limits, the client, and the table's session. */
export type * from "./protocol/contract.ts";
export { AGENT_HTTP_LIMITS } from "./protocol/limits.ts";
export type * from "./protocol/messages.ts";
export { parseAgentHttpRequest } from "./protocol/parse-request.ts";
export { parseAgentHttpResponse } from "./protocol/parse-response.ts";
