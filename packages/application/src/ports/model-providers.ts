import type { Provider } from "@cleveragents/domain";
import type { LanguageModel } from "./language-model.ts";

/** Where models are, as the operator has set it up. */
export interface ModelProviders {
  /** As it stands now. Throws `ModelError` (MODEL_NOT_CONFIGURED), with file and line, where the settings cannot be read. */
  all(): Promise<readonly Provider[]>;
  /** How a provider is spoken to; the same object as long as its settings stay. Starts nothing. */
  open(provider: Provider): LanguageModel;
}
