import type { ProviderSettings } from "./provider-schema.ts";

const LOCAL = { kind: "openai", max_concurrent: 1, timeouts: { first_byte: 300 } } as const;

/** Where models are that need no file: prices and windows as their makers had published them, to be corrected in one. */
export const BUILTIN_PROVIDERS: Readonly<Record<string, ProviderSettings>> = {
  openai: {
    kind: "openai",
    base_url: "https://api.openai.com/v1",
    key_env: "OPENAI_API_KEY",
    defaults: { json: "schema" },
    models: {
      "gpt-4o": { context: 128_000, output: 16_384, prices: { input: 2.5, output: 10, cache_read: 1.25 } },
      "gpt-4o-mini": {
        context: 128_000,
        output: 16_384,
        prices: { input: 0.15, output: 0.6, cache_read: 0.075 },
      },
      "gpt-4.1": { context: 1_047_576, output: 32_768, prices: { input: 2, output: 8, cache_read: 0.5 } },
      "gpt-4.1-mini": {
        context: 1_047_576,
        output: 32_768,
        prices: { input: 0.4, output: 1.6, cache_read: 0.1 },
      },
      "o4-mini": {
        context: 200_000,
        output: 100_000,
        prices: { input: 1.1, output: 4.4, cache_read: 0.275 },
      },
    },
  },
  anthropic: {
    kind: "anthropic",
    base_url: "https://api.anthropic.com",
    key_env: "ANTHROPIC_API_KEY",
    defaults: { context: 200_000, output: 8192 },
    models: {
      "claude-opus-4-1": {
        output: 32_000,
        prices: { input: 15, output: 75, cache_read: 1.5, cache_write: 18.75 },
      },
      "claude-sonnet-4-5": {
        output: 64_000,
        prices: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
      },
      "claude-haiku-4-5": {
        output: 64_000,
        prices: { input: 1, output: 5, cache_read: 0.1, cache_write: 1.25 },
      },
    },
  },
  openrouter: {
    kind: "openai",
    base_url: "https://openrouter.ai/api/v1",
    key_env: "OPENROUTER_API_KEY",
  },
  groq: { kind: "openai", base_url: "https://api.groq.com/openai/v1", key_env: "GROQ_API_KEY" },
  mistral: { kind: "openai", base_url: "https://api.mistral.ai/v1", key_env: "MISTRAL_API_KEY" },
  ollama: { ...LOCAL, base_url: "http://localhost:11434/v1", defaults: { context: 8192 } },
  lmstudio: { ...LOCAL, base_url: "http://localhost:1234/v1" },
  llamacpp: { ...LOCAL, base_url: "http://localhost:8080/v1" },
  vllm: { ...LOCAL, max_concurrent: 8, base_url: "http://localhost:8000/v1" },
};
