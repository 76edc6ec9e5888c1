import * as z from "zod";
import type { Route, RouteEntry } from "../http/route.ts";
import { version } from "../version.ts";

/** Raised when a reply changes its meaning; `minSupported` when an older client would misread one. */
const contractVersions = { version: 1, minSupported: 1 };

const Contract = z.object({
  name: z.literal("greenroom"),
  version: z.string().describe("Version of the software"),
  contract: z.object({ version: z.int(), minSupported: z.int() }),
  capabilities: z.array(z.string()).describe("What this Worker can do, as `area.action`"),
  wires: z.array(z.string()).describe("Client protocols it speaks"),
});

/** The handshake: what this Worker is and can do, read off the routes it has. */
export function contract(routes: () => RouteEntry[]): Route {
  return {
    access: "open",
    summary: "Tell what this Worker is and can do",
    responses: { 200: { description: "The handshake.", schema: Contract } },
    handle: () => {
      const listed = routes().map(({ route }) => route);
      return Response.json({
        name: "greenroom",
        version,
        contract: contractVersions,
        capabilities: sorted(listed.map(({ capability }) => capability)),
        wires: sorted(listed.map(({ wire }) => wire)),
      } satisfies z.infer<typeof Contract>);
    },
  };
}

function sorted(names: (string | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}
