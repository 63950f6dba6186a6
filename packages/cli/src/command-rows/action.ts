import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { CONFIG, FILE, NAME, REGISTRY_PAGE, UPDATE } from "./reused-specs.ts";

const ACTION_FILE = `The least that a file says; arguments, decisions, checks and models: docs/guides/actions.md

  name: greet
  description: Greet somebody
  definition_of_done: hello.txt greets who was asked for
  arguments:
    - { name: who, required: true }
  script:
    steps:
      - write: { path: hello.txt, content: "Hello {{ args.who }}\\n" }
      - run: { command: cat hello.txt }`;

export const actionRows = {
  "_cleveragents/registry/action/list": {
    path: ["action", "list"],
    summary: "The actions that plans can be made from.",
    flags: REGISTRY_PAGE,
    examples: [
      { command: "agents action list" },
      { command: "agents action list --namespace local -o name" },
    ],
    seeAlso: ["action show", "plan use"],
    load: () => import("../commands/action-list.ts"),
  },
  "_cleveragents/registry/action/show": {
    path: ["action", "show"],
    summary: "One action, whole.",
    positionals: [NAME],
    examples: [
      { command: "agents action show local/fix-tests" },
      { command: "agents action show local/fix-tests -o json" },
    ],
    seeAlso: ["action list"],
    load: () => import("../commands/action-show.ts"),
  },
  "_cleveragents/registry/action/add": {
    path: ["action", "add"],
    aliases: [["action", "create"]],
    summary: "Register an action from its file.",
    details: ACTION_FILE,
    positionals: [{ ...FILE, optional: true }],
    flags: { config: CONFIG, update: UPDATE },
    examples: [
      { command: "agents action add fix-tests.yaml" },
      { command: "agents action add fix-tests.yaml --update", comment: "after an edit" },
      { command: "agents action add - < fix-tests.yaml", comment: "from stdin" },
    ],
    seeAlso: ["action show", "plan use"],
    load: () => import("../commands/action-add.ts"),
  },
  "_cleveragents/registry/action/archive": {
    path: ["action", "archive"],
    summary: "Let no more plans be made of an action.",
    details: "Plans that exist go on. `agents action update` with its file makes it available again.",
    positionals: [NAME],
    flags: {
      revision: { type: "string", value: "R", summary: "only if it is this one, as show -o json tells it" },
    },
    examples: [{ command: "agents action archive local/fix-tests" }],
    seeAlso: ["action update", "action remove"],
    load: () => import("../commands/action-archive.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
