import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { addRow, removeRow, showRow, updateRow } from "./entry-rows.ts";
import { NAME, REGISTRY_PAGE, TRUST } from "./reused-specs.ts";

const ACTION = {
  path: ["action"],
  one: "action",
  file: "fix-tests.yaml",
  name: "local/fix-tests",
  field: "action",
  word: "Action",
  next: (name: string) => `agents plan use ${name}`,
} as const;
const ACTOR = {
  path: ["actor"],
  one: "actor",
  file: "fixer.yaml",
  name: "local/fixer",
  field: "actor",
  word: "Actor",
  next: () => "name it in an action",
} as const;
const PROJECT = {
  path: ["project"],
  one: "project",
  file: "app.yaml",
  name: "local/app",
  field: "project",
  word: "Project",
  next: () => "agents plan use ACTION",
} as const;
const VALIDATION = {
  path: ["validation"],
  one: "validation",
  file: "tests.yaml",
  name: "local/tests",
  field: "validation",
  word: "Validation",
  next: (name: string) => `agents validation attach ${name} --project PROJECT`,
} as const;
const TOOL = {
  path: ["tool"],
  one: "tool",
  file: "count-lines.yaml",
  name: "local/count-lines",
  field: "tool",
  word: "Tool",
  next: (name: string) => `call it in a script, or name it in an actor: ${name}`,
  addFlags: { trust: TRUST },
} as const;
const SKILL = {
  path: ["skill"],
  one: "skill",
  file: "deploy.yaml",
  name: "local/deploy",
  field: "skill",
  word: "Skill",
  next: (name: string) => `agents skill tools ${name}`,
} as const;
const MCP = {
  path: ["mcp"],
  one: "MCP server",
  file: "github.yaml",
  name: "local/github",
  field: "mcp_server",
  word: "Server",
  next: (name: string) => `agents mcp test ${name}`,
} as const;
const LSP = {
  path: ["lsp"],
  one: "language server",
  file: "pyright.yaml",
  name: "local/pyright",
  field: "lsp_server",
  word: "Server",
  next: (name: string) => `agents lsp test ${name}`,
} as const;
const RESOURCE = {
  path: ["resource"],
  one: "resource",
  file: "app.yaml",
  name: "local/app",
  field: "resource",
  word: "Resource",
  next: () => "agents resource tree",
} as const;
const TYPE = {
  path: ["resource", "type"],
  one: "type of resources",
  file: "bucket.yaml",
  name: "local/bucket",
  field: "resource_type",
  word: "Type",
  next: (name: string) => `agents resource add ${name} NAME`,
} as const;

/** Commands of registered things that differ between their kinds in names only, and the lists of those kinds. */
export const entryRows = {
  ...updateRow("action", ACTION),
  ...removeRow("action", ACTION),
  ...updateRow("actor", ACTOR),
  ...removeRow("actor", ACTOR),
  ...removeRow("project", PROJECT),
  ...updateRow("validation", VALIDATION),
  ...removeRow("validation", VALIDATION),
  ...showRow("tool", TOOL),
  ...addRow("tool", TOOL),
  ...updateRow("tool", TOOL),
  ...removeRow("tool", TOOL),
  "_cleveragents/registry/skill/list": {
    path: ["skill", "list"],
    summary: "The skills: registered ones, and those that were found in folders.",
    flags: REGISTRY_PAGE,
    examples: [{ command: "agents skill list" }, { command: "agents skill list -o name" }],
    seeAlso: ["skill show", "skill add"],
    load: () => import("../commands/skill-list.ts"),
  },
  ...showRow("skill", SKILL),
  ...addRow("skill", SKILL),
  ...updateRow("skill", SKILL),
  ...removeRow("skill", SKILL),
  "_cleveragents/registry/mcp/list": {
    path: ["mcp", "list"],
    summary: "The registered MCP servers; none is started for this.",
    flags: REGISTRY_PAGE,
    examples: [{ command: "agents mcp list" }, { command: "agents mcp list -o name" }],
    seeAlso: ["mcp show", "mcp test"],
    load: () => import("../commands/mcp-list.ts"),
  },
  ...showRow("mcp", MCP),
  ...updateRow("mcp", MCP),
  ...removeRow("mcp", MCP),
  "_cleveragents/registry/lsp/list": {
    path: ["lsp", "list"],
    summary: "The registered language servers; none is started for this.",
    flags: {
      language: { type: "string", value: "L", summary: "only those that serve this language" },
      ...REGISTRY_PAGE,
    },
    examples: [{ command: "agents lsp list" }, { command: "agents lsp list --language python" }],
    seeAlso: ["lsp show", "lsp test"],
    load: () => import("../commands/lsp-list.ts"),
  },
  ...showRow("lsp", LSP),
  ...updateRow("lsp", LSP),
  ...removeRow("lsp", LSP),
  "_cleveragents/registry/resource/list": {
    path: ["resource", "list"],
    summary: "The registered resources.",
    flags: {
      type: { type: "string", value: "T", summary: "only of this type, or of one that inherits from it" },
      ...REGISTRY_PAGE,
    },
    examples: [{ command: "agents resource list" }, { command: "agents resource list --type fs-directory" }],
    seeAlso: ["resource show", "resource tree"],
    load: () => import("../commands/resource-list.ts"),
  },
  ...showRow("resource", RESOURCE),
  "_cleveragents/registry/resource/add": {
    path: ["resource", "add"],
    summary: "Register a resource: of a type, with what the type asks for, or from its file.",
    details:
      "agents resource type show TYPE lists the arguments of a type. --path is taken from the current folder.",
    positionals: [
      { name: "TYPE", summary: "a type, or with nothing behind it a YAML or JSON file; - reads stdin" },
      { ...NAME, summary: "the resource's name, such as local/app", optional: true },
    ],
    flags: {
      path: { type: "string", value: "P", summary: "its argument path" },
      branch: { type: "string", value: "B", summary: "its argument branch" },
      arg: { type: "list", value: "K=V", summary: "any other argument of its type; again for more" },
      "part-of": { type: "list", value: "R", summary: "a resource that it is a part of; again for more" },
      description: { type: "string", value: "T", summary: "what it is" },
      update: { type: "boolean", summary: "replace what has this name" },
    },
    examples: [
      { command: "agents resource add git-checkout local/app --path ." },
      { command: "agents resource add local/bucket local/logs --arg region=eu --part-of local/app" },
      { command: "agents resource add app.yaml" },
    ],
    seeAlso: ["resource type list", "resource show"],
    load: () => import("../commands/resource-add.ts"),
  },
  ...updateRow("resource", RESOURCE),
  ...removeRow("resource", RESOURCE),
  "_cleveragents/registry/resource/link": {
    path: ["resource", "link"],
    aliases: [["resource", "link-child"]],
    summary: "Make a resource a part of another one.",
    positionals: [
      { name: "PARENT", summary: "the whole" },
      { name: "CHILD", summary: "the part" },
    ],
    examples: [{ command: "agents resource link local/app local/logs" }],
    seeAlso: ["resource unlink", "resource tree"],
    load: () => import("../commands/resource-link.ts"),
  },
  "_cleveragents/registry/resource/unlink": {
    path: ["resource", "unlink"],
    aliases: [["resource", "unlink-child"]],
    summary: "End that a resource is a part of another one.",
    positionals: [
      { name: "PARENT", summary: "the whole" },
      { name: "CHILD", summary: "the part" },
    ],
    examples: [{ command: "agents resource unlink local/app local/logs" }],
    seeAlso: ["resource link", "resource tree"],
    load: () => import("../commands/resource-unlink.ts"),
  },
  "_cleveragents/registry/resource/tree": {
    path: ["resource", "tree"],
    summary: "Resources and their parts, also those that were found in them.",
    positionals: [{ ...NAME, summary: "the resource that it begins at", optional: true }],
    flags: {
      type: { type: "string", value: "T", summary: "branches with this type, or one that inherits from it" },
    },
    examples: [{ command: "agents resource tree" }, { command: "agents resource tree local/app" }],
    seeAlso: ["resource list"],
    load: () => import("../commands/resource-tree.ts"),
  },
  "_cleveragents/registry/resource_type/list": {
    path: ["resource", "type", "list"],
    summary: "The types of resources.",
    flags: REGISTRY_PAGE,
    examples: [{ command: "agents resource type list" }],
    seeAlso: ["resource type show"],
    load: () => import("../commands/resource-type-list.ts"),
  },
  ...showRow("resource_type", TYPE),
  ...addRow("resource_type", TYPE),
  ...updateRow("resource_type", TYPE),
  ...removeRow("resource_type", TYPE),
  "_cleveragents/registry/project/update": {
    path: ["project", "update"],
    summary: "Change a registered project.",
    details: "What is not named stays as it is; an empty text takes it away.",
    positionals: [NAME],
    flags: {
      path: { type: "string", value: "DIR", summary: "another folder" },
      description: { type: "string", value: "T", summary: "what it is" },
      "automation-profile": { type: "string", value: "P", summary: "the profile of its plans" },
      resource: { type: "list", value: "R", summary: "the resources that belong to it; again for more" },
      invariant: { type: "list", value: "TEXT", summary: "what all its plans keep to; again for more" },
      revision: { type: "string", value: "R", summary: "only if it is this one, as show -o json tells it" },
    },
    examples: [
      { command: "agents project update local/app --automation-profile trusted" },
      { command: "agents project update local/app --resource local/logs --resource local/db" },
    ],
    seeAlso: ["project show"],
    load: () => import("../commands/project-update.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
