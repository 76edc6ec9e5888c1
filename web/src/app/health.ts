import { errorOf, OfflineError } from "../api/errors.ts";
import { type Resource, useResource } from "../api/use-resource.ts";

/** Pause between two looks while the page is in view, milliseconds. */
const everyMs = 20_000;

interface Check {
  ok: boolean;
  ms?: number;
  error?: string;
}

export interface Health {
  status: "ok" | "failing";
  checks: Record<string, Check>;
}

/** What /health says: of 200 and of 503 alike. */
async function readHealth(signal: AbortSignal): Promise<Health> {
  const response = await fetch("/health", { cache: "no-store", signal }).catch((error: unknown) => {
    throw signal.aborted ? error : new OfflineError(error);
  });
  if (response.status !== 200 && response.status !== 503) throw await errorOf(response);
  return (await response.json()) as Health;
}

/** The Worker's health, looked at again and again. */
export function useHealth(): Resource<Health> {
  return useResource("health", readHealth, { everyMs });
}
