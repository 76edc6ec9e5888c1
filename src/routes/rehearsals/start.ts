import * as z from "zod";
import type { OwnedContext } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import { guardUrl } from "../../http/guard-url.ts";
import { readJson } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { modelEnv } from "../../models/model-env.ts";
import { ModelConfigError } from "../../models/model-error.ts";
import { resolveModel } from "../../models/resolve-model.ts";
import type { Domain, Task } from "../../sandtable/domain/types.ts";
import { planRehearsal } from "../../sandtable/rehearsal/plan-rehearsal.ts";
import { newRunId } from "../../sandtable/rehearsal/run-id.ts";
import { type StartRequest, startRequestSchema } from "../../sandtable/rehearsal/start-request.ts";
import { headerProblem } from "../../sandtable/trial/agent-headers.ts";
import type { PlantedRow } from "../../sandtable/trial/plan.ts";
import { plantingChunks } from "../../sandtable/trial/planting.ts";
import { inDatabase } from "../../store/in-database.ts";
import { rehearsalObject } from "../../store/objects.ts";
import { domainOf } from "./domain-of.ts";

export const startRehearsal: Route = {
  access: "credential",
  summary: "Start a rehearsal.",
  description:
    "Plays every selected task against the agent. The rehearsal goes on by itself; watch it, or ask for it.",
  capability: "rehearsals.start",
  request: startRequestSchema,
  responses: {
    201: {
      description: "The rehearsal has begun.",
      schema: z.object({ runId: z.string(), planned: z.int(), status: z.literal("running") }),
    },
  },
  async handle(context) {
    const asked = await readJson(context, startRequestSchema, { limit: "AGENT_MAX_DOMAIN" });
    const domain = domainOf(asked.domain);
    refuseAgent(asked.agent, context);
    const now = new Date();
    const runId = newRunId(now, Math.random);
    const { owner, outbound } = context;
    const planned = await planRehearsal(domain, asked, {
      runId,
      owner,
      outbound,
      startedAt: now.toISOString(),
    });
    if (!planned.ok) throw new HttpError("invalid_request", planned.message);
    const { spec } = planned;
    refuseMissingModels(spec.tasks, context);
    const rehearsal = rehearsalObject(context.env, owner, runId);
    let chunk = 0;
    for (const body of plantingChunks(baseRows(domain))) {
      await rehearsal.putWorldChunk(chunk, body);
      chunk += 1;
    }
    const count = await inDatabase(rehearsal.start(JSON.stringify(spec)));
    return Response.json({ runId, planned: count, status: "running" }, { status: 201 });
  },
};

function* baseRows(domain: Domain): Iterable<PlantedRow> {
  for (const table of domain.tables) {
    for (const row of table.rows) yield [table.name, String(row[table.key]), row];
  }
}

function refuseAgent(agent: StartRequest["agent"], context: OwnedContext): void {
  if (agent.kind !== "http") return;
  const refused = guardUrl(agent.url, context.outbound);
  if (refused !== null) throw new HttpError("url_refused", `The agent's address ${agent.url} ${refused}.`);
  for (const [name, value] of Object.entries(agent.headers)) {
    const problem = headerProblem(name, value);
    if (problem !== null)
      throw new HttpError(
        "invalid_request",
        `The agent's header ${JSON.stringify(name.slice(0, 100))} ${problem}.`,
      );
  }
}

/** A caller's model that is not configured is said before anything runs, rather than by every trial. */
function refuseMissingModels(tasks: Task[], context: OwnedContext): void {
  const env = modelEnv({ ...context.env });
  for (const { id, caller } of tasks) {
    if (caller.kind !== "model") continue;
    try {
      resolveModel(caller.model, env, fetch);
    } catch (error) {
      if (!(error instanceof ModelConfigError)) throw error;
      throw new HttpError(
        "invalid_request",
        `The caller of task ${id} is played by a model: ${error.message}.`,
      );
    }
  }
}
