import { modelLabel } from "../../models/language-model.ts";
import { modelEnv } from "../../models/model-env.ts";
import { ModelConfigError } from "../../models/model-error.ts";
import { resolveModel } from "../../models/resolve-model.ts";
import type { Timing } from "../../models/timing.ts";
import type { AgentFrame } from "./agent-frame.ts";
import { defaultScript } from "./default-script.ts";
import type { AnsweringModel } from "./run-turn.ts";
import { scriptedModel } from "./scripted-model.ts";
import { TurnFailedError } from "./turn-failed.ts";

/**
 * The model that answers in a frame: the agent's own object, else what its id or the deployment's variables name. Where
 * no key is set the agent's script answers. Throws TurnFailedError when what is set cannot be used.
 */
export function answeringModel(
  frame: Pick<AgentFrame, "model" | "script">,
  env: Record<string, unknown>,
  fetch: typeof globalThis.fetch,
  timing: Timing,
): AnsweringModel {
  const { model, script } = frame;
  if (model !== undefined && typeof model !== "string")
    return { model, id: modelLabel(model), scripted: false };
  try {
    return { ...resolveModel(model, modelEnv(env), fetch), scripted: false };
  } catch (error) {
    if (!(error instanceof ModelConfigError)) throw error;
    if (error.problem !== "missing") throw new TurnFailedError("model_not_configured", error.message);
    return { model: scriptedModel(script ?? defaultScript, timing), id: "scripted", scripted: true };
  }
}
