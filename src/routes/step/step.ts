import { param } from "../../http/context.ts";
import { type ErrorCode, HttpError } from "../../http/errors.ts";
import { readJson } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import type { TurnFailure, TurnFailureCode } from "../../turn/index.ts";
import { answerStep } from "../../wires/step/answer-step.ts";
import { stepRequestSchema, stepResponseSchema } from "../../wires/step/schema.ts";

/** The agent that answers `POST /step`. */
const defaultStepAgent = "freight";

/** The step wire of an agent: the one the path names, or the default one. */
export function stepRoute(named: boolean): Route {
  return {
    access: "credential",
    // Runners of the protocol send no headers of their own.
    loopbackWithout: true,
    summary: named ? "Answer a step as the named agent." : "Answer a step as the freight agent.",
    description:
      "The agent side of sandtable's step protocol, so that any runner of it can rehearse the agent.",
    ...(named ? { capability: "step.answer" } : {}),
    wire: "step",
    request: stepRequestSchema,
    responses: { 200: { description: "A reply, or tool calls for the runner.", schema: stepResponseSchema } },
    async handle(context) {
      const body = await readJson(context, stepRequestSchema);
      const answered = await answerStep(context, named ? param(context, "name") : defaultStepAgent, body);
      if (answered.ok) return Response.json(answered.answer);
      throw failed(answered.failure);
    },
  };
}

function failed({ code, message, retryable }: TurnFailure): HttpError {
  const headers: { [name: string]: string } = retryable ? {} : { "x-should-retry": "false" };
  return new HttpError(httpCodes[code] ?? "unavailable", message, { details: { failure: code }, headers });
}

const httpCodes: Partial<Record<TurnFailureCode, ErrorCode>> = {
  unknown_agent: "not_found",
  invalid_messages: "invalid_request",
  approval_pending: "conflict",
  turn_in_progress: "conflict",
};
