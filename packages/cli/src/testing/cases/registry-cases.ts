import { AT, type Case, page } from "./case.ts";

const action = {
  name: "local/fix",
  description: "make the tests pass",
  state: "available",
  strategy_actor: null,
  execution_actor: "local/fixer",
  reusable: true,
  created_at: AT,
  updated_at: AT,
  action: { name: "local/fix", arguments: [{ name: "file", type: "string" }] },
};
const actor = {
  name: "local/fixer",
  type: "script",
  description: "fixes",
  source: "custom",
  actor: { name: "local/fixer", type: "script" },
};
const project = {
  name: "local/app",
  path: "/work/app",
  created_at: AT,
  kind: "git",
  branch: "main",
  head: "3f9c1e2aabbccddee",
  warnings: ["no commits yet"],
  context_config: { include: ["README.md", "docs/**"], views: { execute: { max_files: 3 } } },
  resources: [
    {
      type: "devcontainer-instance",
      name: "devcontainer:default",
      state: "discovered",
      path: ".devcontainer/devcontainer.json",
    },
  ],
};

/** What plans are made of: actions, actors, projects, tools. */
export const REGISTRY_CASES: readonly Case[] = [
  {
    argv: "action list",
    method: "_cleveragents/registry/action/list",
    result: page("actions", action),
    params: {},
    names: "local/fix",
  },
  {
    argv: "action show local/fix",
    method: "_cleveragents/registry/action/show",
    result: action,
    params: { name: "local/fix" },
    names: "local/fix",
  },
  {
    argv: "action archive local/fix",
    method: "_cleveragents/registry/action/archive",
    result: { ...action, state: "archived" },
    params: { name: "local/fix" },
    names: "local/fix",
  },
  {
    argv: "action add fix.yaml --update",
    method: "_cleveragents/registry/action/add",
    result: action,
    params: { document: "name: local/fix", file: "fix.yaml", update: true },
    names: "local/fix",
    more: { files: { "fix.yaml": "name: local/fix" } },
  },
  {
    argv: "project list",
    method: "_cleveragents/registry/project/list",
    result: page("projects", project),
    params: {},
    names: "local/app",
  },
  {
    argv: "project show local/app",
    method: "_cleveragents/registry/project/show",
    result: project,
    params: { name: "local/app" },
    names: "local/app",
  },
  {
    argv: "project create local/app --path ../site --description web",
    method: "_cleveragents/registry/project/add",
    result: project,
    params: { name: "local/app", path: "/work/site", description: "web" },
    names: "local/app",
  },
  {
    argv: "actor list --namespace local",
    method: "_cleveragents/registry/actor/list",
    result: page("actors", actor),
    params: { namespace: "local" },
    names: "local/fixer",
  },
  {
    argv: "actor show local/fixer",
    method: "_cleveragents/registry/actor/show",
    result: actor,
    params: { name: "local/fixer" },
    names: "local/fixer",
  },
  {
    argv: "actor run local/fixer what is wrong?",
    method: "_cleveragents/registry/actor/run",
    result: {
      actor: "local/fixer",
      message_id: "m1",
      response: "two tests",
      task: {
        id: "01K5V9J3Q8ZC2F7N4T6B0W1R5X",
        contextId: "01K5V9J3Q8ZC2F7N4T6B0W1R5Y",
        status: { state: "TASK_STATE_COMPLETED", timestamp: AT },
      },
    },
    params: { name: "local/fixer", text: "what is wrong?", unsafe: false, wait: true },
    names: "01K5V9J3Q8ZC2F7N4T6B0W1R5X",
  },
  {
    argv: "actor add -",
    method: "_cleveragents/registry/actor/add",
    result: actor,
    params: { document: "type: script\n", file: "stdin", update: false },
    names: "local/fixer",
    more: { stdin: "type: script\n" },
  },
  {
    argv: "tool list",
    method: "_cleveragents/registry/tool/list",
    result: page("tools", {
      name: "fs/write",
      description: "writes a file",
      source: "builtin",
      read_only: false,
      writes: true,
      idempotent: true,
      effect: "sandbox",
    }),
    params: {},
    names: "fs/write",
  },
  {
    argv: "project update local/app --description app --resource local/data",
    method: "_cleveragents/registry/project/update",
    result: project,
    params: { name: "local/app", description: "app", linked_resources: ["local/data"] },
    names: "local/app",
  },
  {
    argv: "project remove local/app",
    method: "_cleveragents/registry/project/remove",
    result: { name: "local/app", removed: true, also_removed: [] },
    params: { name: "local/app" },
    names: "local/app",
  },
];
