import * as z from "zod";
import type { Route } from "../http/route.ts";

/** Whether the process answers at all; probes nothing, so that a slow database never gets it restarted. */
export const live: Route = {
  access: "open",
  always: true,
  summary: "Tell that the Worker runs",
  responses: { 200: { description: "It runs.", schema: z.object({ status: z.literal("ok") }) } },
  handle: () => Response.json({ status: "ok" }),
};
