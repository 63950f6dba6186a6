import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow, Flags, PositionalSpec } from "../command/command-row.ts";
import { PAGE } from "./reused-specs.ts";

const WHAT: readonly PositionalSpec[] = [
  { name: "KIND", summary: "mcp, lsp, skill or tool" },
  { name: "NAME", summary: "its registered name" },
];
const DIGEST = { type: "string", value: "D", summary: "sha256:… of exactly what is meant" } as const;

export const trustRows = {
  "_cleveragents/trust/list": {
    path: ["trust", "list"],
    summary: "What may be started, by whose consent, and what has asked in vain.",
    flags: {
      kind: {
        type: "string",
        value: "K",
        choices: ["mcp", "lsp", "skill", "tool"],
        summary: "only these: mcp, lsp, skill or tool",
      },
      ...PAGE,
    } satisfies Flags,
    examples: [{ command: "agents trust list" }, { command: "agents trust list --kind mcp -o json" }],
    seeAlso: ["trust add", "trust remove"],
    load: () => import("../commands/trust-list.ts"),
  },
  "_cleveragents/trust/add": {
    path: ["trust", "add"],
    summary: "Consent to something being started exactly as it is.",
    details:
      "Consent is bound to command, arguments, environment and files. When one of them changes, nothing is started\n" +
      "until somebody consents again. Without --digest: to what has asked last under this name.",
    positionals: WHAT,
    flags: { digest: DIGEST },
    examples: [
      { command: "agents trust add mcp local/github" },
      {
        command: "agents trust add mcp local/github --digest sha256:7be1…",
        comment: "as a refusal names it",
      },
    ],
    seeAlso: ["trust list", "trust remove"],
    load: () => import("../commands/trust-add.ts"),
  },
  "_cleveragents/trust/remove": {
    path: ["trust", "remove"],
    summary: "End consent; what runs already goes on.",
    positionals: WHAT,
    flags: { digest: DIGEST },
    examples: [{ command: "agents trust remove mcp local/github" }],
    seeAlso: ["trust list"],
    load: () => import("../commands/trust-remove.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
