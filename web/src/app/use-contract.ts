import { callJson } from "../api/client.ts";
import { useResource } from "../api/use-resource.ts";

interface Contract {
  version: string;
  capabilities: string[];
  wires: string[];
}

/** What this Worker can do; null until it has said so. */
export function useContract(): Contract | null {
  return useResource("contract", (signal) => callJson<Contract>("/api/contract", { signal })).data;
}
