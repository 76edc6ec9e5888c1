import * as z from "zod";
import { type OwnedContext, param } from "../../http/context.ts";
import { HttpError } from "../../http/errors.ts";
import type { Route } from "../../http/route.ts";
import { inDatabase } from "../../store/in-database.ts";
import { sessionObject } from "../../store/objects.ts";

export const getSession: Route = {
  access: "credential",
  summary: "Show a session.",
  description: "Its messages, shared state and open interrupts, as every wire sees them.",
  capability: "sessions.get",
  responses: {
    200: {
      description: "The session as it stands.",
      schema: z.object({
        messages: z.array(z.looseObject({ role: z.string(), id: z.string() })),
        state: z.looseObject({}),
        interrupts: z.array(z.looseObject({ id: z.string(), callId: z.string() })),
        running: z.boolean(),
      }),
    },
  },
  async handle(context) {
    const response = await objectOf(context).fetch("https://session/");
    if (response.status === 404) throw notThere(context);
    return new Response(response.body, { headers: { "content-type": "application/json" } });
  },
};

export const deleteSession: Route = {
  access: "credential",
  summary: "Delete a session and everything of it.",
  description:
    "What it has in the inbox goes too. A turn under way is cancelled. A session that is not there is a 404.",
  capability: "sessions.delete",
  responses: { 204: { description: "It is gone." } },
  async handle(context) {
    if (!(await inDatabase(objectOf(context).remove()))) throw notThere(context);
    return new Response(null, { status: 204 });
  },
};

export const cancelSessionTurn: Route = {
  access: "credential",
  summary: "Cancel the turn that a session is in.",
  description:
    "For a client that knows its session rather than the run: the turn under way, or the one that waits for people, ends as cancelled. Nothing to cancel is no error.",
  capability: "sessions.cancel",
  responses: {
    200: {
      description: "No turn is under way any more.",
      schema: z.object({ cancelled: z.boolean().describe("Whether there was one.") }),
    },
  },
  async handle(context) {
    const cancelled = await inDatabase(objectOf(context).cancelTurn(null));
    if (cancelled === null) throw notThere(context);
    return Response.json({ cancelled });
  },
};

function objectOf(context: OwnedContext) {
  return sessionObject(context.env, context.owner, param(context, "agent"), param(context, "key"));
}

function notThere(context: OwnedContext): HttpError {
  return new HttpError(
    "not_found",
    `There is no session "${param(context, "key")}" of the agent "${param(context, "agent")}".`,
  );
}
