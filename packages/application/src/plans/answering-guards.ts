import {
  type AskAnswer,
  type AskRequest,
  approve,
  BUDGET_KINDS,
  type Plan,
  type PlanStep,
  raised,
} from "@cleveragents/domain";
import { verdictEvent, withVerdict } from "./check-calls.ts";
import { MOST_REPAIRS } from "./constraining.ts";
import { sourceOf } from "./decision-source.ts";
import { fail } from "./failing.ts";
import { guardingOf } from "./guarding-call.ts";
import { without } from "./plan-document.ts";
import { planAccount } from "./shared-budgets.ts";
import { finishStep, withStep } from "./step-progress.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** The call may be made; the step begins again and its guards find the approval. */
export async function callAllowed(
  turn: Turn,
  plan: Plan,
  ask: AskRequest,
  key: string,
  answer: AskAnswer,
): Promise<TurnOutcome> {
  const guard = String(ask.details?.["guard"]);
  const call = String(ask.details?.["call"]);
  const once = answer.choice !== "always";
  const next: Plan = { ...plan, guarding: approve(guardingOf(plan), { guard, key: call, once }) };
  await turn.writer.write(
    next,
    "working",
    [{ key: `taken:${key}`, name: "guard.approved", data: { guard, once, by: answer.by } }],
    { inbox: { take: [key] } },
  );
  return "continue";
}

/** The step fails without having begun. */
export async function callDenied(
  deps: PlanDeps,
  turn: Turn,
  plan: Plan,
  ask: AskRequest,
  key: string,
): Promise<TurnOutcome> {
  if (ask.step === undefined) return checkDenied(turn, plan, ask, key);
  const step = plan.steps[ask.step] as PlanStep; // a guard asks about a step's call
  const message = `${step.label} was denied`;
  const goesOn = sourceOf(deps, plan, "execution").refused?.(plan, step);
  if (goesOn !== undefined) {
    const refused = {
      key: `taken:${key}`,
      name: "guard.refused",
      data: { guard: ask.details?.["guard"] ?? "" },
    };
    await finishStep(turn, goesOn, { ...step, status: "failed", detail: message }, [refused], [key]);
    return "continue";
  }
  return fail(
    deps,
    turn,
    withStep(plan, { ...step, status: "failed", detail: message }),
    { reason: "GUARD_DENIED", message, step: step.index, recoverable: true },
    [key],
  );
}

/** A check that may not be run has not shown that anything holds; a repair that may not be made is not made again. */
async function checkDenied(turn: Turn, plan: Plan, ask: AskRequest, key: string): Promise<TurnOutcome> {
  const id = ask.details?.["check"];
  const check = plan.checks?.find((candidate) => candidate.id === id);
  const next: Plan =
    check === undefined
      ? { ...plan, repairs: { attempt: plan.attempt, count: MOST_REPAIRS } }
      : withVerdict(plan, check, { passed: false, message: "it was denied to run" }, 0);
  await turn.writer.write(
    next,
    "working",
    [
      { key: `taken:${key}`, name: "guard.refused", data: { guard: ask.details?.["guard"] ?? "" } },
      ...(check === undefined ? [] : [verdictEvent(next, check.id)]),
    ],
    { inbox: { take: [key] } },
  );
  return "continue";
}

export async function budgetRaised(
  turn: Turn,
  plan: Plan,
  ask: AskRequest,
  key: string,
  answer: AskAnswer,
): Promise<TurnOutcome> {
  const kind = BUDGET_KINDS.find((known) => known === ask.details?.["budget"]);
  const limit = raisedLimit(ask, answer.text);
  if (kind === undefined || limit === undefined) throw new Error("the service lets no such answer through");
  const account = ask.details?.["account"];
  // What a plan shares with those that it has started is its own budget too.
  const own = account === undefined || account === planAccount(plan.planId);
  await turn.writer.write(
    { ...without(plan, "failure"), ...(own ? { guarding: raised(guardingOf(plan), kind, limit) } : {}) },
    "working",
    [
      {
        key: `taken:${key}`,
        name: "budget.raised",
        data: { budget: kind, limit, by: answer.by, ...(account === undefined ? {} : { account }) },
      },
    ],
    {
      inbox: { take: [key] },
      ...(typeof account === "string" ? { raised: { account, kind, limit } } : {}),
    },
  );
  return "continue";
}

/** The limit that an answer names, or the one that was offered; undefined if it would leave nothing to use. */
export function raisedLimit({ details }: AskRequest, text: string | undefined): number | undefined {
  const limit = text === undefined ? Number(details?.["raise_to"]) : Number(text.trim() || "NaN");
  return Number.isFinite(limit) && limit > Number(details?.["used"]) ? limit : undefined;
}
