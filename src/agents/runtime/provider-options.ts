import type { SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Sampling } from "../../turn/request.ts";

/** Compatible servers that take `top_k`, which OpenAI's own API refuses. */
const takesTopK: ReadonlySet<string> = new Set(["compatible", "openrouter", "workers-ai"]);

/**
 * What is asked of a model that only its provider's package has a word for; `null`: nothing. `offersTools`: OpenAI
 * refuses to hear about calls where there are no tools.
 */
export function providerOptions(
  provider: string,
  { parallelCalls, responseFormat, topK, reasoning }: Sampling,
  offersTools: boolean,
): SharedV4ProviderOptions | null {
  const oneCall = parallelCalls === false && offersTools;
  if (provider === "anthropic") return oneCall ? { anthropic: { disableParallelToolUse: true } } : null;
  if (provider === "google") {
    // Gemini keeps its thoughts to itself unless it is asked for them.
    const thinks = reasoning !== undefined && reasoning !== "none";
    return thinks ? { google: { thinkingConfig: { includeThoughts: true } } } : null;
  }
  const options = {
    ...(oneCall ? { parallel_tool_calls: false } : {}),
    // The package's own default is strict, which few schemas are written for.
    ...(responseFormat?.schema === undefined ? {} : { strictJsonSchema: responseFormat.strict ?? false }),
    ...(topK !== undefined && takesTopK.has(provider) ? { top_k: topK } : {}),
  };
  return Object.keys(options).length === 0 ? null : { [camelCase(provider)]: options };
}

/** The packages look options up under the provider's name in this case. */
function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
