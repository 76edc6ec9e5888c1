import { del, type ErrorArea, get, post, type RouteEntry } from "./http/route.ts";
import { serve } from "./http/serve.ts";
import { tableRoute } from "./routes/adapttable/agent.ts";
import { getAgent } from "./routes/agents/get.ts";
import { listAgents } from "./routes/agents/list.ts";
import { getAguiCapabilities } from "./routes/agui/capabilities.ts";
import { runAguiAgent } from "./routes/agui/run.ts";
import { replayAguiThread } from "./routes/agui/thread-events.ts";
import { countTokens } from "./routes/anthropic/count-tokens.ts";
import { createMessage } from "./routes/anthropic/messages.ts";
import { getAnthropicModel, listAnthropicModels } from "./routes/anthropic/models.ts";
import { approve, reject } from "./routes/approvals/decide.ts";
import { getApproval } from "./routes/approvals/get.ts";
import { listInbox } from "./routes/approvals/list.ts";
import { contract } from "./routes/contract.ts";
import { listDomains } from "./routes/domains/list.ts";
import { validateDomain } from "./routes/domains/validate.ts";
import { health } from "./routes/health.ts";
import { live } from "./routes/live.ts";
import { createChatCompletion } from "./routes/openai/chat-completions.ts";
import { getOpenaiModel, listOpenaiModels } from "./routes/openai/models.ts";
import { openapi } from "./routes/openapi.ts";
import { cancelRehearsal } from "./routes/rehearsals/cancel.ts";
import { watchRehearsal } from "./routes/rehearsals/events.ts";
import { getRehearsal } from "./routes/rehearsals/get.ts";
import { listAllRehearsals } from "./routes/rehearsals/list.ts";
import { getReport } from "./routes/rehearsals/report.ts";
import { getResults } from "./routes/rehearsals/results.ts";
import { startRehearsal } from "./routes/rehearsals/start.ts";
import { cancelOneRun } from "./routes/runs/cancel.ts";
import { watchWorkflowRun } from "./routes/runs/events.ts";
import { getOneRun } from "./routes/runs/get.ts";
import { listAllRuns } from "./routes/runs/list.ts";
import { retryWorkflowRun } from "./routes/runs/retry.ts";
import { cancelSessionTurn, deleteSession, getSession } from "./routes/sessions/session.ts";
import { stepRoute } from "./routes/step/step.ts";
import { chatWithWorkflow } from "./routes/workflows/chat.ts";
import { listWorkflows } from "./routes/workflows/list.ts";
import { resumeWorkflowHook } from "./routes/workflows/resume-hook.ts";
import { getWorkflowSchema } from "./routes/workflows/schema.ts";
import { startWorkflow } from "./routes/workflows/start.ts";
import { adapttableError } from "./wires/adapttable/errors.ts";
import { aguiError } from "./wires/agui/errors.ts";
import { anthropicError } from "./wires/anthropic/errors.ts";
import { openaiError } from "./wires/openai/errors.ts";

/** Everything the Worker answers itself. The first line that matches answers; all else is a static file. */
export const routes: RouteEntry[] = [
  get("/live", live),
  get("/health", health),
  get("/api/contract", contract(listed)),
  get("/openapi.json", openapi(listed)),
  post("/openai/v1/chat/completions", createChatCompletion),
  get("/openai/v1/models", listOpenaiModels),
  get("/openai/v1/models/:id", getOpenaiModel),
  post("/anthropic/v1/messages", createMessage),
  post("/anthropic/v1/messages/count_tokens", countTokens),
  get("/anthropic/v1/models", listAnthropicModels),
  get("/anthropic/v1/models/:id", getAnthropicModel),
  post("/agui/v1/agents/:name", runAguiAgent),
  get("/agui/v1/agents/:name/capabilities", getAguiCapabilities),
  get("/agui/v1/agents/:name/threads/:threadId/events", replayAguiThread),
  post("/agent", tableRoute(false)),
  post("/adapttable/v1/agents/:name", tableRoute(true)),
  post("/step", stepRoute(false)),
  post("/sandtable/v1/agents/:name/step", stepRoute(true)),
  get("/api/agents", listAgents),
  get("/api/agents/:name", getAgent),
  get("/api/runs", listAllRuns),
  get("/api/runs/:id", getOneRun),
  post("/api/runs/:id/cancel", cancelOneRun),
  get("/api/runs/:id/events", watchWorkflowRun),
  post("/api/runs/:id/retry", retryWorkflowRun),
  get("/api/workflows", listWorkflows),
  post("/api/workflows/hooks/:token/resume", resumeWorkflowHook),
  get("/api/workflows/:name/schema", getWorkflowSchema),
  post("/api/workflows/:name/start", startWorkflow),
  post("/api/workflows/:name/chat", chatWithWorkflow),
  get("/api/approvals", listInbox),
  get("/api/approvals/:id", getApproval),
  post("/api/approvals/:id/approve", approve),
  post("/api/approvals/:id/reject", reject),
  get("/api/sessions/:agent/:key", getSession),
  del("/api/sessions/:agent/:key", deleteSession),
  post("/api/sessions/:agent/:key/cancel", cancelSessionTurn),
  get("/api/domains", listDomains),
  post("/api/domains/validate", validateDomain),
  post("/api/rehearsals", startRehearsal),
  get("/api/rehearsals", listAllRehearsals),
  get("/api/rehearsals/:runId", getRehearsal),
  get("/api/rehearsals/:runId/events", watchRehearsal),
  get("/api/rehearsals/:runId/results", getResults),
  get("/api/rehearsals/:runId/report", getReport),
  post("/api/rehearsals/:runId/cancel", cancelRehearsal),
];

/** Clients of a wire get its errors in its own shape, unknown addresses under its prefix included. */
const areas: ErrorArea[] = [
  { prefix: "/openai/", render: openaiError },
  { prefix: "/anthropic/", render: anthropicError },
  { prefix: "/agui/", render: aguiError },
  { prefix: "/adapttable/", render: adapttableError },
  { prefix: "/agent", render: adapttableError },
];

export const handle = serve(routes, areas);

function listed(): RouteEntry[] {
  return routes;
}
