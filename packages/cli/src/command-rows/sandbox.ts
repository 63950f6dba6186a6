import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { PAGE, PLAN } from "./reused-specs.ts";

export const sandboxRows = {
  "_cleveragents/sandbox/list": {
    path: ["sandbox", "list"],
    summary: "What your plans keep on the agent's disk.",
    flags: PAGE,
    examples: [{ command: "agents sandbox list" }, { command: "agents sandbox list -o json" }],
    seeAlso: ["sandbox gc"],
    load: () => import("../commands/sandbox-list.ts"),
  },
  "_cleveragents/sandbox/gc": {
    path: ["sandbox", "gc"],
    summary: "Remove what is kept for plans that are over.",
    details:
      "Work that was not applied goes only where its plan is named. It asks first, unless --yes or --force is given.",
    positionals: [{ ...PLAN, optional: true }],
    flags: {
      "dry-run": { type: "boolean", summary: "say what would go, and remove nothing" },
      force: { type: "boolean", summary: "do not ask; the same as --yes" },
      "older-than": { type: "number", value: "HOURS", summary: "only of plans that ended so long ago" },
    },
    examples: [
      { command: "agents sandbox gc --dry-run" },
      { command: "agents sandbox gc --older-than 24 --yes" },
      { command: "agents sandbox gc 01J9K2TQ4M8R3V5W7X9Y0Z1A2B", comment: "also what was not applied" },
    ],
    seeAlso: ["sandbox list", "plan cancel"],
    load: () => import("../commands/sandbox-gc.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
