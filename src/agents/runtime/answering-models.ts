import { modelLabel } from "../../models/language-model.ts";
import { type ModelEnv, modelEnv } from "../../models/model-env.ts";
import { ModelConfigError } from "../../models/model-error.ts";
import { type ResolvedModel, resolveModel } from "../../models/resolve-model.ts";
import type { Timing } from "../../models/timing.ts";
import type { AgentFrame } from "./agent-frame.ts";
import { defaultScript } from "./default-script.ts";
import type { AnsweringModel } from "./run-turn.ts";
import { scriptedModel } from "./scripted-model.ts";
import { TurnFailedError } from "./turn-failed.ts";

/**
 * The models that answer under one environment. Each is made once, when it is first asked for: to make one takes a
 * provider's package about as long as to read a short answer.
 */
export class AnsweringModels {
  private readonly env: ModelEnv;
  private readonly fetch: typeof globalThis.fetch;
  private readonly timing: Timing;
  private readonly resolved = new Map<string | undefined, ResolvedModel>();

  constructor(env: Readonly<Record<string, unknown>>, fetch: typeof globalThis.fetch, timing: Timing) {
    this.env = modelEnv(env);
    this.fetch = fetch;
    this.timing = timing;
  }

  /**
   * The model that answers in a frame: the agent's own object, else what its id or the deployment's variables name.
   * Where no key is set the agent's script answers. Throws TurnFailedError when what is set cannot be used.
   */
  of({ model, script }: Pick<AgentFrame, "model" | "script">): AnsweringModel {
    if (model !== undefined && typeof model !== "string")
      return { model, id: modelLabel(model), scripted: false };
    try {
      const resolved = this.resolved.get(model) ?? resolveModel(model, this.env, this.fetch);
      this.resolved.set(model, resolved);
      return { ...resolved, scripted: false };
    } catch (error) {
      if (!(error instanceof ModelConfigError)) throw error;
      if (error.problem !== "missing") throw new TurnFailedError("model_not_configured", error.message);
      return { model: scriptedModel(script ?? defaultScript, this.timing), id: "scripted", scripted: true };
    }
  }
}
