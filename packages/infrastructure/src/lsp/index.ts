export { LspCodeIntelligence } from "./lsp-code-intelligence.ts";
export { lspExecutable } from "./lsp-executable.ts";
export { type Activation, type LspPlace, LspRuntime, type LspRuntimeDeps } from "./lsp-runtime.ts";
export { LSPToolAdapter, type LSPToolAdapterDeps } from "./lsp-tool-adapter.ts";
