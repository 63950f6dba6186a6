/** Results as the server sends them, for tests. */
export const PLAN_ID = "01J9K2TQ4M8R3V5W7X9Y0Z1A2B";
export const DIGEST = `sha256:${"7be1".repeat(16)}`;

const STAGE = { phase: "execute", state: "complete" };

export const APPLY_ASK = {
  request_id: "req-1",
  kind: "apply",
  prompt: "Apply 2 files to local/app?",
  options: [
    { id: "apply", label: "Apply" },
    { id: "reject", label: "Reject" },
  ],
  free_text: false,
  digest: DIGEST,
};

const CHANGES = {
  files: 2,
  created: 1,
  modified: 1,
  deleted: 0,
  renamed: 0,
  mode_changes: 0,
  binary: 0,
  insertions: 12,
  deletions: 3,
};

export const STATUS = {
  plan_id: PLAN_ID,
  ...STAGE,
  processing_state: "complete",
  task_state: "TASK_STATE_INPUT_REQUIRED",
  context_id: "ctx",
  action: "local/fix-tests",
  description: "make the tests pass",
  project: "local/app",
  automation: { profile: "supervised", source: "default" },
  attempt: 1,
  progress: { total_steps: 2, completed_steps: 2, current_step: null },
  steps: [
    { index: 0, label: "read the tests", kind: "read", status: "done" },
    { index: 1, label: "run them", kind: "run", status: "done", detail: "exit 0" },
  ],
  timing: { created: "2026-07-01T11:57:00Z" },
  execution: { sandbox: "git", enforcement: "full", warnings: [], tool_calls: 4, checkpoints: 2 },
  changes: CHANGES,
  digest: DIGEST,
  waiting_for: APPLY_ASK,
};

export const RUNNING = {
  ...STATUS,
  state: "running",
  task_state: "TASK_STATE_WORKING",
  waiting_for: undefined,
  changes: undefined,
  digest: undefined,
  progress: { total_steps: 2, completed_steps: 1, current_step: "run them" },
};

export const PATCH = `diff --git a/a.txt b/a.txt
index 257cc56..5716ca5 100644
--- a/a.txt
+++ b/a.txt
@@ -1 +1,2 @@
--- foo
+bar
+baz
`;

export const DIFF = {
  plan_id: PLAN_ID,
  digest: DIGEST,
  diff_summary: {
    plan: PLAN_ID,
    project: "local/app",
    files_changed: 2,
    insertions: 12,
    deletions: 3,
    net_change: "+9",
  },
  files: [
    {
      path: "src/auth/token.ts",
      status: "modified",
      change: "modified",
      binary: false,
      insertions: 10,
      deletions: 3,
    },
    { path: "docs/auth.md", status: "added", change: "added", binary: false, insertions: 2, deletions: 0 },
  ],
  risks: [],
  patch: PATCH,
};

export const APPLIED = {
  plan_id: PLAN_ID,
  phase: "apply",
  state: "applied",
  digest: DIGEST,
  project: "local/app",
  changes: CHANGES,
  applied_at: "2026-07-01T12:00:00Z",
  already: false,
};

export function planItem(plan_id: string, more: object = {}) {
  return {
    plan_id,
    phase: "execute",
    state: "running",
    task_state: "TASK_STATE_WORKING",
    action: "local/fix-tests",
    project: "local/app",
    created_at: "2026-07-01T11:57:00Z",
    updated_at: "2026-07-01T11:58:00Z",
    ...more,
  };
}

export function planPage(...plans: object[]) {
  return { plans, total: plans.length, next_page_token: "" };
}

export function statusUpdate(state: string, event?: object, message?: object) {
  return {
    statusUpdate: {
      taskId: PLAN_ID,
      contextId: "ctx",
      status: { state, timestamp: "2026-07-01T12:00:00Z", ...(message === undefined ? {} : { message }) },
      ...(event === undefined ? {} : { metadata: { "urn:cleveragents:extensions:v1": event } }),
    },
  };
}

export function taskItem(state: string) {
  return { task: { id: PLAN_ID, contextId: "ctx", status: { state, timestamp: "2026-07-01T12:00:00Z" } } };
}

export function askMessage(ask: object) {
  return {
    messageId: "m1",
    role: "ROLE_AGENT",
    parts: [{ text: "a question" }],
    metadata: { "urn:cleveragents:extensions:approval:v1": ask },
  };
}
