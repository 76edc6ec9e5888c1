import * as z from "zod";
import type { Route } from "../../http/route.ts";
import type { Message } from "../../turn/index.ts";
import { approvalOf } from "./find.ts";
import { approvalSchema } from "./schemas.ts";

/** Enough to see what led to the call. */
const shownMessages = 20;

export const getApproval: Route = {
  access: "credential",
  summary: "Show an approval with what led to it.",
  capability: "approvals.get",
  responses: {
    200: {
      description: "The approval, and the newest messages of its session.",
      schema: approvalSchema.extend({
        history: z.array(z.looseObject({ role: z.string(), id: z.string() })),
      }),
    },
  },
  async handle(context) {
    const { approval, object } = await approvalOf(context);
    const history = JSON.parse(await object.newestMessages(shownMessages)) as Message[];
    return Response.json({ ...approval, history });
  },
};
