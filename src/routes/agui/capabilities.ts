import * as z from "zod";
import type { Route } from "../../http/route.ts";
import { capabilitiesOf } from "../../wires/agui/capabilities.ts";
import { agentOf } from "./find.ts";

export const getAguiCapabilities: Route = {
  access: "credential",
  summary: "Show what an agent can do.",
  description: "AG-UI's `AgentCapabilities`. What is left out depends on the model that answers.",
  capability: "agui.capabilities",
  responses: { 200: { description: "The agent's capabilities.", schema: z.looseObject({}) } },
  handle: (context) => Response.json(capabilitiesOf(agentOf(context))),
};
