import { type ModelEnv, modelEnv } from "../../models/model-env.ts";
import { ModelConfigError } from "../../models/model-error.ts";
import { resolveModel } from "../../models/resolve-model.ts";
import { TableError } from "../../table/backend/table-error.ts";
import type { TableBrain } from "../../table/brains/brain.ts";
import { embeddedBrain } from "../../table/brains/embedded/index.ts";
import { providerBrain } from "../../table/brains/provider.ts";
import { modelComplete } from "./model-complete.ts";

/** What answers turns, and its name for `x-greenroom-model`. */
export interface ChosenBrain {
  brain: TableBrain;
  id: string;
}

/**
 * The brain that the deployment's variables ask for: a provider's model, or without any of them the embedded one.
 * Throws `TableError` 503, which names the variable to set, when what is set cannot be used: whoever names a provider
 * does not want another answer than its.
 */
export function chooseBrain(
  env: Readonly<Record<string, unknown>>,
  fetch: typeof globalThis.fetch,
): ChosenBrain {
  const variables = modelEnv(env);
  try {
    const { model, id } = resolveModel(undefined, variables, fetch);
    return { brain: providerBrain(modelComplete(model)), id };
  } catch (error) {
    if (!(error instanceof ModelConfigError)) throw error;
    if (error.problem === "missing" && !isAsked(variables)) return { brain: embeddedBrain(), id: "embedded" };
    throw new TableError(503, `${error.message}.`, error);
  }
}

function isAsked({ AGENT_PROVIDER, AGENT_MODEL }: ModelEnv): boolean {
  return AGENT_PROVIDER !== undefined || AGENT_MODEL !== undefined;
}
