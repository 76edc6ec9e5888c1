import * as z from "zod";
import { param } from "../../http/context.ts";
import type { Route } from "../../http/route.ts";
import { workflowSchema } from "../../workflows/runtime/service.ts";
import { unknownWorkflow } from "./refusals.ts";

const half = z.looseObject({}).nullable();

export const getWorkflowSchema: Route = {
  access: "credential",
  summary: "Show what a workflow takes and gives.",
  capability: "workflows.schema",
  responses: {
    200: {
      description: "JSON Schema of each half; null where the workflow declares none.",
      schema: z.object({ schema: z.object({ input: half, output: half }) }),
    },
  },
  handle(context) {
    const name = param(context, "name");
    const schema = workflowSchema(name);
    if (schema === null) throw unknownWorkflow(name);
    return Response.json({ schema });
  },
};
