import {
  BaseDriftError,
  ChangesetRefusedError,
  DigestMismatchError,
  type Plan,
  type PlanFailure,
} from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import { WorkspaceError } from "../ports/workspace.ts";
import { ask } from "./asking.ts";
import { applyAsk } from "./gates.ts";
import { moved } from "./plan-document.ts";
import { stageEvent } from "./strategize.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** apply/queued: from here on the plan can no longer be cancelled, only finish or be refused. */
export async function beginApply(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const next = moved(turn.plan, { phase: "apply", state: "processing" });
  // Within one attempt a changeset may be refused and approved again, and each time is an event of its own.
  await turn.writer.write(next, "working", [{ ...stageEvent(next), key: `applying:${deps.ids.next()}` }]);
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.apply.begun");
  return "continue";
}

/** apply/processing: writes the approved changeset. Run again after a crash, it finds it there and goes on. */
export async function apply(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const { plan, writer } = turn;
  const offered = plan.changeset;
  if (offered === undefined || plan.sandbox === undefined)
    throw new Error("a plan is applied without a changeset");
  try {
    const sandbox = await deps.workspace.open(plan.planId, plan.project.path, plan.sandbox);
    const toTree = (await sandbox.compare()).to;
    const files = await deps.workspace.apply(sandbox, {
      planId: plan.planId,
      digest: offered.digest,
      toTree,
    });
    if (WITH_FAIL_POINTS) deps.failPoint?.("plan.apply.written");
    const applied = moved({ ...plan, finishedAt: deps.clock.now() }, { phase: "apply", state: "applied" });
    const { summary } = offered;
    const text = `Applied ${summary.files} file${summary.files === 1 ? "" : "s"} (+${summary.insertions} -${summary.deletions}) to ${plan.project.name}.`;
    await writer.write(applied, "completed", [
      {
        key: "applied",
        name: "plan.applied",
        data: {
          digest: offered.digest,
          files: summary.files,
          written: files.written,
          deleted: files.deleted,
        },
        message: {
          messageId: deps.ids.next(),
          role: "agent",
          taskId: plan.planId,
          contextId: plan.contextId,
          parts: [{ kind: "text", text }],
        },
      },
    ]);
    if (WITH_FAIL_POINTS) deps.failPoint?.("plan.apply.committed");
    return "done";
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return askAgain(deps, turn, plan, refusal);
  }
}

/** Nothing was written: the same gate is opened anew, with the reason beside it. */
async function askAgain(deps: PlanDeps, turn: Turn, plan: Plan, refusal: Refusal): Promise<TurnOutcome> {
  const back: Plan = {
    ...plan,
    stage: { phase: "execute", state: "complete" },
    failure: { ...refusal, recoverable: true },
  };
  const digest = plan.changeset?.digest ?? "";
  const stored = await deps.changesets.get(digest);
  if (stored === undefined) throw new Error("the changeset of a plan is gone");
  return ask(deps, turn, back, applyAsk(back, digest, stored.changeset), [
    {
      key: `refused:${deps.ids.next()}`,
      name: "plan.apply_refused",
      data: { reason: refusal.reason, message: refusal.message },
    },
  ]);
}

type Refusal = Pick<PlanFailure, "reason" | "message" | "refused">;

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof BaseDriftError) {
    const paths = error.files.map((file) => file.path);
    return {
      reason: "PLAN_BASE_DRIFT",
      message: `changed since the plan was built: ${paths.slice(0, 10).join(", ")}${paths.length > 10 ? ", …" : ""}`,
    };
  }
  if (error instanceof DigestMismatchError)
    return { reason: "DIGEST_MISMATCH", message: "the sandbox no longer holds what was approved" };
  if (error instanceof ChangesetRefusedError) {
    const { path, why, message } = error;
    return { reason: "CHANGESET_REFUSED", message, refused: { path, why } };
  }
  if (error instanceof WorkspaceError) return { reason: error.reason, message: error.message };
  return undefined;
}
