import { addUsage, noUsage } from "../../agents/runtime/usage.ts";
import { type ModelEnv, modelEnv } from "../../models/model-env.ts";
import { ModelConfigError } from "../../models/model-error.ts";
import { resolveModel } from "../../models/resolve-model.ts";
import { TableError } from "../../table/backend/table-error.ts";
import type { TableBrain } from "../../table/brains/brain.ts";
import { embeddedBrain } from "../../table/brains/embedded/index.ts";
import { providerBrain } from "../../table/brains/provider.ts";
import type { TurnUsage } from "../../turn/index.ts";
import { modelComplete } from "./model-complete.ts";

/** What answers turns, and its name for `x-greenroom-model`. */
export interface ChosenBrain {
  brain: TableBrain;
  id: string;
  /** What its model has cost so far. */
  usage(): TurnUsage;
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
    let usage = noUsage;
    const complete = modelComplete(model, (more) => {
      usage = addUsage(usage, more);
    });
    return { brain: providerBrain(complete), id, usage: () => usage };
  } catch (error) {
    if (!(error instanceof ModelConfigError)) throw error;
    if (error.problem === "missing" && !isAsked(variables)) {
      return { brain: embeddedBrain(), id: "embedded", usage: () => noUsage };
    }
    throw new TableError(503, `${error.message}.`, error);
  }
}

function isAsked({ AGENT_PROVIDER, AGENT_MODEL }: ModelEnv): boolean {
  return AGENT_PROVIDER !== undefined || AGENT_MODEL !== undefined;
}
