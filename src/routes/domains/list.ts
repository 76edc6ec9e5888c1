import * as z from "zod";
import type { Route } from "../../http/route.ts";
import { bundledDomains } from "../../sandtable/bundled.ts";
import { loadDomain } from "../../sandtable/domain/load.ts";

export const listDomains: Route = {
  access: "credential",
  summary: "List the domains that ship with Greenroom.",
  capability: "domains.list",
  responses: {
    200: {
      description: "Each can be named when a rehearsal is started.",
      schema: z.object({
        items: z.array(
          z.object({
            name: z.string(),
            description: z.string(),
            tasks: z.array(z.object({ id: z.string(), tags: z.array(z.string()), critical: z.boolean() })),
            rules: z.array(z.string()),
          }),
        ),
      }),
    },
  },
  handle() {
    const items = bundledDomains.map(({ name, files }) => {
      const loaded = loadDomain(files);
      if (!loaded.ok) throw new Error(`the bundled domain ${name} does not load`);
      const { description, tasks, rules } = loaded.domain;
      return {
        name,
        description,
        tasks: tasks.map(({ id, tags, critical }) => ({ id, tags, critical })),
        rules: rules.map(({ id }) => id),
      };
    });
    return Response.json({ items });
  },
};
