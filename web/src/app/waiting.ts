import { callJson } from "../api/client.ts";
import { useToken } from "../api/token.ts";
import { useResource } from "../api/use-resource.ts";

/** Pause between two looks while the page is in view, milliseconds. */
const everyMs = 10_000;
/** Most that are counted; more reads the same to a person. */
const most = 100;

/** How many approvals wait; 0 while that is not known. */
export function useWaiting(): number {
  const { needed } = useToken();
  const { data } = useResource(
    needed ? null : "waiting",
    (signal) => callJson<{ items: unknown[] }>(`/api/approvals?status=pending&limit=${most}`, { signal }),
    { everyMs },
  );
  return data?.items.length ?? 0;
}
