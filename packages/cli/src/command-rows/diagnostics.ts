import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";

export const diagnosticsRows = {
  "_cleveragents/diagnostics/run": {
    path: ["diagnostics", "run"],
    aliases: [["diagnostics"]],
    summary: "Look at everything that plans need.",
    details:
      "Stores, engine, isolation, git, disk, permissions, clock, keys of models, programs of MCP and language\n" +
      "servers. Exit code 1 when something does not work. --bundle writes one JSON file with that, the end of the\n" +
      "agent's log and the settings, for somebody who helps: credentials are taken out, and you can read it before\n" +
      "you hand it on.",
    flags: { bundle: { type: "string", value: "FILE", summary: "write what to hand on; - is stdout" } },
    examples: [
      { command: "agents diagnostics run" },
      { command: "agents diagnostics run --bundle diagnostics.json" },
    ],
    seeAlso: ["health check", "server status"],
    load: () => import("../commands/diagnostics-run.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
