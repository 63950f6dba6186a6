import { readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import {
  type DocumentReader,
  type LanguageModel,
  ModelError,
  type ModelProviders,
} from "@cleveragents/application";
import {
  DocumentError,
  IncompleteProviderError,
  type Provider,
  ProvidersSchema,
  providersWith,
} from "@cleveragents/domain";
import { AnthropicModel } from "./anthropic-model.ts";
import { readModelKey } from "./model-keys.ts";
import { OpenAiChatModel } from "./openai-chat-model.ts";
import { RecordingModel } from "./recording-model.ts";
import { ReplayingModel } from "./replaying-model.ts";

export interface FileModelProvidersDeps {
  /** Where `providers.yaml` lies, or will lie once somebody writes it. */
  readonly folder: string;
  readonly documents: DocumentReader;
  /** Where keys are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const FILE = "providers.yaml";

/** The built-in providers and what a file says besides, read again whenever it was changed. */
export class FileModelProviders implements ModelProviders {
  readonly #deps: FileModelProvidersDeps;
  readonly #opened = new Map<string, { readonly settings: string; readonly model: LanguageModel }>();
  #known: { readonly stamp: string; readonly providers: readonly Provider[] } | undefined;

  constructor(deps: FileModelProvidersDeps) {
    this.#deps = deps;
  }

  async all(): Promise<readonly Provider[]> {
    const file = join(this.#deps.folder, FILE);
    const facts = await stat(file).catch(() => undefined);
    const stamp = facts === undefined ? "" : `${facts.mtimeMs}:${facts.size}:${facts.ino}`;
    if (this.#known?.stamp === stamp) return this.#known.providers;
    const text = facts === undefined ? undefined : await readFile(file, "utf8").catch(() => undefined);
    const providers = this.#providers(text);
    this.#known = { stamp, providers };
    return providers;
  }

  open(provider: Provider): LanguageModel {
    const settings = JSON.stringify(provider);
    const known = this.#opened.get(provider.name);
    if (known?.settings === settings) return known.model;
    const model = this.#model(provider);
    this.#opened.set(provider.name, { settings, model });
    return model;
  }

  #providers(text: string | undefined): readonly Provider[] {
    if (text === undefined || text.trim() === "") return providersWith({});
    try {
      const request = { text, file: basename(FILE), wrapper: "models", schema: ProvidersSchema };
      return providersWith(this.#deps.documents.read(request).providers);
    } catch (error) {
      if (!(error instanceof DocumentError || error instanceof IncompleteProviderError)) throw error;
      const message = error instanceof DocumentError ? error.message : `${FILE}: ${error.message}`;
      throw new ModelError("MODEL_NOT_CONFIGURED", message, { cause: error });
    }
  }

  #model(provider: Provider): LanguageModel {
    const { folder } = this.#deps;
    const file = provider.cassette === undefined ? undefined : resolve(folder, provider.cassette);
    const deps = { provider, key: () => readModelKey(this.#deps, provider) };
    switch (provider.kind) {
      case "replay":
        return new ReplayingModel({ provider: provider.name, file: file as string }); // the settings ask for one
      case "openai":
        return recorded(new OpenAiChatModel(deps), file);
      case "anthropic":
        return recorded(new AnthropicModel(deps), file);
    }
  }
}

function recorded(model: LanguageModel, file: string | undefined): LanguageModel {
  return file === undefined ? model : new RecordingModel({ model, file });
}
