import { type JsonObject, type Plan, type PlanStep, withAppended } from "@cleveragents/domain";
import { runChecks } from "./checking.ts";
import { sourceOf } from "./decision-source.ts";
import { makeSandbox } from "./make-sandbox.ts";
import { offerChangeset } from "./offer-changeset.ts";
import { moved } from "./plan-document.ts";
import { stageEvent } from "./strategize.ts";
import { handOver } from "./subplans/handing-over.ts";
import { spawn } from "./subplans/spawning.ts";
import { stepWithChildren, tendChildren } from "./subplans/tending.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** execute/queued: lists the steps and begins. */
export async function beginExecute(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const { plan } = turn;
  const own = plan.steps.length > 0 ? plan.steps : sourceOf(deps, plan, "execution").steps(plan);
  const steps = withAppended(own, plan.appended);
  const next = moved({ ...plan, steps }, { phase: "execute", state: "processing" });
  await turn.writer.write(next, "working", [stageEvent(next, { steps: steps.length })]);
  return "continue";
}

/** execute/processing: makes the sandbox, or runs the next step, or closes the phase. */
export async function execute(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const { plan } = turn;
  if (plan.sandbox === undefined) return makeSandbox(deps, turn);
  const sandbox = await deps.workspace.open(plan.planId, plan.project.path, plan.sandbox);
  const spawned = stepWithChildren(plan);
  if (spawned !== undefined) return tendChildren(deps, turn, sandbox, spawned);
  const added = addedStep(plan);
  if (added?.subplans !== undefined)
    return spawn(deps, turn, sandbox, added, added.subplans as unknown as JsonObject);
  return (
    (await sourceOf(deps, plan, "execution").next(deps, turn, sandbox)) ??
    (await runChecks(deps, turn, sandbox)) ??
    (plan.parent === undefined
      ? await offerChangeset(deps, turn, sandbox)
      : await handOver(deps, turn, sandbox, plan.parent))
  );
}

/** What somebody has added, when it is its turn: what decides for the plan does not know of it. */
function addedStep({ steps }: Plan): PlanStep | undefined {
  const next = steps.find(({ status }) => status === "pending" || status === "running");
  return next?.addedBy === undefined ? undefined : next;
}
