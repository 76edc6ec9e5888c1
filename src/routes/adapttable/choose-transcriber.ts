import type { Env } from "../../env.ts";
import { bindingIn, modelEnv, textIn } from "../../models/model-env.ts";
import { ModelError } from "../../models/model-error.ts";
import type { ModelBinding } from "../../models/provider.ts";
import type { Transcribe } from "../../table/backend/table-deps.ts";
import { readTranscript, transcribeWith } from "./transcribe.ts";

const openaiBaseUrl = "https://api.openai.com/v1";
const openaiModel = "gpt-4o-mini-transcribe";
/** What most compatible servers call theirs. */
const compatibleModel = "whisper-1";
const workersModel = "@cf/openai/whisper-large-v3-turbo";

const nothingHears =
  "This Worker cannot transcribe a voice clip. Set OPENAI_API_KEY, or MODEL_PROVIDER_BASE_URL for a server that has /audio/transcriptions, or add a Workers AI binding named AI; or send the words as message.";

/**
 * What turns voice clips into words: OpenAI with its key, else the gateway at MODEL_PROVIDER_BASE_URL, else Workers AI.
 * AGENT_TRANSCRIBE_MODEL names another model than the usual one of each. A text says what to set when there is none.
 */
export function chooseTranscriber(env: Env, fetch: typeof globalThis.fetch): Transcribe | string {
  const model = env.AGENT_TRANSCRIBE_MODEL?.trim() || undefined;
  const variables = modelEnv({ ...env });
  const key = textIn(variables, "OPENAI_API_KEY") || undefined;
  if (key !== undefined) {
    return transcribeWith({ baseUrl: openaiBaseUrl, key, model: model ?? openaiModel }, fetch);
  }
  const baseUrl = textIn(variables, "MODEL_PROVIDER_BASE_URL")?.replace(/\/+$/, "");
  if (baseUrl) {
    const gatewayKey = textIn(variables, "MODEL_PROVIDER_API_KEY") || undefined;
    return transcribeWith({ baseUrl, key: gatewayKey, model: model ?? compatibleModel }, fetch);
  }
  const binding = bindingIn(variables, "AI");
  if (binding === undefined) return nothingHears;
  return ({ base64 }, signal) => hearOnWorkers(binding, model ?? workersModel, base64, signal);
}

async function hearOnWorkers(
  ai: ModelBinding,
  model: string,
  base64: string,
  signal: AbortSignal,
): Promise<string> {
  let response: Response;
  try {
    response = await ai.run(model, { audio: base64 }, { returnRawResponse: true, signal });
  } catch {
    signal.throwIfAborted();
    throw new ModelError("unavailable", `workers-ai/${model} did not answer`);
  }
  return readTranscript(response);
}
