import { confines, isTerminal, type PlanSandbox } from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import type { SandboxProgress } from "../ports/workspace.ts";
import { assertIsolation, demandOf } from "./isolation.ts";
import { SandboxTelling } from "./sandbox-telling.ts";
import { deriveSandbox } from "./subplans/handing-over.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** A turn of its own: makes the copy that the plan works on, and has the plan know it. */
export async function makeSandbox(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
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
  const tell = (progress: SandboxProgress) => telling.tell(progress);
  const sandbox =
    plan.parent === undefined
      ? await deps.workspace.create(plan.planId, plan.project.path, turn.signal, tell)
      : await deriveSandbox(deps, turn, plan.parent, tell);
  await telling[Symbol.asyncDispose]();
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.sandbox.created");
  try {
    await turn.writer.write({ ...plan, sandbox: { ...sandbox.state, ...isolation } }, "working", [
      {
        key: plan.attempt === 1 ? "sandbox:created" : `sandbox:created:${plan.attempt}`,
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
