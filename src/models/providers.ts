import type { ModelProvider } from "./provider.ts";
import { anthropic } from "./providers/anthropic.ts";
import { compatible } from "./providers/compatible.ts";
import { deepseek } from "./providers/deepseek.ts";
import { google } from "./providers/google.ts";
import { openai } from "./providers/openai.ts";
import { openrouter } from "./providers/openrouter.ts";
import { workersAi } from "./providers/workers-ai.ts";

/** Every provider. The first is the default; gateways are tried in this order. */
export const providers: readonly [ModelProvider, ...ModelProvider[]] = [
  openai,
  anthropic,
  google,
  deepseek,
  workersAi,
  compatible,
  openrouter,
];
