import { describe, expect, test } from "vitest";
import { complete } from "../../../src/models/complete.ts";
import { type ModelEnv, modelEnv } from "../../../src/models/model-env.ts";
import { ModelConfigError } from "../../../src/models/model-error.ts";
import { resolveModel } from "../../../src/models/resolve-model.ts";
import { stillTiming } from "./provider-server.ts";
import { anthropicText, googleText, openaiText } from "./recorded.ts";

/** Resolves an id, asks the model once, and says where the call went, as which model and with which credential. */
async function whereItGoes(id: string | undefined, env: ModelEnv) {
  const seen: { url: string; headers: Headers; body: { model?: string } }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    seen.push({ url, headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) });
    const text = url.includes("anthropic.com")
      ? anthropicText
      : url.includes("googleapis")
        ? googleText
        : openaiText;
    return new Response(text("Hi"), { headers: { "content-type": "text/event-stream" } });
  };
  const resolved = resolveModel(id, env, fetch);
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hello?" }] }];
  const { text } = await complete(resolved.model, { prompt }, { timing: stillTiming() });
  expect(text).toBe("Hi");
  expect(seen).toHaveLength(1);
  const [request] = seen;
  const credential = ["authorization", "x-api-key", "x-goog-api-key"]
    .map((name) => request?.headers.get(name))
    .filter((value) => value !== null && value !== undefined);
  return { id: resolved.id, url: request?.url, model: request?.body.model, credential };
}

function configError(id: string | undefined, env: ModelEnv): ModelConfigError {
  try {
    resolveModel(id, env, () => expect.fail("nothing may be fetched"));
  } catch (error) {
    if (error instanceof ModelConfigError) return error;
    throw error;
  }
  return expect.fail("it resolved");
}

describe("ids", () => {
  test.each([
    [
      "openai/gpt-5",
      { OPENAI_API_KEY: "k1" },
      "https://api.openai.com/v1/chat/completions",
      "gpt-5",
      ["Bearer k1"],
    ],
    [
      "anthropic/claude-opus-5",
      { ANTHROPIC_API_KEY: "k2" },
      "https://api.anthropic.com/v1/messages",
      "claude-opus-5",
      ["k2"],
    ],
    [
      "google/gemini-3.5-flash",
      { GEMINI_API_KEY: "k3" },
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash:streamGenerateContent?alt=sse",
      undefined,
      ["k3"],
    ],
    [
      "deepseek/deepseek-v4-pro",
      { DEEPSEEK_API_KEY: "k4" },
      "https://api.deepseek.com/chat/completions",
      "deepseek-v4-pro",
      ["Bearer k4"],
    ],
    [
      "openrouter/meta-llama/llama-4:free",
      { OPENROUTER_API_KEY: "k5" },
      "https://openrouter.ai/api/v1/chat/completions",
      "meta-llama/llama-4:free",
      ["Bearer k5"],
    ],
    [
      "workers-ai/@cf/zai-org/glm-5.2",
      { CLOUDFLARE_API_TOKEN: "k7", CLOUDFLARE_ACCOUNT_ID: "acc0123" },
      "https://api.cloudflare.com/client/v4/accounts/acc0123/ai/v1/chat/completions",
      "@cf/zai-org/glm-5.2",
      ["Bearer k7"],
    ],
    [
      "compatible/llama3.1:8b",
      { MODEL_PROVIDER_BASE_URL: "http://127.0.0.1:11434/v1/" },
      "http://127.0.0.1:11434/v1/chat/completions",
      "llama3.1:8b",
      [],
    ],
    [
      "compatible/house-model",
      { MODEL_PROVIDER_BASE_URL: "https://models.example/v1", MODEL_PROVIDER_API_KEY: "k6" },
      "https://models.example/v1/chat/completions",
      "house-model",
      ["Bearer k6"],
    ],
  ])("%s", async (id, env, url, model, credential) => {
    expect(await whereItGoes(id, modelEnv(env))).toEqual({ id, url, model, credential });
  });

  test("gemini is another word for google", async () => {
    const env = modelEnv({ GOOGLE_GENERATIVE_AI_API_KEY: "k3" });
    expect((await whereItGoes("gemini/gemini-3.5-flash", env)).id).toBe("google/gemini-3.5-flash");
  });
});

describe("gateways", () => {
  const gateway = { MODEL_PROVIDER_BASE_URL: "https://models.example/v1", MODEL_PROVIDER_API_KEY: "g" };

  test("get the whole id when the provider has no key of its own", async () => {
    expect(await whereItGoes("openai/gpt-4o-mini", modelEnv(gateway))).toEqual({
      id: "openai/gpt-4o-mini",
      url: "https://models.example/v1/chat/completions",
      model: "openai/gpt-4o-mini",
      credential: ["Bearer g"],
    });
  });

  test("serve providers that are not known here", async () => {
    const { model } = await whereItGoes("mistralai/mistral-large", modelEnv(gateway));
    expect(model).toBe("mistralai/mistral-large");
  });

  test("a provider's own key comes first, and goes to nobody else", async () => {
    const env = modelEnv({ ...gateway, OPENROUTER_API_KEY: "r", OPENAI_API_KEY: "own" });
    expect(await whereItGoes("openai/gpt-5", env)).toMatchObject({
      url: "https://api.openai.com/v1/chat/completions",
      credential: ["Bearer own"],
    });
  });

  test("OpenRouter is the gateway when no other is set, at its own base URL", async () => {
    const env = modelEnv({ OPENROUTER_API_KEY: "r", OPENROUTER_BASE_URL: "https://router.example/api/v1" });
    expect(await whereItGoes("openai/gpt-4o-mini", env)).toEqual({
      id: "openai/gpt-4o-mini",
      url: "https://router.example/api/v1/chat/completions",
      model: "openai/gpt-4o-mini",
      credential: ["Bearer r"],
    });
  });

  test("OpenRouter's key is not sent to another gateway", async () => {
    const env = modelEnv({ MODEL_PROVIDER_BASE_URL: "https://models.example/v1", OPENROUTER_API_KEY: "r" });
    expect(await whereItGoes("openai/gpt-5", env)).toMatchObject({
      url: "https://models.example/v1/chat/completions",
      credential: [],
    });
  });
});

describe("the default model", () => {
  test.each([
    [{ OPENAI_API_KEY: "k" }, "openai/gpt-5-mini"],
    [{ AGENT_PROVIDER: "openai", OPENAI_API_KEY: "k" }, "openai/gpt-5-mini"],
    [{ AGENT_PROVIDER: "anthropic", ANTHROPIC_API_KEY: "k" }, "anthropic/claude-haiku-4-5"],
    [{ AGENT_PROVIDER: "gemini", GEMINI_API_KEY: "k" }, "google/gemini-flash-latest"],
    [{ AGENT_PROVIDER: "deepseek", DEEPSEEK_API_KEY: "k" }, "deepseek/deepseek-v4-flash"],
    [
      { AGENT_PROVIDER: "anthropic", AGENT_MODEL: "claude-opus-5", ANTHROPIC_API_KEY: "k" },
      "anthropic/claude-opus-5",
    ],
    [{ AGENT_PROVIDER: "openai", AGENT_MODEL: "openai/gpt-5", OPENAI_API_KEY: "k" }, "openai/gpt-5"],
    [{ AGENT_MODEL: "anthropic/claude-opus-5", ANTHROPIC_API_KEY: "k" }, "anthropic/claude-opus-5"],
    [{ AGENT_MODEL: "gpt-5", OPENAI_API_KEY: "k" }, "openai/gpt-5"],
    [
      { AGENT_PROVIDER: "openrouter", AGENT_MODEL: "anthropic/claude-opus-5", OPENROUTER_API_KEY: "k" },
      "openrouter/anthropic/claude-opus-5",
    ],
    [
      { AGENT_MODEL: "llama3.1:8b", MODEL_PROVIDER_BASE_URL: "http://127.0.0.1:11434/v1" },
      "compatible/llama3.1:8b",
    ],
    [{ ANTHROPIC_API_KEY: "k" }, "anthropic/claude-haiku-4-5"],
    [{ GEMINI_API_KEY: "k", DEEPSEEK_API_KEY: "k" }, "google/gemini-flash-latest"],
    [{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, "openai/gpt-5-mini"],
    [{ ANTHROPIC_API_KEY: "k", OPENROUTER_API_KEY: "k" }, "openai/gpt-5-mini"],
    [{ AGENT_MODEL: "claude-opus-5", ANTHROPIC_API_KEY: "k" }, "anthropic/claude-opus-5"],
    [
      { CLOUDFLARE_API_TOKEN: "k", CLOUDFLARE_ACCOUNT_ID: "a" },
      "workers-ai/@cf/meta/llama-3.3-70b-instruct-fp8-fast",
    ],
    [{ AGENT_MODEL: "meta-llama/llama-4", OPENROUTER_API_KEY: "k" }, "openrouter/meta-llama/llama-4"],
  ])("%j", (env, id) => {
    expect(resolveModel(undefined, modelEnv(env), fetch).id).toBe(id);
  });
});

describe("a configuration that cannot work names the variable", () => {
  test.each<[string | undefined, Record<string, string>, "missing" | "invalid", string | null, string]>([
    [
      undefined,
      {},
      "missing",
      "OPENAI_API_KEY",
      '"openai/gpt-5-mini" needs OPENAI_API_KEY (or MODEL_PROVIDER_BASE_URL or OPENROUTER_API_KEY, for a gateway that has it)',
    ],
    [
      "google/gemini-3.5-flash",
      { GEMINI_API_KEY: "" },
      "missing",
      "GEMINI_API_KEY",
      '"google/gemini-3.5-flash" needs GEMINI_API_KEY (or MODEL_PROVIDER_BASE_URL or OPENROUTER_API_KEY, for a gateway that has it)',
    ],
    [
      "workers-ai/@cf/a/b",
      { CLOUDFLARE_API_TOKEN: "canary" },
      "missing",
      "CLOUDFLARE_ACCOUNT_ID",
      '"workers-ai/@cf/a/b" needs CLOUDFLARE_ACCOUNT_ID (or MODEL_PROVIDER_BASE_URL or OPENROUTER_API_KEY, for a gateway that has it)',
    ],
    [
      "workers-ai/@cf/a/b",
      { CLOUDFLARE_ACCOUNT_ID: "acc0123" },
      "missing",
      "CLOUDFLARE_API_TOKEN",
      '"workers-ai/@cf/a/b" needs CLOUDFLARE_API_TOKEN (or MODEL_PROVIDER_BASE_URL or OPENROUTER_API_KEY, for a gateway that has it)',
    ],
    [
      "workers-ai/@cf/a/b",
      { CLOUDFLARE_API_TOKEN: "k", CLOUDFLARE_ACCOUNT_ID: "../../canary" },
      "invalid",
      "CLOUDFLARE_ACCOUNT_ID",
      "CLOUDFLARE_ACCOUNT_ID is not the id of an account",
    ],
    ["openrouter/a/b", {}, "missing", "OPENROUTER_API_KEY", '"openrouter/a/b" needs OPENROUTER_API_KEY'],
    [
      "compatible/a",
      { MODEL_PROVIDER_API_KEY: "canary" },
      "missing",
      "MODEL_PROVIDER_BASE_URL",
      '"compatible/a" needs MODEL_PROVIDER_BASE_URL',
    ],
    [
      undefined,
      { AGENT_PROVIDER: "compatible", MODEL_PROVIDER_BASE_URL: "http://127.0.0.1:1/v1" },
      "missing",
      "AGENT_MODEL",
      "AGENT_PROVIDER compatible needs AGENT_MODEL",
    ],
    [undefined, { AGENT_PROVIDER: "" }, "invalid", "AGENT_PROVIDER", "AGENT_PROVIDER is empty"],
    [undefined, { AGENT_MODEL: " " }, "invalid", "AGENT_MODEL", "AGENT_MODEL is empty"],
    [
      undefined,
      { AGENT_PROVIDER: "opnai" },
      "invalid",
      "AGENT_PROVIDER",
      'AGENT_PROVIDER "opnai" is not known: use one of openai, anthropic, google, deepseek, workers-ai, compatible, openrouter',
    ],
    [
      "mistralai/large",
      {},
      "invalid",
      "MODEL_PROVIDER_BASE_URL",
      'no provider is called "mistralai": use one of openai, anthropic, google, deepseek, workers-ai, compatible, openrouter, or set MODEL_PROVIDER_BASE_URL to a server that has "mistralai/large"',
    ],
    [
      "gpt-5-mini",
      { OPENAI_API_KEY: "canary" },
      "invalid",
      null,
      '"gpt-5-mini" is not a model id: expected provider/model, such as openai/gpt-5-mini',
    ],
    [
      "google/../../upload",
      { GEMINI_API_KEY: "canary" },
      "invalid",
      null,
      '"google/../../upload" is not a model id: expected provider/model, such as openai/gpt-5-mini',
    ],
    [
      "openai/gpt-5",
      { OPENAI_API_KEY: "canary\nx" },
      "invalid",
      "OPENAI_API_KEY",
      "OPENAI_API_KEY has characters that no key has",
    ],
    [
      "compatible/a",
      { MODEL_PROVIDER_BASE_URL: "https://user:canary@models.example/v1" },
      "invalid",
      "MODEL_PROVIDER_BASE_URL",
      "MODEL_PROVIDER_BASE_URL must be an http or https URL without credentials, query or fragment",
    ],
    [
      "compatible/a",
      { MODEL_PROVIDER_BASE_URL: "canary" },
      "invalid",
      "MODEL_PROVIDER_BASE_URL",
      "MODEL_PROVIDER_BASE_URL must be an http or https URL without credentials, query or fragment",
    ],
  ])("%s with %j", (id, env, problem, variable, message) => {
    const error = configError(id, modelEnv(env));
    expect({ problem: error.problem, variable: error.variable, message: error.message }).toEqual({
      problem,
      variable,
      message,
    });
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain("canary");
  });
});

test("modelEnv takes the model variables, as trimmed strings, the binding to models, and nothing else", () => {
  const AI = { run: () => Promise.resolve(new Response()) };
  const env = {
    AI,
    OPENAI_API_KEY: " k1\n",
    GEMINI_API_KEY: 7,
    DB: {},
    AGENT_HTTP_TOKEN: "secret",
    AGENT_MODEL: "",
  };
  expect(modelEnv(env)).toEqual({ OPENAI_API_KEY: "k1", AGENT_MODEL: "", AI });
  expect(modelEnv({ AI: "no binding" })).toEqual({});
});
