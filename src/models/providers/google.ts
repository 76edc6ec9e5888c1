import { createGoogle } from "@ai-sdk/google";
import type { ModelProvider } from "../provider.ts";

/** Google's Gemini API. */
export const google: ModelProvider = {
  name: "google",
  aliases: ["gemini"],
  keyVariables: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  keyRequired: true,
  baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  defaultModel: "gemini-flash-latest",
  gateway: false,
  // The key is always given, or the package would look for it in the process's environment.
  create: ({ model, key, baseUrl, fetch }) =>
    createGoogle({ name: "google", baseURL: baseUrl, apiKey: key ?? "", fetch }).languageModel(model),
};
