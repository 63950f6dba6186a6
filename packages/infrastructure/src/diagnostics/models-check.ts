import { type HealthCheck, ModelError, type ModelProviders } from "@cleveragents/application";
import { readModelKey } from "../models/model-keys.ts";
import type { Environment } from "./node-host-diagnostics.ts";

/** Which providers of models have what they are to be called with. None is called. */
export function modelsCheck(
  providers: ModelProviders,
  { env, dataDir }: { readonly env: Environment; readonly dataDir: string },
): HealthCheck {
  return {
    id: "models",
    required: false,
    remediation:
      "providers.yaml in the data directory says where models and their keys are (docs/guides/models.md)",
    run: async () => {
      try {
        const keyed: string[] = [];
        const bare: string[] = [];
        for (const provider of await providers.all()) {
          const needsKey = provider.keyEnv !== undefined || provider.keyFile !== undefined;
          if (!needsKey) continue;
          const key = await readModelKey({ env, folder: dataDir }, provider);
          (key === undefined ? bare : keyed).push(provider.name);
        }
        const without = bare.length === 0 ? "" : `; none for ${bare.join(", ")}`;
        return `keys of ${keyed.length === 0 ? "no provider" : keyed.join(", ")}${without}`;
      } catch (error) {
        if (error instanceof ModelError) return { lacking: error.message };
        throw error;
      }
    },
  };
}
