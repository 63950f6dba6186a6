import {
  canonicalName,
  type Decision,
  type JsonObject,
  MAX_DEPTH,
  newChildren,
  type Plan,
  type PlanStep,
  type Subplans,
  SubplansSchema,
} from "@cleveragents/domain";
import type { Sandbox } from "../../ports/workspace.ts";
import { ask } from "../asking.ts";
import { confidenceOf } from "../assessing.ts";
import { decisionEvent, newDecision } from "../deciding.ts";
import { contextOf } from "../decision-context.ts";
import { fail } from "../failing.ts";
import { budgetAsk, guardAsk } from "../gates.ts";
import { charged, exceededEvent, factsOf, guardEvent } from "../guarding-call.ts";
import type { NamedEvent } from "../plan-writer.ts";
import { withOwnAccount } from "../shared-budgets.ts";
import { checkpointBefore, startEvent, withStep } from "../step-progress.ts";
import type { PlanDeps, Turn, TurnOutcome } from "../turn.ts";
import { SUBPLAN_TOOL } from "./subplan-tool.ts";

/**
 * Lets a step start plans, if the profile's `install_dependency` lets it or somebody has said so: what they are, and that
 * it was decided, is committed before any of them is made.
 */
export async function spawn(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  step: PlanStep,
  args: JsonObject,
): Promise<TurnOutcome> {
  const { plan, writer } = turn;
  const stop = (reason: string, message: string, recoverable = false) =>
    fail(deps, turn, withStep(plan, { ...step, status: "failed", detail: message }), {
      reason,
      message: `${step.label} failed: ${message}`,
      step: step.index,
      recoverable,
    });
  const parsed = SubplansSchema.safeParse(args);
  if (!parsed.success)
    return stop(
      "TOOL_ARGUMENTS",
      parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
    );
  const problem = spawnProblem(deps, plan, parsed.data);
  if (problem !== undefined) return stop("NOT_AVAILABLE", problem);
  const call = { callId: `a${plan.attempt}:step:${step.index}`, tool: SUBPLAN_TOOL, args };
  const { value: confidence } = await confidenceOf(deps.store, plan);
  const facts = { ...(await factsOf(plan, step, call, deps.tools.find(SUBPLAN_TOOL))), confidence };
  const said = deps.tools.judge(call, facts);
  if ("error" in said) return stop(said.error.reason, said.error.message, true);
  if ("asked" in said) {
    const { breach } = said.asked;
    if (breach === undefined)
      return ask(deps, turn, withStep(plan, step), guardAsk(step, call, facts.call.key, said.asked), [
        guardEvent("guard.asked", call, said.asked),
      ]);
    const failure = {
      reason: "BUDGET_EXCEEDED",
      message: said.asked.reason,
      step: step.index,
      recoverable: true,
    };
    const draft = budgetAsk(step, breach, plan.budget?.[breach.kind] ?? breach.limit);
    return ask(deps, turn, { ...withStep(plan, step), failure }, draft, [exceededEvent(call.callId, breach)]);
  }
  const tries = (step.tries ?? 0) + 1;
  const running: PlanStep = {
    ...step,
    status: "running",
    tries,
    subplans: parsed.data,
    children: newChildren(parsed.data),
    tree: checkpointBefore(plan, step, sandbox),
  };
  const decided = await spawnDecisions(deps, plan, running, parsed.data);
  const accounts = withOwnAccount(plan);
  const shares = accounts === undefined ? {} : { accounts };
  const paid = charged(
    { ...plan, ...shares, toolCalls: plan.toolCalls + 1 },
    facts,
    SUBPLAN_TOOL,
    tries,
    said.allowed,
  );
  const spawned: NamedEvent = {
    key: `a${plan.attempt}:step:${step.index}:spawned`,
    name: "plan.subplans_spawned",
    data: {
      step: step.index,
      mode: parsed.data.mode,
      subplans: parsed.data.plans.map(({ id, action }) => ({ id, action })),
    },
  };
  await writer.write(
    { ...withStep(paid.plan, running), decisions: [...plan.decisions, ...decided] },
    "working",
    [startEvent(plan, running), ...paid.events, ...decided.map(decisionEvent), spawned],
  );
  return "continue";
}

function spawnProblem(
  { children }: Pick<PlanDeps, "children">,
  plan: Plan,
  { plans }: Subplans,
): string | undefined {
  if (children === undefined) return "plans cannot start plans here";
  if ((plan.parent?.depth ?? 0) >= MAX_DEPTH) return `subplans of subplans go ${MAX_DEPTH} deep at most`;
  const other = plans.find(
    ({ project }) => project !== undefined && canonicalName(project) !== plan.project.name,
  );
  return other === undefined
    ? undefined
    : `${other.id} is for the project ${other.project}, and subplans work on the copy of ${plan.project.name} that this plan has`;
}

/** One decision for each, below one for all of them where there are several. */
async function spawnDecisions(
  deps: Pick<PlanDeps, "clock" | "ids">,
  plan: Plan,
  step: PlanStep,
  { plans, mode, merge_strategy }: Subplans,
): Promise<readonly Decision[]> {
  const context = await contextOf(plan);
  const parentId = step.addedBy ?? plan.decisions[0]?.decisionId ?? null;
  const of = (known: readonly Decision[]) => ({ ...plan, decisions: [...plan.decisions, ...known] });
  const frame = { phase: "execute" as const, step: step.index, context };
  const decided: Decision[] = [];
  if (plans.length > 1)
    decided.push(
      newDecision(deps, of(decided), {
        ...frame,
        type: "subplan_parallel_spawn",
        parentId,
        question: "Which subplans does it take?",
        chosen: plans.map(({ id }) => id).join(", "),
        rationale: `${mode}, ${merge_strategy}`,
        ...(step.decisions === undefined ? {} : { dependsOn: step.decisions }),
      }),
    );
  const above = decided[0]?.decisionId ?? parentId;
  for (const { id, action } of plans)
    decided.push(
      newDecision(deps, of(decided), {
        ...frame,
        type: "subplan_spawn",
        subplan: id,
        parentId: above,
        question: `What does ${id} do?`,
        chosen: action,
        ...(step.decisions === undefined ? {} : { dependsOn: step.decisions }),
      }),
    );
  return decided;
}
