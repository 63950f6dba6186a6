export { FileModelProviders, type FileModelProvidersDeps } from "./file-model-providers.ts";
export { FilePrompts } from "./file-prompts.ts";
