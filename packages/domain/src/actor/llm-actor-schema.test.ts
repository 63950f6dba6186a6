import { describe, expect, test } from "vitest";
import { LlmActorSchema } from "./llm-actor-schema.ts";

const ACTOR = { name: "coder", type: "llm", description: "Writes code", model: "openai/gpt-4o" };

describe("an actor that is a model", () => {
  test.each([
    [{ model: "openai/gpt-4o" }, "openai/gpt-4o"],
    [{ provider: "openai", model: "gpt-4o" }, "openai/gpt-4o"],
    [{ provider: "openai", model: "openai/gpt-4o" }, "openai/gpt-4o"],
    [{ provider: "openrouter", model: "meta/llama-3.3" }, "openrouter/meta/llama-3.3"],
  ])("names its model with its provider: %j", (given, model) => {
    expect(LlmActorSchema.parse({ ...ACTOR, ...given })).toMatchObject({ model });
  });

  test("needs to know whose model it is", () => {
    expect(LlmActorSchema.safeParse({ ...ACTOR, model: "gpt-4o" }).error?.issues).toMatchObject([
      { path: ["model"], message: expect.stringContaining("provider/model") },
    ]);
  });

  test("is the same when it is read again", () => {
    const once = LlmActorSchema.parse({ ...ACTOR, provider: "test", model: "a/b", limits: { turns: 3 } });
    expect(LlmActorSchema.parse(once)).toEqual(once);
  });

  test("has no field that nobody reads", () => {
    expect(LlmActorSchema.safeParse({ ...ACTOR, temprature: 1 }).error?.issues[0]).toMatchObject({
      code: "unrecognized_keys",
      keys: ["temprature"],
    });
  });
});
