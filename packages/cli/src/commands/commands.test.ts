import { describe, expect, test } from "vitest";
import { a2aCommands } from "../command-rows/a2a.ts";
import { commandRows } from "../command-table.ts";
import { ENTRY_CASES, RESOURCE_CASES } from "../testing/entry-cases.ts";
import { FakeCli, type FakeCliOptions } from "../testing/fake-cli.ts";
import {
  APPLIED,
  APPLY_ASK,
  askMessage,
  DIFF,
  DIGEST,
  PLAN_ID,
  planItem,
  planPage,
  RUNNING,
  STATUS,
  statusUpdate,
  taskItem,
} from "../testing/samples.ts";
import { SKILL_CASES } from "../testing/skill-cases.ts";

const SGR = /\p{Cc}\[\d+m/gu;
const AT = "2026-07-01T11:00:00Z";
const page = (plural: string, ...items: object[]) => ({
  [plural]: items,
  total: items.length,
  next_page_token: "",
});
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
  resources: [
    {
      type: "devcontainer-instance",
      name: "devcontainer:default",
      state: "discovered",
      path: ".devcontainer/devcontainer.json",
    },
  ],
};
const apiKey = {
  key_id: "3f9c1e2aabbccdde",
  name: "ci",
  principal: "anna",
  scopes: ["task:read"],
  tenants: ["acme"],
  created_at: AT,
};
const sandbox = {
  plan_id: PLAN_ID,
  state: "failed",
  project: "local/app",
  created_at: AT,
  bytes: 4_200_000,
  files: 12,
  unapplied_work: true,
  removable: true,
  kept_until: "2026-11-09T10:00:00.000Z",
};
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
const consent = {
  kind: "mcp",
  name: "local/github",
  digest: DIGEST,
  trusted: true,
  command: "npx",
  args: ["github-mcp"],
  variables: ["TOKEN"],
  granted_by: "local",
  granted_at: AT,
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
const session = { session_id: "nightly", status: "created", actor: "local/fixer", created_at: AT };
const decision = {
  type: "strategy_choice",
  confidence: 0.8,
  alternatives: [],
  sequence: 1,
  superseded: false,
  created_at: AT,
};
const tree = {
  plan_id: PLAN_ID,
  decision_root_id: "d1",
  tree: [
    {
      ...decision,
      decision_id: "d1",
      type: "prompt_definition",
      question: "Make the tests pass",
      chosen: "",
      children: [
        {
          ...decision,
          decision_id: "d2",
          question: "Which file?",
          chosen: "a.ts",
          rationale: "it is the only one",
          children: [{ ...decision, decision_id: "d3", question: "How?", chosen: "edit", children: [] }],
        },
        {
          ...decision,
          decision_id: "d4",
          question: "Tests?",
          chosen: "run",
          rationale: "they are quick",
          superseded: true,
          superseded_by: "d2",
          children: [],
        },
      ],
    },
  ],
  summary: { nodes: 4, depth: 3, superseded: 1 },
  child_plans: [
    {
      name: "docs",
      plan_id: PLAN_ID,
      action: "local/docs",
      step: 1,
      status: "complete",
      attempt: 1,
      merged: true,
    },
    { name: "tests", action: "local/tests", step: 1, status: "pending", attempt: 0, merged: false },
  ],
};
const used = {
  plan_id: PLAN_ID,
  phase: "strategize",
  state: "queued",
  context_id: "ctx",
  action: "local/fix",
  project: "local/app",
  automation_profile: "supervised",
  attempt: 1,
  inputs: {},
  actors: { strategy: null, execution: null, estimation: null },
  automation: { profile: "supervised", source: "default", read_only: false },
  next_steps: [],
};
const health = {
  status: "healthy",
  version: "1.0.0",
  service: "cleveragents",
  timestamp: AT,
  checks: [{ id: "store", status: "ok", summary: "writes in 2 ms" }],
};

const explanation = {
  plan_id: PLAN_ID,
  decision_id: "01J9K2TQ4M8R3V5W7X9YDECSN1",
  type: "strategy_choice",
  question: "Which file?",
  chosen: "a.ts",
  label: "file",
  phase: "strategize",
  attempt: 2,
  sequence: 2,
  total: 4,
  parent: "d1",
  confidence: 0.8,
  rationale: "it is the only one",
  alternatives: [
    { index: 0, id: "a.ts", description: "the source", chosen: true },
    { index: 1, id: "a.js", description: "", chosen: false },
  ],
  alternatives_considered: ["a.js"],
  invariants_considered: [{ text: "No new dependency" }],
  created_at: AT,
  is_correction: false,
  superseded: false,
  supersedes: [
    { decision_id: "01J9K2TQ4M8R3V5W7X9YDECSN0", type: "x", question: "Which file?", chosen: "a.js" },
  ],
  context_snapshot: {
    hash: "sha256:0",
    arguments: { file: "a.ts" },
    guidance: ["the source"],
    decisions: {},
    files: [],
  },
  impact: {
    downstream_decisions: [
      { decision_id: "01J9K2TQ4M8R3V5W7X9YDECSN3", type: "x", question: "How?", chosen: "edit" },
    ],
    downstream_child_plans: [],
    steps: [{ index: 0, label: "edit a.ts", kind: "edit", status: "done" }],
    files: [
      {
        path: "a.ts",
        status: "modified",
        change: "+1 -1",
        insertions: 1,
        deletions: 1,
        in_changeset: true,
        hunks: [{ old_start: 1, old_lines: 1, new_start: 1, new_lines: 1, lines: ["-old", "+new"] }],
        truncated: false,
      },
      {
        path: "big.bin",
        status: "added",
        change: "0 -> 9 bytes",
        insertions: 0,
        deletions: 0,
        in_changeset: false,
        hunks: [],
        truncated: true,
      },
    ],
    tool_calls: { sandboxed: 1, compensable: 0, irreversible: 1 },
    events: [{ seq: 5, event: "decision.created", at: AT }],
    events_truncated: false,
  },
  correction_hint: "agents plan correct",
};

const correction = {
  plan_id: PLAN_ID,
  phase: "strategize",
  state: "queued",
  dry_run: false,
  correction: {
    id: "c1",
    mode: "revert",
    impact: "2 decisions, 0 child plans, 2 files",
    new_decision: "01J9K2TQ4M8R3V5W7X9YDECSN6",
    corrects: "d2",
    attempt: 2,
  },
  affected_subtree: {
    decisions_invalidated: [
      { decision_id: "d2", type: "strategy_choice", question: "Which file?", chosen: "a.ts" },
      { decision_id: "d3", type: "strategy_choice", question: "How?", chosen: "edit" },
    ],
    child_plans_rolled_back: [],
    steps_undone: 3,
    unaffected_decisions: [{ decision_id: "d1", type: "prompt_definition", question: "?", chosen: "x" }],
  },
  sandbox_rollback: {
    checkpoint: "start",
    files_reverted: [
      { file: "a.ts", action: "restored" },
      { file: "new.ts", action: "removed" },
    ],
    status: "restored",
  },
  tool_calls: { sandboxed: 2, compensable: 0, irreversible: 1 },
  warnings: ["commands ran without isolation"],
  recompute: { queued: true, from: "strategize" },
  history: [],
};

interface Case {
  readonly argv: string;
  readonly method: string;
  readonly result: unknown;
  readonly params: object;
  readonly names: string;
  readonly more?: FakeCliOptions;
}
const CASES: readonly Case[] = [
  {
    argv: "plan use local/fix --arg file=a.ts --arg n=1 --arg n=2",
    method: "_cleveragents/plan/use",
    result: used,
    params: {
      action_name: "local/fix",
      arguments: { file: "a.ts", n: ["1", "2"] },
      working_directory: "/work/app",
    },
    names: PLAN_ID,
  },
  {
    argv: `plan status ${PLAN_ID}`,
    method: "_cleveragents/plan/status",
    result: STATUS,
    params: { plan_id: PLAN_ID },
    names: PLAN_ID,
  },
  {
    argv: `plan execute ${PLAN_ID} --no-wait`,
    method: "_cleveragents/plan/execute",
    result: { plan_id: PLAN_ID, phase: "execute", state: "queued", attempt: 1, already: false },
    params: { plan_id: PLAN_ID },
    names: PLAN_ID,
  },
  {
    argv: `plan diff ${PLAN_ID}`,
    method: "_cleveragents/plan/diff",
    result: DIFF,
    params: { plan_id: PLAN_ID },
    names: "src/auth/token.ts\ndocs/auth.md",
  },
  {
    argv: `plan apply ${PLAN_ID} --yes`,
    method: "_cleveragents/plan/apply",
    result: APPLIED,
    params: { plan_id: PLAN_ID, digest: DIGEST },
    names: PLAN_ID,
    more: { calls: { "_cleveragents/plan/diff": DIFF } },
  },
  {
    argv: `plan approve ${PLAN_ID} --option a --text t`,
    method: "_cleveragents/plan/approve",
    result: { plan_id: PLAN_ID, phase: "execute", state: "queued", request_id: "q1", choice: "a" },
    params: { plan_id: PLAN_ID, request_id: "q1", option: "a", text: "t" },
    names: PLAN_ID,
    more: {
      calls: {
        "_cleveragents/plan/status": {
          ...STATUS,
          waiting_for: { request_id: "q1", kind: "question", prompt: "Which?", options: [], free_text: true },
        },
      },
    },
  },
  {
    argv: `plan reject ${PLAN_ID} --reason no`,
    method: "_cleveragents/plan/reject",
    result: { plan_id: PLAN_ID, phase: "execute", state: "cancelled", request_id: "q1", choice: "reject" },
    params: { plan_id: PLAN_ID, reason: "no" },
    names: PLAN_ID,
  },
  {
    argv: `plan cancel ${PLAN_ID} --reason enough`,
    method: "_cleveragents/plan/cancel",
    result: {
      plan_id: PLAN_ID,
      phase: "execute",
      state: "cancelled",
      reason: "enough",
      cancelled_at: AT,
      recovery: ["make a new plan"],
    },
    params: { plan_id: PLAN_ID, reason: "enough" },
    names: PLAN_ID,
  },
  {
    argv: `plan revert ${PLAN_ID} --to-phase execute --reason again`,
    method: "_cleveragents/plan/revert",
    result: {
      plan_id: PLAN_ID,
      phase: "execute",
      state: "queued",
      attempt: 2,
      reversions: 1,
      reversions_left: 4,
      next_steps: [`agents plan watch ${PLAN_ID}`],
    },
    params: { plan_id: PLAN_ID, to_phase: "execute", reason: "again" },
    names: PLAN_ID,
  },
  {
    argv: `plan rollback ${PLAN_ID}`,
    method: "_cleveragents/plan/rollback",
    result: {
      plan_id: "01M8UNDONE0000000000000000",
      phase: "execute",
      state: "complete",
      context_id: "ctx",
      digest: DIGEST,
      rollback_summary: { plan: PLAN_ID, project: "local/app", files_reverted: 2 },
      changes_reverted: [
        { file: "a.ts", action: "restored" },
        { file: "new.ts", action: "removed" },
      ],
      next_steps: ["agents plan diff X", "agents plan apply X"],
    },
    params: { plan_id: PLAN_ID },
    names: "01M8UNDONE0000000000000000",
    more: { calls: { "_cleveragents/plan/status": { ...STATUS, state: "applied" } } },
  },
  {
    argv: `plan artifacts ${PLAN_ID}`,
    method: "_cleveragents/plan/artifacts",
    result: {
      plan_id: PLAN_ID,
      artifacts: [{ path: "a.ts", type: "edit", size: 2300, change: "+10 -3" }],
      outputs: [],
      summary: { total: 1, writes: 0, edits: 1, deletes: 0, renames: 0, total_size: 2300 },
      total: 1,
      next_page_token: "",
    },
    params: { plan_id: PLAN_ID },
    names: "a.ts",
  },
  {
    argv: `plan tree ${PLAN_ID} --show-superseded`,
    method: "_cleveragents/plan/tree",
    result: tree,
    params: { plan_id: PLAN_ID, show_superseded: true },
    names: "d1\nd2\nd3\nd4",
  },
  {
    argv: `plan explain ${PLAN_ID} file`,
    method: "_cleveragents/plan/explain",
    result: explanation,
    params: { plan_id: PLAN_ID, decision_id: "file" },
    names: "01J9K2TQ4M8R3V5W7X9YDECSN1",
  },
  {
    argv: `plan prompt ${PLAN_ID} quickly --decision file`,
    method: "_cleveragents/plan/prompt",
    result: {
      plan_id: PLAN_ID,
      guidance_added: {
        plan: PLAN_ID,
        guidance: "quickly",
        scope: "d2",
        phase: "execute",
        state_transition: "errored -> queued",
      },
      decision_created: { type: "user_intervention", id: "01J9K2TQ4M8R3V5W7X9YDECSN5", parent: "d2" },
      queue: { pending: 1, applied: 0 },
      already: false,
    },
    params: { plan_id: PLAN_ID, text: "quickly", decision_id: "file" },
    names: "01J9K2TQ4M8R3V5W7X9YDECSN5",
  },
  {
    argv: "plan create steps.yaml --id release-7 --project local/app",
    method: "_cleveragents/plan/create",
    result: {
      plan_id: "release-7",
      task_id: PLAN_ID,
      session_id: "ctx",
      status: "created",
      created_at: AT,
      project: "local/app",
      automation_profile: "supervised",
    },
    params: { plan_id: "release-7", document: "name: x", file: "steps.yaml", project: "local/app" },
    names: PLAN_ID,
    more: { files: { "steps.yaml": "name: x" } },
  },
  {
    argv: `plan correct ${PLAN_ID} file --guidance other --yes`,
    method: "_cleveragents/plan/correct",
    result: correction,
    params: { plan_id: PLAN_ID, decision_id: "file", guidance: "other" },
    names: "01J9K2TQ4M8R3V5W7X9YDECSN6",
  },
  {
    argv: "plan list --state running --page-size 2",
    method: "_cleveragents/plan/list",
    result: planPage(
      planItem(PLAN_ID),
      planItem("01J9K2TQ4M8R3V5W7X9Y0Z1A2C", {
        state: "complete",
        waiting_for: "apply",
        files_changed: 2,
        insertions: 12,
        deletions: 3,
      }),
    ),
    params: { state: "running", page_size: 2 },
    names: `${PLAN_ID}\n01J9K2TQ4M8R3V5W7X9Y0Z1A2C`,
  },
  {
    argv: `plan watch ${PLAN_ID}`,
    method: "_cleveragents/plan/status",
    result: STATUS,
    params: { plan_id: PLAN_ID },
    names: PLAN_ID,
    more: {
      streams: [
        [
          taskItem("TASK_STATE_INPUT_REQUIRED"),
          statusUpdate("TASK_STATE_INPUT_REQUIRED", undefined, askMessage(APPLY_ASK)),
        ],
      ],
    },
  },
  {
    argv: "session create --actor local/fixer",
    method: "session.create",
    result: session,
    params: { actor_name: "local/fixer" },
    names: "nightly",
  },
  {
    argv: "session list",
    method: "_cleveragents/session/list",
    result: page("sessions", {
      session_id: "nightly",
      name: "Nightly",
      status: "active",
      created_at: AT,
      updated_at: AT,
    }),
    params: {},
    names: "nightly",
  },
  {
    argv: "session show nightly --messages 2",
    method: "_cleveragents/session/show",
    result: {
      ...session,
      status: "suspended",
      updated_at: AT,
      budget: { tokens: 500, cost_usd: 2 },
      tasks: 3,
      waiting: 1,
      recent_messages: [
        {
          messageId: "m1",
          role: "ROLE_USER",
          parts: [{ text: "what failed?" }, { raw: "QUJD", filename: "a.txt" }],
        },
        { messageId: "m2", role: "ROLE_AGENT", parts: [{ text: "two tests" }] },
      ],
      linked_plans: [
        { plan_id: PLAN_ID, phase: "execute", state: "complete", action: "local/fix" },
        { plan_id: "01J9K2TQ4M8R3V5W7X9Y0Z1A2D", imported: true },
      ],
      imported_from: "old",
    },
    params: { session_id: "nightly", messages: 2 },
    names: "nightly",
  },
  {
    argv: "session tell nightly what failed?",
    method: "_cleveragents/session/tell",
    result: {
      session_id: "nightly",
      message_id: "m1",
      response: "two tests",
      task: {
        id: PLAN_ID,
        contextId: "nightly",
        status: {
          state: "TASK_STATE_COMPLETED",
          timestamp: AT,
          message: { messageId: "m2", role: "ROLE_AGENT", parts: [{ text: "two tests" }] },
        },
      },
    },
    params: { session_id: "nightly", text: "what failed?", wait: true },
    names: PLAN_ID,
  },
  {
    argv: "session delete nightly --yes",
    method: "_cleveragents/session/delete",
    result: { session_id: "nightly", status: "deleted", messages_removed: 4, plans_orphaned: [PLAN_ID] },
    params: { session_id: "nightly" },
    names: "nightly",
  },
  {
    argv: "session export nightly",
    method: "_cleveragents/session/export",
    result: {
      session_id: "nightly",
      document: { schema_version: "v3", session_id: "nightly", messages: [] },
      messages: 0,
      linked_plans: 0,
      schema_version: "v3",
      checksum: "sha256:0",
    },
    params: { session_id: "nightly" },
    names: "nightly",
  },
  {
    argv: "session import nightly.json --name Again",
    method: "_cleveragents/session/import",
    result: {
      session_id: "nightly-2",
      imported_from: "nightly",
      schema_version: "v3",
      checksum: "sha256:0",
      messages: 2,
      linked_plans: 1,
      created_at: AT,
    },
    params: { document: { schema_version: "v3" }, name: "Again" },
    names: "nightly-2",
    more: { files: { "nightly.json": '{"schema_version":"v3"}' } },
  },
  {
    argv: "a2a session close nightly",
    method: "session.close",
    result: {
      session_id: "nightly",
      status: "closed",
      closed_at: AT,
      cancelled: ["t1"],
      detached: [PLAN_ID],
    },
    params: { session_id: "nightly" },
    names: "nightly",
  },
  {
    argv: "auth key create ci --principal anna --scope task:read --tenant acme --expires-in-days 30",
    method: "_cleveragents/auth/key/create",
    result: { ...apiKey, key: "cak_3f9c1e2aabbccdde_secret" },
    params: { name: "ci", principal: "anna", scopes: ["task:read"], tenants: ["acme"], expires_in_days: 30 },
    names: "cak_3f9c1e2aabbccdde_secret",
  },
  {
    argv: "auth key list",
    method: "_cleveragents/auth/key/list",
    result: page("keys", apiKey),
    params: {},
    names: "3f9c1e2aabbccdde",
  },
  {
    argv: "auth key revoke 3f9c1e2aabbccdde",
    method: "_cleveragents/auth/key/revoke",
    result: { ...apiKey, revoked_at: AT },
    params: { key_id: "3f9c1e2aabbccdde" },
    names: "3f9c1e2aabbccdde",
  },
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
    argv: "action add fix.yaml --update",
    method: "_cleveragents/registry/action/add",
    result: action,
    params: { document: "name: local/fix", file: "fix.yaml", update: true },
    names: "local/fix",
    more: { files: { "fix.yaml": "name: local/fix" } },
  },
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
    argv: "trust list --kind mcp",
    method: "_cleveragents/trust/list",
    result: page("consents", consent, { ...consent, trusted: false, granted_at: undefined }),
    params: { kind: "mcp" },
    names: `${DIGEST}\n${DIGEST}`,
  },
  {
    argv: "mcp test local/github",
    method: "_cleveragents/registry/mcp/test",
    result: {
      name: "local/github",
      server: { name: "github", version: "1.2.0" },
      protocol: "2025-11-25",
      era: "legacy",
      started_ms: 480,
      enforcement: "full",
      tools: [
        {
          name: "search",
          exposed_name: "mcp/github__search",
          description: "Searches issues\nand more",
          hints: { readOnlyHint: true },
          offered: true,
        },
        { name: "purge", exposed_name: "mcp/github__purge", description: "", hints: {}, offered: false },
      ],
      refused: [{ name: "odd", why: "inputSchema: Invalid input" }],
      warnings: ["its pages lead back to one that was read already"],
      skipped_lines: 2,
      left_running: 0,
    },
    params: { name: "local/github" },
    names: "mcp/github__search\nmcp/github__purge",
  },
  {
    argv: "mcp refresh local/github",
    method: "_cleveragents/registry/mcp/refresh",
    result: {
      servers: [
        {
          name: "local/github",
          status: "refreshed",
          tools: 12,
          added: ["a", "b"],
          removed: ["c"],
          changed: [],
        },
        {
          name: "local/broken",
          status: "failed",
          tools: 3,
          reason: "MCP_CONNECTION",
          message: "MCP server local/broken: it ended with exit code 1: missing API key",
        },
      ],
    },
    params: { name: "local/github" },
    names: "local/github\nlocal/broken",
  },
  {
    argv: "lsp test local/pyright --project local/app",
    method: "_cleveragents/registry/lsp/test",
    result: {
      name: "local/pyright",
      server: { name: "pyright", version: "1.1.414" },
      capabilities: ["diagnostics", "hover", "rename"],
      position_encoding: "utf-16",
      diagnostics: "pull",
      started_ms: 240,
      enforcement: "full",
      tried: { path: "app/main.py", errors: 2, warnings: 0, stale: false },
      left_running: 0,
    },
    params: { name: "local/pyright", project: "local/app" },
    names: "local/pyright",
  },
  {
    argv: `trust add mcp local/github --digest ${DIGEST}`,
    method: "_cleveragents/trust/add",
    result: consent,
    params: { kind: "mcp", name: "local/github", digest: DIGEST },
    names: DIGEST,
  },
  {
    argv: "trust remove mcp local/github",
    method: "_cleveragents/trust/remove",
    result: { removed: [consent] },
    params: { kind: "mcp", name: "local/github" },
    names: DIGEST,
  },
  ...ENTRY_CASES,
  ...RESOURCE_CASES,
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
  {
    argv: "sandbox list",
    method: "_cleveragents/sandbox/list",
    result: page("sandboxes", sandbox),
    params: {},
    names: PLAN_ID,
  },
  {
    argv: `sandbox gc ${PLAN_ID} --older-than 2 --force`,
    method: "_cleveragents/sandbox/gc",
    result: { ...page("sandboxes", { ...sandbox, removed: true }), bytes_freed: 4_200_000, dry_run: false },
    params: { plan_id: PLAN_ID, older_than: 7200 },
    names: PLAN_ID,
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
  ...SKILL_CASES,
  {
    argv: "policy explain sudo rm x --profile team/careful",
    method: "_cleveragents/policy/explain",
    result: explained,
    params: { command: ["sudo", "rm", "x"], profile: "team/careful" },
    names: "deny",
  },
  { argv: "health check", method: "_cleveragents/health/check", result: health, params: {}, names: "store" },
];

function cliOf({ method, result, more = {} }: Case): FakeCli {
  return new FakeCli({ columns: 100, ...more, calls: { ...more.calls, [method]: result as object } });
}

describe.each(CASES)("agents $argv", (given) => {
  const argv = given.argv.split(" ");

  test("shows its result as text on stdout", async () => {
    const cli = cliOf(given);
    expect(await cli.run(...argv)).toBe(0);
    await expect(`${cli.stdout}-- stderr --\n${cli.stderr}`).toMatchFileSnapshot(
      `golden/${argv
        .slice(0, 3)
        .join("-")
        .replace(/[^\w-]+/g, "_")}.txt`,
    );
  });

  test("prints the method's result itself with -o json", async () => {
    const cli = cliOf(given);
    expect(await cli.run(...argv, "-o", "json")).toBe(0);
    expect(JSON.parse(cli.stdout)).toEqual(JSON.parse(JSON.stringify(given.result)));
  });

  test("prints names with -o name", async () => {
    const cli = cliOf(given);
    await cli.run(...argv, "-o", "name");
    expect(cli.stdout).toBe(`${given.names}\n`);
  });

  test("sends its parameters and reads stdin only when told to", async () => {
    const cli = cliOf(given);
    await cli.run(...argv);
    const sent = JSON.parse(JSON.stringify(cli.paramsOf(given.method))) as Record<string, unknown>;
    expect(sent).toMatchObject(given.params);
    expect(cli.stdinRead).toBe(argv.includes("-"));
  });
});

/** Commands with tests of their own beside this one, or beside what they are made of. */
const TESTED_APART = [
  ...["actor test", "usage", "version", "completion"],
  ...["config list", "config get", "config set", "config unset"],
];

test("every command of the table is among the cases above, or has tests of its own", () => {
  const lines = CASES.map(({ argv }) => `${argv.replace(/^a2a session/, "session")} `);
  const paths = commandRows.map(({ path }) => path.join(" ").replace(/^a2a session/, "session"));
  const apart = [...TESTED_APART, ...a2aCommands.map(({ path }) => path.join(" "))];
  const rest = paths.filter((path) => !lines.some((line) => line.startsWith(`${path} `)));
  expect(rest.filter((path) => !apart.includes(path))).toEqual([]);
  expect(apart.filter((path) => !paths.includes(path))).toEqual([]);
});

test("an empty list is exit code 0, a word for people and [] for machines", async () => {
  const calls = { "_cleveragents/plan/list": planPage() };
  const text = new FakeCli({ calls });
  expect(await text.run("plan", "list")).toBe(0);
  expect(text.stdout).toBe("No plans. agents plan use ACTION makes one.\n");
  const json = new FakeCli({ calls });
  expect(await json.run("plan", "list", "-o", "json")).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({ plans: [] });
  const name = new FakeCli({ calls });
  expect(await name.run("plan", "list", "-o", "name")).toBe(0);
  expect(name.stdout).toBe("");
});

test("a command that is one word is asked about as the shell reads it", async () => {
  const cli = new FakeCli({ calls: { "_cleveragents/policy/explain": explained } });
  await cli.run("policy", "explain", "ls && rm -rf x");
  expect(cli.paramsOf("_cleveragents/policy/explain")).toMatchObject({ command: "ls && rm -rf x" });
  const words = new FakeCli({ calls: { "_cleveragents/policy/explain": explained } });
  await words.run("policy", "explain", "--profile", "ci", "--", "rm", "-rf", "--no-color", "x");
  expect(words.paramsOf("_cleveragents/policy/explain")).toMatchObject({
    command: ["rm", "-rf", "--no-color", "x"],
    profile: "ci",
  });
});

test("a budget is given by kinds, and a kind that is none is wrong usage", async () => {
  const cli = new FakeCli({ calls: { "_cleveragents/plan/use": used } });
  expect(
    await cli.run("plan", "use", "local/fix", "--budget", "tool_calls=5", "--budget", "cost_usd=0.5"),
  ).toBe(0);
  expect(cli.paramsOf("_cleveragents/plan/use")).toMatchObject({ budget: { tool_calls: 5, cost_usd: 0.5 } });
  for (const budget of ["beer=1", "tokens", "tokens=many", "tokens=-1"])
    expect(await new FakeCli().run("plan", "use", "local/fix", "--budget", budget), budget).toBe(2);
});

test("a further page is named on stderr", async () => {
  const cli = new FakeCli({
    calls: {
      "_cleveragents/plan/list": { ...planPage(planItem(PLAN_ID)), total: 7, next_page_token: "abc" },
    },
  });
  await cli.run("plan", "list");
  expect(cli.stderr).toBe("There are more (7 in all): --page-token abc\n");
});

test("an agent that does not work as it should is exit code 1", async () => {
  const cli = new FakeCli({ calls: { "_cleveragents/health/check": { ...health, status: "degraded" } } });
  expect(await cli.run("health", "check")).toBe(1);
});

test("plan use names no folder when a project is given", async () => {
  const cli = new FakeCli({ calls: { "_cleveragents/plan/use": used } });
  await cli.run("plan", "use", "local/fix", "--project", "local/app");
  expect(cli.paramsOf("_cleveragents/plan/use")).toMatchObject({
    project: "local/app",
    working_directory: undefined,
  });
});

test("an argument without = is wrong usage, and nothing is sent", async () => {
  const cli = new FakeCli();
  expect(await cli.run("plan", "use", "local/fix", "--arg", "file")).toBe(2);
  expect(cli.stderr).toBe('error: --arg is written name=value, not "file"\n');
  expect(cli.connections).toEqual([]);
});

test("a file that is not there is exit code 2", async () => {
  const cli = new FakeCli();
  expect(await cli.run("action", "add", "nope.yaml")).toBe(2);
  expect(cli.stderr).toBe("error: cannot read nope.yaml: there is no such file\n");
});

test("approving changes without their digest is refused, with the way to do it", async () => {
  const cli = new FakeCli({ calls: { "_cleveragents/plan/status": STATUS } });
  expect(await cli.run("plan", "approve", PLAN_ID)).toBe(2);
  expect(cli.stderr).toContain(`hint: agents plan diff ${PLAN_ID}, then agents plan apply ${PLAN_ID}`);
  expect(cli.paramsOf("_cleveragents/plan/approve")).toBeUndefined();
});

test("what a plan says cannot steer the terminal", async () => {
  const cli = new FakeCli({
    isTTY: true,
    env: { NO_COLOR: "1" },
    calls: { "_cleveragents/plan/status": { ...RUNNING, description: "a\u001b]0;x\u0007b" } },
  });
  await cli.run("plan", "status", PLAN_ID);
  expect(cli.stdout).toContain("a\\x1b]0;x\\x07b");
});

test("colour adds codes and changes no word", async () => {
  const calls = { "_cleveragents/plan/status": STATUS };
  const [plain, coloured] = [new FakeCli({ calls }), new FakeCli({ calls, env: { FORCE_COLOR: "1" } })];
  await plain.run("plan", "status", PLAN_ID);
  await coloured.run("plan", "status", PLAN_ID);
  expect(coloured.stdout).not.toBe(plain.stdout);
  expect(coloured.stdout.replaceAll(SGR, "")).toBe(plain.stdout);
});

test("a document may be named as FILE, by --config, or on stdin, and has to be", async () => {
  const calls = { "_cleveragents/registry/tool/add": { name: "local/x" } };
  const files = { "x.yaml": "name: x" };
  for (const argv of [
    ["tool", "add", "x.yaml", "--trust"],
    ["tool", "add", "--config", "x.yaml", "--trust"],
  ]) {
    const cli = new FakeCli({ calls, files });
    expect(await cli.run(...argv)).toBe(0);
    expect(cli.paramsOf("_cleveragents/registry/tool/add")).toEqual({
      document: "name: x",
      file: "x.yaml",
      update: false,
      trust: true,
    });
  }
  const none = new FakeCli({ calls });
  expect(await none.run("tool", "add")).toBe(2);
  expect(none.stderr).toBe("error: FILE is missing\n");
});
