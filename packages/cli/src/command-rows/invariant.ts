import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { PAGE } from "./reused-specs.ts";

export const invariantRows = {
  "_cleveragents/invariant/list": {
    path: ["invariant", "list"],
    summary: "The registered invariants, or those that hold for a plan.",
    flags: {
      global: { type: "boolean", summary: "those of everybody" },
      project: { type: "string", value: "P", summary: "those of a project" },
      action: { type: "string", value: "A", summary: "those registered for an action" },
      plan: { type: "string", value: "ID", summary: "those registered for a plan" },
      effective: { type: "boolean", summary: "with --plan: all that hold for it, and what they override" },
      ...PAGE,
    },
    examples: [
      { command: "agents invariant list" },
      { command: "agents invariant list --plan 01J9K2TQ4M8R3V5W7X9Y0Z1A2B --effective" },
    ],
    seeAlso: ["invariant add"],
    load: () => import("../commands/invariant-list.ts"),
  },
  "_cleveragents/invariant/add": {
    path: ["invariant", "add"],
    summary: "Register what plans have to keep to, one invariant for each target.",
    details:
      "Of several about the same (one --name, or one text) the narrowest holds: plan, action, project, global; a\n" +
      "non-overridable global one before all. Without a way to check it, it is for whoever reviews.",
    positionals: [{ name: "TEXT", summary: "what has to hold, in words" }],
    flags: {
      global: { type: "boolean", summary: "for everybody" },
      project: { type: "string", value: "P,…", summary: "for plans of these projects" },
      action: { type: "string", value: "A,…", summary: "for plans of these actions" },
      plan: { type: "string", value: "ID,…", summary: "for these plans" },
      name: { type: "string", value: "N", summary: "what it is about; the same name overrides" },
      "non-overridable": { type: "boolean", summary: "with --global: nobody narrower says otherwise" },
      check: {
        type: "string",
        value: "CEL",
        summary: "an expression over changes and paths that has to be true",
      },
      command: { type: "string", value: "C", summary: "a command that has to end with 0" },
      "deny-path": { type: "list", value: "GLOB", summary: "paths that may not change; again for more" },
      "allow-path": {
        type: "list",
        value: "GLOB",
        summary: "the only paths that may change; again for more",
      },
    },
    examples: [
      { command: 'agents invariant add "Vendored code stays as it is" --global --deny-path vendor' },
      { command: 'agents invariant add "Public signatures stay" --project local/app,local/site' },
    ],
    seeAlso: ["invariant list", "invariant remove"],
    load: () => import("../commands/invariant-add.ts"),
  },
  "_cleveragents/invariant/remove": {
    path: ["invariant", "remove"],
    summary: "End an invariant; plans that have taken it over keep it.",
    positionals: [{ name: "ID", summary: "the invariant's id" }],
    examples: [{ command: "agents invariant remove inv_01J9K2TQ4M8R3V5W7X9Y0Z1A2B" }],
    seeAlso: ["invariant list"],
    load: () => import("../commands/invariant-remove.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
