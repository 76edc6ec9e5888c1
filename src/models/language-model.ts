import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/** The seam to every model: the AI SDK's provider interface, of which only `doStream` is used. */
export type LanguageModel = LanguageModelV4;

/** One thing a model streams. */
export type ModelPart = LanguageModelV4StreamPart;

/** Why an answer ended: `unified` is the same for every provider, `raw` is the provider's own word. */
export type FinishReason = LanguageModelV4FinishReason;

/** What a model is asked. Settings left out stay at the provider's default. */
export type ModelCall = Omit<LanguageModelV4CallOptions, "abortSignal" | "includeRawChunks">;

/** `openai/gpt-5-mini`: how errors name a model. */
export function modelLabel(model: LanguageModel): string {
  return `${model.provider.split(".")[0]}/${model.modelId}`;
}
