import type { Route } from "../../http/route.ts";
import type { Message } from "../../turn/index.ts";
import { getRun } from "../../workflows/runtime/service.ts";
import { approvalOf } from "./find.ts";
import { approvalDetail } from "./schemas.ts";
import { shown } from "./shown.ts";

/** Enough to see what led to the call. */
const shownMessages = 20;

export const getApproval: Route = {
  access: "credential",
  summary: "Show an approval with what led to it.",
  capability: "approvals.get",
  responses: {
    200: {
      description:
        "The approval: a call's with the newest messages of its session, a workflow's with its run.",
      schema: approvalDetail,
    },
  },
  async handle(context) {
    const { item, objectId } = await approvalOf(context);
    if (item.kind === "workflow")
      return Response.json({ ...item, run: await getRun(context.env, context.owner, item.runId) });
    const { SESSION } = context.env;
    const session = SESSION.get(SESSION.idFromString(objectId));
    const history = JSON.parse(await session.newestMessages(shownMessages)) as Message[];
    return Response.json({ ...shown(item), history });
  },
};
