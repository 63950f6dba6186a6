import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { CONFIG, FILE, NAME, REGISTRY_PAGE, UPDATE } from "./reused-specs.ts";

export const validationRows = {
  "_cleveragents/registry/validation/list": {
    path: ["validation", "list"],
    summary: "The validations: what plans can be checked by.",
    flags: REGISTRY_PAGE,
    examples: [
      { command: "agents validation list" },
      { command: "agents validation list --namespace team -o name" },
    ],
    seeAlso: ["validation show", "validation attach"],
    load: () => import("../commands/validation-list.ts"),
  },
  "_cleveragents/registry/validation/show": {
    path: ["validation", "show"],
    summary: "One validation, and what it is attached to.",
    positionals: [NAME],
    examples: [{ command: "agents validation show local/tests" }],
    seeAlso: ["validation list"],
    load: () => import("../commands/validation-show.ts"),
  },
  "_cleveragents/registry/validation/add": {
    path: ["validation", "add"],
    summary: "Register a validation from its file.",
    positionals: [{ ...FILE, optional: true }],
    flags: { config: CONFIG, update: UPDATE },
    examples: [
      { command: "agents validation add tests.yaml" },
      {
        command: "agents validation add tests.yaml --update",
        comment: "after an edit; plans keep what they have",
      },
    ],
    seeAlso: ["validation attach", "validation show"],
    load: () => import("../commands/validation-add.ts"),
  },
  "_cleveragents/registry/validation/attach": {
    path: ["validation", "attach"],
    summary: "Check all new plans of a project or an action.",
    details: "For one plan alone: agents plan use ACTION --validation NAME.",
    positionals: [NAME],
    flags: {
      project: { type: "string", value: "P", summary: "plans of this project" },
      action: { type: "string", value: "A", summary: "plans made from this action" },
      mode: {
        type: "string",
        value: "M",
        choices: ["required", "informational"],
        summary: "required or informational, in place of the validation's own",
      },
    },
    examples: [
      { command: "agents validation attach local/tests --project local/app" },
      { command: "agents validation attach local/lint --action local/fix --mode informational" },
    ],
    seeAlso: ["validation detach", "validation show"],
    load: () => import("../commands/validation-attach.ts"),
  },
  "_cleveragents/registry/validation/detach": {
    path: ["validation", "detach"],
    summary: "End an attachment.",
    positionals: [{ name: "ID", summary: "the attachment's id; agents validation show lists them" }],
    examples: [{ command: "agents validation detach att_01J9K2TQ4M8R3V5W7X9Y0Z1A2B" }],
    seeAlso: ["validation attach", "validation show"],
    load: () => import("../commands/validation-detach.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
