import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { CONFIG, FILE, NAME, REGISTRY_PAGE, UPDATE } from "./reused-specs.ts";

export const actorRows = {
  "_cleveragents/registry/actor/add": {
    path: ["actor", "add"],
    summary: "Register an actor, a script or a model, from its file.",
    positionals: [{ ...FILE, optional: true }],
    flags: { config: CONFIG, update: UPDATE },
    examples: [
      { command: "agents actor add fixer.yaml" },
      { command: "agents actor add fixer.yaml --update" },
    ],
    seeAlso: ["actor list", "action add"],
    load: () => import("../commands/actor-add.ts"),
  },
  "_cleveragents/registry/actor/list": {
    path: ["actor", "list"],
    summary: "The actors that plans can use.",
    flags: REGISTRY_PAGE,
    examples: [{ command: "agents actor list" }, { command: "agents actor list -o name" }],
    seeAlso: ["actor show"],
    load: () => import("../commands/actor-list.ts"),
  },
  "_cleveragents/registry/actor/show": {
    path: ["actor", "show"],
    summary: "One actor, whole.",
    positionals: [NAME],
    examples: [{ command: "agents actor show local/fixer" }],
    seeAlso: ["actor list"],
    load: () => import("../commands/actor-show.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
