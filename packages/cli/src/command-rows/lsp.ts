import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { CONFIG, NAME, TRUST, TYPED_SERVER, UPDATE } from "./reused-specs.ts";
import { lspTypedFlags } from "./typed-flags.ts";

/** What is special about language servers. */
export const lspRows = {
  "_cleveragents/registry/lsp/add": {
    path: ["lsp", "add"],
    summary: "Register a language server: its command, or its file.",
    details:
      "NAME --language L -- COMMAND ARGS… registers what is typed, and consents to it being started. A FILE is\n" +
      "consented to with --trust.",
    positionals: TYPED_SERVER,
    flags: { config: CONFIG, update: UPDATE, trust: TRUST, ...lspTypedFlags },
    examples: [
      { command: "agents lsp add pyright --language python -- pyright-langserver --stdio" },
      { command: "agents lsp add pyright.yaml --trust" },
    ],
    seeAlso: ["lsp test", "lsp show"],
    load: () => import("../commands/lsp-add.ts"),
  },
  "_cleveragents/registry/lsp/test": {
    path: ["lsp", "test"],
    summary: "Start a language server, see what it offers, and stop it.",
    details:
      "With a project it works on a copy of it, and is asked for the problems of one file. Nothing is kept, and it is\n" +
      "seen to that nothing of the server is left running.",
    positionals: [NAME],
    flags: {
      project: { type: "string", value: "NAME", summary: "a registered project to try it on" },
    },
    examples: [
      { command: "agents lsp test local/pyright" },
      { command: "agents lsp test local/pyright --project local/app" },
    ],
    seeAlso: ["lsp show", "trust add"],
    load: () => import("../commands/lsp-test.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
