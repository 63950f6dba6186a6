import { confines, isTerminal, type PlanSandbox, type PlanStep } from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import { runChecks } from "./checking.ts";
import { overdue } from "./deadline.ts";
import { fail } from "./failing.ts";
import { assertIsolation, demandOf } from "./isolation.ts";
import { offerChangeset } from "./offer-changeset.ts";
import { moved } from "./plan-document.ts";
import { runStep } from "./run-step.ts";
import { SandboxTelling } from "./sandbox-telling.ts";
import { stepLabel } from "./script-steps.ts";
import { stageEvent } from "./strategize.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** execute/queued: lists the steps and begins. */
export async function beginExecute(_deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const steps: PlanStep[] =
    turn.plan.steps.length > 0
      ? [...turn.plan.steps]
      : turn.plan.script.steps.map((step, index) => ({
          index,
          kind: step.kind,
          label: stepLabel(step),
          status: "pending",
        }));
  const next = moved({ ...turn.plan, steps }, { phase: "execute", state: "processing" });
  await turn.writer.write(next, "working", [stageEvent(next, { steps: steps.length })]);
  return "continue";
}

/** execute/processing: makes the sandbox, or runs the next step, or closes the phase. */
export async function execute(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const { plan } = turn;
  if (plan.sandbox === undefined) return makeSandbox(deps, turn);
  const sandbox = await deps.workspace.open(plan.planId, plan.project.path, plan.sandbox);
  const step = plan.steps.find(
    (candidate) => candidate.status === "pending" || candidate.status === "running",
  );
  if (step === undefined)
    return (await runChecks(deps, turn, sandbox)) ?? (await offerChangeset(deps, turn, sandbox));
  const late = overdue(plan, deps.clock.now(), step.index);
  if (late !== undefined) return fail(deps, turn, plan, late);
  // The host may be another one by now, or no longer what it was: nothing runs less isolated than has been shown.
  await assertIsolation(deps, {
    demand: demandOf(plan),
    shown: plan.sandbox.enforcement,
    environment: plan.environment,
  });
  return runStep(deps, turn, sandbox, step);
}

async function makeSandbox(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const { plan } = turn;
  const { level, why, limits } = await assertIsolation(deps, {
    demand: demandOf(plan),
    environment: plan.environment,
  });
  const isolation: Pick<PlanSandbox, "enforcement" | "enforcementReason" | "limits"> = {
    enforcement: level,
    ...(confines(level) ? {} : { enforcementReason: why }),
    ...(limits === undefined ? {} : { limits }),
  };
  await using telling = new SandboxTelling(turn);
  const sandbox = await deps.workspace.create(plan.planId, plan.project.path, turn.signal, (progress) =>
    telling.tell(progress),
  );
  await telling[Symbol.asyncDispose]();
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.sandbox.created");
  try {
    await turn.writer.write({ ...plan, sandbox: { ...sandbox.state, ...isolation } }, "working", [
      {
        key: "sandbox:created",
        name: "sandbox.created",
        data: {
          kind: sandbox.state.kind,
          enforcement: level,
          ...(confines(level) ? {} : { enforcement_reason: why }),
          ...(limits === undefined ? {} : { limits }),
          warnings: [...sandbox.state.warnings],
        },
      },
    ]);
  } catch (error) {
    // Cancelled meanwhile, the plan does not know of its sandbox, so nobody else would remove it.
    const row = await deps.store.load(plan.planId);
    if (row !== undefined && isTerminal(row.state)) await sandbox.dispose();
    throw error;
  }
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.sandbox.committed");
  return "continue";
}
