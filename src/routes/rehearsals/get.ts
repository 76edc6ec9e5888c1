import { HttpError } from "../../http/errors.ts";
import type { Route } from "../../http/route.ts";
import { rehearsalOf } from "./find.ts";
import { rehearsalStatusSchema } from "./schemas.ts";

export const getRehearsal: Route = {
  access: "credential",
  summary: "Say where a rehearsal stands.",
  capability: "rehearsals.get",
  responses: { 200: { description: "Its status and the summary so far.", schema: rehearsalStatusSchema } },
  async handle(context) {
    const { row, object } = await rehearsalOf(context);
    const status = await object.status();
    if (status === null)
      throw new HttpError("not_found", `Nothing is left of the rehearsal "${row.runId}" but its results.`);
    return Response.json(status);
  },
};
