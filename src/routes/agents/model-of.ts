import type { DeepAgent } from "../../agents/authoring/deep-agent.ts";
import { modelLabel } from "../../models/language-model.ts";

/** `provider/model` an agent names itself; `null`: it takes the one the deployment configures. */
export function modelOf({ model }: DeepAgent): string | null {
  if (model === undefined) return null;
  return typeof model === "string" ? model : modelLabel(model);
}
