import { LspTestParamsSchema, LspTestResultSchema } from "../schemas/lsp.ts";
import { defineMethod } from "./define-method.ts";

/** What is special about language servers; they are registered like everything else. */
export const lspMethods = {
  "_cleveragents/registry/lsp/test": defineMethod({
    name: "_cleveragents/registry/lsp/test",
    group: "registry",
    family: "cleveragents",
    kind: "unary",
    params: LspTestParamsSchema,
    result: LspTestResultSchema,
    errors: [
      "InvalidParams",
      "EntryNotFound",
      "WorkspaceUnusable",
      "TrustRequired",
      "ToolServerFailed",
      "Forbidden",
    ],
    scope: "registry:write",
    summary: "Start a language server, see what it offers, stop it, and see that nothing of it is left.",
  }),
} as const;
