import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";

export const healthRows = {
  "_cleveragents/health/check": {
    path: ["health", "check"],
    summary: "Whether the agent can work.",
    details: "Exit code 1 when something does not work as it should.",
    examples: [
      { command: "agents health check" },
      { command: "agents health check --server https://agents.example -o json" },
    ],
    seeAlso: ["help connection"],
    load: () => import("../commands/health-check.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
