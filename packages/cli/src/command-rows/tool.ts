import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { REGISTRY_PAGE } from "./reused-specs.ts";

export const toolRows = {
  "_cleveragents/registry/tool/list": {
    path: ["tool", "list"],
    summary: "The tools that plans can use.",
    flags: {
      source: { type: "string", value: "S", summary: "only these: builtin, custom, mcp, lsp or agent_skill" },
      ...REGISTRY_PAGE,
    },
    examples: [{ command: "agents tool list" }, { command: "agents tool list -o json" }],
    seeAlso: ["actor list"],
    load: () => import("../commands/tool-list.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
