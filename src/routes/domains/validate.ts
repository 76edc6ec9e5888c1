import * as z from "zod";
import { readJson } from "../../http/read-json.ts";
import type { Route } from "../../http/route.ts";
import { loadDomain } from "../../sandtable/domain/load.ts";
import { filesSchema } from "../../sandtable/rehearsal/start-request.ts";
import { lintDomain } from "../../sandtable/verdict/lint.ts";

const request = z.strictObject({ files: filesSchema });

export const validateDomain: Route = {
  access: "credential",
  summary: "Check a domain.",
  description: "Every mistake with its file and line; for a domain without mistakes, what lint finds.",
  capability: "domains.validate",
  request,
  responses: {
    200: {
      description: "What was found; `ok` says whether the domain can be rehearsed.",
      schema: z.object({
        ok: z.boolean(),
        problems: z.array(
          z.object({
            file: z.string(),
            line: z.int(),
            column: z.int(),
            message: z.string(),
            suggestion: z.string().optional(),
          }),
        ),
        findings: z.array(z.looseObject({ severity: z.enum(["error", "warning"]), message: z.string() })),
      }),
    },
  },
  async handle(context) {
    const { files } = await readJson(context, request, { limit: "AGENT_MAX_DOMAIN" });
    const loaded = loadDomain(files);
    return loaded.ok
      ? Response.json({ ok: true, problems: [], findings: lintDomain(loaded.domain) })
      : Response.json({ ok: false, problems: loaded.problems, findings: [] });
  },
};
