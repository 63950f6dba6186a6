import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { NAME, PROJECT_FILE, REGISTRY_PAGE } from "./reused-specs.ts";

export const projectRows = {
  "_cleveragents/registry/project/add": {
    path: ["project", "create"],
    aliases: [["project", "add"]],
    summary: "Register a folder as a project.",
    positionals: [{ name: "NAME", summary: "the project's name, such as local/app", optional: true }],
    flags: {
      config: PROJECT_FILE,
      path: { type: "string", value: "DIR", default: "the current folder", summary: "the project's folder" },
      description: { type: "string", value: "T", summary: "what it is" },
      "automation-profile": { type: "string", value: "P", summary: "the profile of its plans" },
      invariant: { type: "list", value: "TEXT", summary: "what all its plans keep to; again for more" },
    },
    examples: [
      { command: "agents project create local/app --path ." },
      { command: 'agents project create local/site --path ~/site --description "the web site"' },
      { command: "agents project create --config app.yaml" },
    ],
    seeAlso: ["project list", "plan use"],
    load: () => import("../commands/project-create.ts"),
  },
  "_cleveragents/registry/project/list": {
    path: ["project", "list"],
    summary: "The registered projects.",
    flags: REGISTRY_PAGE,
    examples: [{ command: "agents project list" }, { command: "agents project list -o name" }],
    seeAlso: ["project create", "project show"],
    load: () => import("../commands/project-list.ts"),
  },
  "_cleveragents/registry/project/show": {
    path: ["project", "show"],
    summary: "One project and the state of its folder.",
    positionals: [NAME],
    examples: [{ command: "agents project show local/app" }],
    seeAlso: ["project list"],
    load: () => import("../commands/project-show.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
