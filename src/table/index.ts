/** `adapttable.agent.v1` for anyone: the wire, the client, the table's session, and a backend in the same process. */
export { type AgentSystemPromptInput, agentSystemPrompt } from "./backend/agent-system-prompt.ts";
export { localBackend } from "./backend/local.ts";
export type * from "./brains/brain.ts";
export { embeddedBrain } from "./brains/embedded/index.ts";
export { type Complete, type CompleteAsk, providerBrain } from "./brains/provider.ts";
export type { AskReader, ReaderAnswer } from "./client/ask-reader.ts";
export {
  type AgentHttpClient,
  type AgentHttpClientOptions,
  createAgentHttpClient,
  type SendOptions,
} from "./client/client.ts";
export { AgentError, AgentHttpError, AgentStreamError, AgentTurnError } from "./client/errors.ts";
export type { HeaderList } from "./client/exchange.ts";
export type * from "./client/session-port.ts";
export type { CallSubject, TurnReport, Unresolved } from "./client/turn-report.ts";
export type { LanguageMemory } from "./client/voice/language.ts";
export type { Recognizer, RecognizerEvents } from "./client/voice/recognizer.ts";
export { type Recorder, RecorderError, type Recording } from "./client/voice/recorder.ts";
export {
  type BackendVoiceOptions,
  type BrowserVoiceOptions,
  createVoice,
  type Voice,
  type VoiceState,
  type VoiceStatus,
} from "./client/voice/voice.ts";
export { agentInstructions } from "./protocol/agent-instructions.ts";
export type * from "./protocol/contract.ts";
export { AGENT_HTTP_LIMITS } from "./protocol/limits.ts";
export type * from "./protocol/messages.ts";
export { parseAgentHttpRequest } from "./protocol/parse-request.ts";
export { parseAgentHttpResponse } from "./protocol/parse-response.ts";
export * from "./session/index.ts";
