import * as z from "zod";
import type { Route } from "../../http/route.ts";
import { rehearsalOf } from "./find.ts";

export const cancelRehearsal: Route = {
  access: "credential",
  summary: "Cancel a rehearsal.",
  description:
    "No further trial begins; those under way end as cancelled and finished ones stay. Cancelling an ended rehearsal changes nothing.",
  capability: "rehearsals.cancel",
  responses: {
    202: { description: "It is being cancelled, or has ended.", schema: z.object({ runId: z.string() }) },
  },
  async handle(context) {
    const { row, object } = await rehearsalOf(context);
    await object.cancel();
    return Response.json({ runId: row.runId }, { status: 202 });
  },
};
