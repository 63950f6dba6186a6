import { expect, test } from "vitest";
import { InvalidModelNameError, isModelName, parseModelName } from "./model-name.ts";

test.each([
  ["openai/gpt-4.1", "openai", "gpt-4.1"],
  ["openrouter/meta-llama/llama-3.1-8b", "openrouter", "meta-llama/llama-3.1-8b"],
  ["ollama/qwen2.5-coder:7b", "ollama", "qwen2.5-coder:7b"],
])("%s is split at its first slash", (name, provider, model) => {
  expect(parseModelName(name)).toEqual({ provider, model });
  expect(isModelName(name)).toBe(true);
});

test.each(["gpt-4o", "/gpt-4o", "openai/", "Open AI/x", "openai//x"])("%j is no model's name", (name) => {
  expect(() => parseModelName(name)).toThrow(InvalidModelNameError);
  expect(isModelName(name)).toBe(false);
});
