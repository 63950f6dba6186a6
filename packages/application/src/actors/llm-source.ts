import { isModelName, type JsonObject, LlmActorSchema, providerActor } from "@cleveragents/domain";
import type { DecisionSource } from "../plans/decision-source.ts";
import { adviseWithModel } from "./advisor.ts";
import { executeWithModel, withRefusal } from "./executor.ts";
import type { MindDeps } from "./mind.ts";
import { strategizeWithModel } from "./strategist.ts";

/** Plans whose actors are models: registered ones of the type `llm`, or a provider's model by its name alone. */
export function createLlmSource(minds: MindDeps): DecisionSource {
  return {
    kind: "llm",
    looks: true,

    settingsOf: (name, document) => {
      if (document !== undefined)
        return document["type"] === "llm"
          ? (LlmActorSchema.parse(document) as unknown as JsonObject)
          : undefined;
      return isModelName(name) ? (providerActor(name) as unknown as JsonObject) : undefined;
    },

    strategize: (deps, turn, record) => strategizeWithModel(minds, deps, turn, record),
    // One by one, as the model finds them.
    steps: () => [],
    next: (deps, turn, sandbox) => executeWithModel(minds, deps, turn, sandbox),
    refused: withRefusal,
    advise: (deps, turn, request) => adviseWithModel(minds, deps, turn, request),
  };
}
