import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { NAME } from "./reused-specs.ts";

/** What is special about language servers. */
export const lspRows = {
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
