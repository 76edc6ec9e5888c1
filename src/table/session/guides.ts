import type { DescribeAnswer, DescribeRequest, Guide } from "../client/session-port.ts";
import { AGENT_HTTP_LIMITS, schemaVersion } from "../protocol/limits.ts";
import { offeredBy } from "./capabilities/catalogue.ts";
import type { CapabilityDefinition } from "./capability.ts";
import type { LiveTable } from "./live-table.ts";

/**
 * Guides in the order they matter: the keys asked for, the members of the bundle, then what these depend on. What is
 * past `AGENT_HTTP_LIMITS.maxGuides` is deferred; what is not offered, or no bundle, is unavailable.
 */
export function describe(table: LiveTable, request: DescribeRequest): DescribeAnswer {
  const offered = new Map(offeredBy(table).map((definition) => [definition.key, definition]));
  const wanted = new Set<string>();
  const unavailable = new Set<string>();
  for (const key of request.keys ?? []) (offered.has(key) ? wanted : unavailable).add(key);
  const members = [...offered.values()].filter(({ families }) =>
    families?.some((family) => family === request.bundle),
  );
  for (const { key } of members) wanted.add(key);
  if (request.bundle !== undefined && members.length === 0) unavailable.add(request.bundle);
  // A set walks over what is added while it is walked: breadth first, each once.
  for (const key of wanted) {
    for (const other of offered.get(key)?.dependsOn ?? []) if (offered.has(other)) wanted.add(other);
  }
  const keys = [...wanted];
  const deferred = keys.slice(AGENT_HTTP_LIMITS.maxGuides);
  const guides = keys.slice(0, AGENT_HTTP_LIMITS.maxGuides).flatMap((key) => {
    const definition = offered.get(key);
    return definition === undefined ? [] : [guideOf(definition, table)];
  });
  return {
    guides,
    unavailable: [...unavailable],
    ...(deferred.length === 0 ? {} : { deferred }),
  };
}

function guideOf(definition: CapabilityDefinition, table: LiveTable): Guide {
  return {
    schemaVersion,
    key: definition.key,
    guide: definition.guide(table),
    short: definition.summaryShort,
    input: definition.input(table, true),
    output: definition.output,
  };
}
