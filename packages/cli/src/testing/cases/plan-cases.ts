import {
  APPLIED,
  APPLY_ASK,
  askMessage,
  DIFF,
  DIGEST,
  PLAN_ID,
  planItem,
  planPage,
  STATUS,
  statusUpdate,
  taskItem,
} from "../samples.ts";
import { AT, type Case } from "./case.ts";

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

const FAILED = {
  ...STATUS,
  state: "failed",
  task_state: "TASK_STATE_FAILED",
  waiting_for: undefined,
  changes: undefined,
  digest: undefined,
  error: {
    reason: "COMMAND_FAILED",
    message: "npm test: exit code 1",
    step: "run npm test",
    recoverable: false,
    output: "1 failed\n2 passed",
  },
};
const working = (event: object) => statusUpdate("TASK_STATE_WORKING", event);

/** Plans from their making to their end. */
export const PLAN_CASES: readonly Case[] = [
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
      calls: { "_cleveragents/plan/diff": DIFF },
      streams: [
        [
          taskItem("TASK_STATE_INPUT_REQUIRED"),
          statusUpdate("TASK_STATE_INPUT_REQUIRED", undefined, askMessage(APPLY_ASK)),
        ],
      ],
    },
  },
  {
    argv: `plan execute ${PLAN_ID}`,
    method: "_cleveragents/plan/status",
    result: FAILED,
    params: { plan_id: PLAN_ID },
    names: PLAN_ID,
    code: 12,
    more: {
      calls: {
        "_cleveragents/plan/execute": {
          plan_id: PLAN_ID,
          phase: "execute",
          state: "running",
          attempt: 1,
          already: false,
        },
      },
      streams: [
        [
          taskItem("TASK_STATE_INPUT_REQUIRED"),
          working({ event: "plan.phase_changed", phase: "execute", state: "processing" }),
          working({
            event: "model.answered",
            model: "openai/gpt-4o",
            usage: { input: 1200, output: 34 },
            cost_usd: 0.0123,
          }),
          working({
            event: "decision.created",
            decision_id: "d",
            question: "How?",
            chosen: "edit",
            confidence: 0.8,
          }),
          working({ event: "tool.invoked", tool: "builtin/shell" }),
          working({ event: "step.started", index: 0, label: "run npm test", kind: "run" }),
          working({ event: "tool.output", chunk: "1 failed\u001b[2J\n", stream: "stdout" }),
          working({ event: "plan.child_started", step: 0, subplan: "docs", child_plan: PLAN_ID }),
          working({ event: "plan.child_merged", step: 0, subplan: "docs", child_plan: PLAN_ID }),
          working({ event: "budget.warning", budget: "tool_calls", limit: 5, used: 4 }),
          working({ event: "step.finished", index: 0, label: "run npm test", status: "failed" }),
          working({ event: "plan.errored", reason: "COMMAND_FAILED", message: "npm test: exit code 1" }),
          statusUpdate("TASK_STATE_FAILED"),
        ],
      ],
    },
  },
];
