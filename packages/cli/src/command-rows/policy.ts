import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";

export const policyRows = {
  "_cleveragents/policy/explain": {
    path: ["policy", "explain"],
    summary: "Whether a command would run, be asked about or be denied, and why.",
    details: "One word is read as sh -c reads it; several words, behind --, are a command without a shell.",
    positionals: [{ name: "COMMAND", summary: "the command; nothing is run", many: true }],
    flags: { profile: { type: "string", value: "P", summary: "the automation profile whose rules count" } },
    examples: [
      { command: 'agents policy explain "npm test && git push"' },
      { command: "agents policy explain --profile team/careful -- rm -rf build" },
    ],
    seeAlso: ["profile show"],
    load: () => import("../commands/policy-explain.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
