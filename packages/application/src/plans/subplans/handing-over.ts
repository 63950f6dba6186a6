import { type ParentPlan, summaryOf } from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../../ports/fail-point.ts";
import { type Sandbox, WorkspaceError } from "../../ports/workspace.ts";
import { moved, planOf, without } from "../plan-document.ts";
import { SandboxTelling } from "../sandbox-telling.ts";
import type { PlanDeps, Turn, TurnOutcome } from "../turn.ts";

/** Paths that a plan remembers of what it changed. */
const TOUCHED = 200;

/** A plan that is part of another one ends when it has done its work: what it has left is the other one's to merge. */
export async function handOver(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  parent: ParentPlan,
): Promise<TurnOutcome> {
  const { plan, writer } = turn;
  await using telling = new SandboxTelling(turn);
  const compared = await sandbox.compare(undefined, undefined, (progress) => telling.tell(progress));
  const { changeset, digest, to: tree } = compared;
  const patch = changeset.files.length === 0 ? "" : await compared.patch();
  await telling[Symbol.asyncDispose]();
  if (changeset.files.length > 0) await deps.changesets.put({ digest, changeset, patch });
  // From here on it is kept for as long as the other plan, whatever becomes of this one's copy.
  await deps.workspace.keep(parent.planId, plan.project.path, tree);
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.child.kept");
  const over = moved(
    {
      ...without(plan, "failure"),
      changeset: { digest, summary: summaryOf(changeset) },
      handedOver: tree,
      touched: changeset.files.slice(0, TOUCHED).map(({ path }) => path),
      finishedAt: deps.clock.now(),
    },
    { phase: "execute", state: "complete" },
    { phase: "apply", state: "queued" },
    { phase: "apply", state: "processing" },
    { phase: "apply", state: "applied" },
  );
  const { files, insertions, deletions } = changeset.stats;
  await writer.write(over, "completed", [
    {
      key: "handed-over",
      name: "plan.handed_over",
      data: { parent_plan: parent.planId, digest, files, insertions, deletions },
    },
  ]);
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.child.handed");
  return "done";
}

/** The copy of a plan that is part of another one, made of what that one had when it started it. */
export async function deriveSandbox(
  deps: PlanDeps,
  { plan, signal }: Pick<Turn, "plan" | "signal">,
  parent: ParentPlan,
  progress: Parameters<PlanDeps["workspace"]["derive"]>[3],
): Promise<Sandbox> {
  const row = await deps.store.load(parent.planId);
  const from = row === undefined ? undefined : planOf(row).sandbox;
  if (from === undefined || from.disposed === true)
    throw new WorkspaceError("SANDBOX_GONE", "the copy of the plan that it is part of is gone");
  const { tree, planId, view } = parent;
  return deps.workspace.derive(
    plan.planId,
    { planId, projectRoot: plan.project.path, state: from, tree, view },
    signal,
    progress,
  );
}
