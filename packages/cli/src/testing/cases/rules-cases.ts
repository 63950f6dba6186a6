import { AT, type Case, page } from "./case.ts";

const profile = {
  name: "team/careful",
  description: "stops early",
  source: "custom",
  is_default: false,
  created_at: AT,
  updated_at: AT,
  thresholds: { decompose_task: 0, create_tool: 1 },
  require_sandbox: true,
  require_isolation: false,
  require_checkpoints: true,
  allow_unsafe_tools: false,
  guards: {
    tool_denylist: [],
    tool_allowlist: [],
    max_identical_calls: 2,
    require_approval_for_writes: false,
    require_approval_for_apply: false,
    commands: { allow: ["npm test"], ask: [], deny: ["rm"], otherwise: "ask" },
  },
  budget: { tool_calls: 50 },
};
const validation = {
  name: "local/tests",
  description: "the tests pass",
  mode: "required",
  kind: "command",
  attachments: 1,
  created_at: AT,
  updated_at: AT,
  validation: { name: "local/tests", command: "npm test" },
  attached_to: [
    {
      attachment_id: "att_1",
      validation: "local/tests",
      mode: "required",
      scope: "project",
      target: "local/app",
    },
  ],
};
const invariant = {
  id: "inv_1",
  text: "Vendored code stays as it is",
  scope: "global",
  source: "global",
  non_overridable: false,
  checkable: true,
  created_at: AT,
};
const explained = {
  command: ["sudo", "rm", "-rf", "x"],
  profile: "team/careful",
  enforced: true,
  verdict: "deny",
  reason: '"rm -rf x" is denied by the rule "rm"',
  commands: [
    { command: "sudo rm -rf x", verdict: "ask", reason: "sudo runs it as another user", depth: 0 },
    {
      command: "rm -rf x",
      verdict: "deny",
      reason: '"rm -rf x" is denied by the rule "rm"',
      rule: "rm",
      depth: 1,
    },
  ],
  unclear: [],
};

/** What plans are held to. */
export const RULES_CASES: readonly Case[] = [
  {
    argv: "validation list --namespace local",
    method: "_cleveragents/registry/validation/list",
    result: page("validations", validation),
    params: { namespace: "local" },
    names: "local/tests",
  },
  {
    argv: "validation show local/tests",
    method: "_cleveragents/registry/validation/show",
    result: validation,
    params: { name: "local/tests" },
    names: "local/tests",
  },
  {
    argv: "validation add tests.yaml",
    method: "_cleveragents/registry/validation/add",
    result: validation,
    params: { document: "name: local/tests", file: "tests.yaml" },
    names: "local/tests",
    more: { files: { "tests.yaml": "name: local/tests" } },
  },
  {
    argv: "validation attach local/tests --project local/app --mode informational",
    method: "_cleveragents/registry/validation/attach",
    result: { ...validation.attached_to[0], mode: "informational", created_at: AT },
    params: { validation: "local/tests", project: "local/app", mode: "informational" },
    names: "att_1",
  },
  {
    argv: "validation detach att_1",
    method: "_cleveragents/registry/validation/detach",
    result: { attachment_id: "att_1", detached: true },
    params: { attachment_id: "att_1" },
    names: "att_1",
  },
  {
    argv: "invariant list --plan p1 --effective",
    method: "_cleveragents/invariant/list",
    result: {
      ...page("invariants", invariant),
      plan_id: "p1",
      conflicts_resolved: [
        {
          overridden: { id: "inv_2", text: "Touch nothing", scope: "project", source: "local/app" },
          by: { id: "inv_1", text: invariant.text, scope: "global", source: "global" },
        },
      ],
    },
    params: { plan_id: "p1", effective: true },
    names: "inv_1",
  },
  {
    argv: "invariant add Vendored --global --non-overridable --deny-path vendor",
    method: "_cleveragents/invariant/add",
    result: { invariants: [invariant] },
    params: { text: "Vendored", global: true, non_overridable: true, paths: { deny: ["vendor"] } },
    names: "inv_1",
  },
  {
    argv: "invariant remove inv_1",
    method: "_cleveragents/invariant/remove",
    result: { id: "inv_1", removed: true },
    params: { id: "inv_1" },
    names: "inv_1",
  },
  {
    argv: "profile list",
    method: "_cleveragents/profile/list",
    result: page("profiles", profile),
    params: {},
    names: "team/careful",
  },
  {
    argv: "profile show team/careful",
    method: "_cleveragents/profile/show",
    result: profile,
    params: { name: "team/careful" },
    names: "team/careful",
  },
  {
    argv: "profile add careful.yaml --update",
    method: "_cleveragents/profile/add",
    result: profile,
    params: { document: "name: team/careful", file: "careful.yaml", update: true },
    names: "team/careful",
    more: { files: { "careful.yaml": "name: team/careful" } },
  },
  {
    argv: "profile remove team/careful",
    method: "_cleveragents/profile/remove",
    result: { name: "team/careful", removed: true },
    params: { name: "team/careful" },
    names: "team/careful",
  },
  {
    argv: "policy explain sudo rm x --profile team/careful",
    method: "_cleveragents/policy/explain",
    result: explained,
    params: { command: ["sudo", "rm", "x"], profile: "team/careful" },
    names: "deny",
  },
];
