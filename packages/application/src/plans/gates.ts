import {
  type AskRequest,
  type BudgetBreach,
  type Changeset,
  type JsonObject,
  type Plan,
  type PlanFailure,
  type PlanStep,
  summaryOf,
} from "@cleveragents/domain";
import type { CallQuestion } from "../ports/tool-provider.ts";
import type { GuardVerdict } from "../tools/tool-guard.ts";
import type { ToolCall } from "../tools/tool-runner.ts";

export type AskDraft = Omit<AskRequest, "requestId" | "createdAt" | "planId">;
type Draft = AskDraft;

const YES_NO = [
  { id: "yes", label: "Go on" },
  { id: "no", label: "Cancel the plan" },
];

/** What a plan asks at each of its gates. The first option is the yes, the second the no. */
export function startAsk(plan: Plan, phase: "strategize" | "execute"): Draft {
  const what = phase === "strategize" ? "decide how to do this" : "carry this out in a sandbox";
  return {
    kind: "start",
    prompt: `Plan ${plan.planId} (${plan.action} on ${plan.project.name}) is ready to ${what}. Shall it?`,
    options: YES_NO,
    freeText: false,
  };
}

/** After a plan was taken back to a checkpoint: nothing goes on before somebody says so. */
export function restartAsk(plan: Plan): Draft {
  const ended = plan.steps.filter(({ status }) => status === "done" || status === "skipped").length;
  return {
    kind: "start",
    prompt: `Plan ${plan.planId} is back at what it was after ${ended} of ${plan.steps.length} steps. Shall it go on from there?`,
    options: YES_NO,
    freeText: false,
  };
}

export function applyAsk(plan: Plan, digest: string, changeset: Changeset): Draft {
  const { files, insertions, deletions } = summaryOf(changeset);
  return {
    kind: "apply",
    prompt: `Apply ${files} changed file${files === 1 ? "" : "s"} (+${insertions} -${deletions}) to ${plan.project.name}?`,
    options: [
      { id: "yes", label: "Apply the changes" },
      { id: "no", label: "Reject them" },
    ],
    freeText: false,
    digest,
  };
}

/** Failures that a credential mends: of a model, or of an MCP server. */
const WANT_CREDENTIAL: ReadonlySet<string> = new Set(["MODEL_AUTH", "MCP_AUTHENTICATION"]);

export function retryAsk(failure: PlanFailure): Draft {
  return {
    kind: "retry",
    ...(WANT_CREDENTIAL.has(failure.reason) ? { credential: true as const } : {}),
    prompt: `${failure.message}. Try again from there?`,
    options: [
      { id: "retry", label: "Try again" },
      { id: "give-up", label: "Give up" },
    ],
    freeText: false,
    ...(failure.step === undefined ? {} : { step: failure.step }),
  };
}

export function questionAsk(
  step: number,
  question: string,
  options: readonly { id: string; label?: string | undefined }[],
  freeText: boolean | undefined,
): Draft {
  return {
    kind: "question",
    prompt: question,
    options: options.map(({ id, label }) => ({ id, label: label ?? id })),
    freeText: freeText ?? options.length === 0,
    step,
  };
}

/** What a call asks in its middle. `details.input` says what the answer is kept as. */
export function callAsk(step: PlanStep, { key, prompt, options, freeText, details }: CallQuestion): Draft {
  return {
    kind: "question",
    prompt,
    options,
    freeText,
    step: step.index,
    details: { ...details, input: key },
  };
}

/** May this call be made? Which one it is stands in `details`, so that the answer is for no other. */
export function guardAsk(step: PlanStep, call: ToolCall, key: string, said: GuardVerdict): Draft {
  return {
    kind: "guard",
    prompt: `${step.label}: ${said.reason}. Shall it run?`,
    options: [
      { id: "allow", label: "Run it, this once" },
      { id: "deny", label: "Do not run it" },
      { id: "always", label: "Run it, and the same call whenever this plan makes it" },
    ],
    freeText: false,
    step: step.index,
    details: { guard: said.guard, reason: said.reason, tool: call.tool, call: key },
  };
}

/** May the plan use more? An amount may come with the answer, else it gets as much again as it had. */
export function budgetAsk(
  step: PlanStep,
  { kind, limit, used, account }: BudgetBreach,
  initial: number,
): Draft {
  const more = Math.max(limit, used) + Math.max(initial, 1);
  return {
    kind: "budget",
    prompt: `The budget of ${limit} ${BUDGET_WORDS[kind]}${account === undefined ? "" : ` (${account})`} is used up (${used} used) before "${step.label}". Raise it to ${more}?`,
    options: [
      { id: "raise", label: `Go on with ${more}, or with the number in the answer's text` },
      { id: "stop", label: "End the plan" },
    ],
    freeText: false,
    step: step.index,
    details: { budget: kind, limit, used, raise_to: more, ...(account === undefined ? {} : { account }) },
  };
}

const BUDGET_WORDS: Readonly<Record<BudgetBreach["kind"], string>> = {
  tool_calls: "tool calls",
  cost_usd: "USD",
  tokens: "tokens",
  seconds: "seconds",
};

/** Facts of an ask for the event that announces it. */
export function askData(ask: AskRequest): JsonObject {
  return {
    request_id: ask.requestId,
    kind: ask.kind,
    ...(ask.digest === undefined ? {} : { digest: ask.digest }),
    ...(ask.step === undefined ? {} : { step: ask.step }),
    ...(ask.details === undefined ? {} : { details: ask.details }),
  };
}
