import {
  BaseDriftError,
  ChangesetRefusedError,
  DigestMismatchError,
  type LeftOut,
  type OfferedChangeset,
  type Plan,
  type PlanFailure,
  proceeds,
  profileOf,
} from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import {
  type AppliedFiles,
  type ApplyRequest,
  type ApplyTarget,
  WorkspaceError,
} from "../ports/workspace.ts";
import { approvedChange } from "./approved-change.ts";
import { ask } from "./asking.ts";
import { confidenceOf } from "./assessing.ts";
import { canDecideOtherwise, MOST_BY_ITSELF } from "./constraining.ts";
import { applyAsk } from "./gates.ts";
import { moved, without } from "./plan-document.ts";
import { AUTOMATIC, revert } from "./reverting.ts";
import { SandboxTelling } from "./sandbox-telling.ts";
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
  try {
    const { target, request } = await approvedChange(deps.workspace, plan);
    const files = await applyTold(deps, turn, target, request);
    if (WITH_FAIL_POINTS) deps.failPoint?.("plan.apply.written");
    const changeset = appliedChangeset(plan, files);
    const applied = moved(
      { ...without(plan, "chosen"), changeset, finishedAt: deps.clock.now() },
      { phase: "apply", state: "applied" },
    );
    const { summary, leftOut, branch, commit } = changeset;
    const text = appliedText(plan, changeset);
    if (leftOut !== undefined) await showLeftOut(deps, turn, leftOut);
    await writer.write(applied, "completed", [
      {
        key: "applied",
        name: "plan.applied",
        data: {
          digest: changeset.digest,
          files: summary.files,
          written: files.written,
          deleted: files.deleted,
          ...(leftOut === undefined
            ? {}
            : { left_out: { digest: leftOut.digest, paths: [...leftOut.paths] } }),
          ...(branch === undefined || commit === undefined ? {} : { branch, commit }),
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

/** Writing many or large files takes its time: whoever follows the plan sees it. */
async function applyTold(
  deps: PlanDeps,
  turn: Turn,
  target: ApplyTarget,
  request: ApplyRequest,
): Promise<AppliedFiles> {
  await using telling = new SandboxTelling(turn);
  return await deps.workspace.apply(target, request, (progress) => telling.tell(progress));
}

function appliedChangeset(plan: Plan, { commit }: AppliedFiles): OfferedChangeset {
  const { chosen, changeset } = plan;
  if (changeset === undefined) throw new Error("a plan is applied without a changeset");
  if (chosen === undefined) return changeset;
  const { from: _from, to: _to, ...shown } = chosen;
  return { ...shown, ...(commit === undefined ? {} : { commit }) };
}

function appliedText({ project }: Plan, { summary, leftOut, branch }: OfferedChangeset): string {
  const files = (n: number) => `${n} file${n === 1 ? "" : "s"}`;
  const where = branch === undefined ? project.name : `the branch ${branch} of ${project.name}`;
  const rest = leftOut === undefined ? "" : ` Left out: ${files(leftOut.paths.length)}.`;
  return `Applied ${files(summary.files)} (+${summary.insertions} -${summary.deletions}) to ${where}.${rest}`;
}

/** The plan ends, its sandbox goes, and what was not chosen stays in the log as a patch. */
async function showLeftOut(deps: PlanDeps, { plan, writer }: Turn, leftOut: LeftOut): Promise<void> {
  const patch = (await deps.changesets.get(leftOut.digest))?.patch ?? "";
  const paths = { digest: leftOut.digest, paths: [...leftOut.paths] };
  const filename = `${plan.planId}-left-out.patch`;
  const text = { kind: "text" as const, text: patch, mediaType: "text/x-patch", filename };
  await writer.append(plan.planId, [
    {
      key: `left-out-artifact:${leftOut.digest}`,
      event: {
        type: "artifact",
        append: false,
        lastChunk: true,
        artifact: {
          artifactId: "left-out",
          name: "left-out",
          description: "What the plan offered and was not applied",
          parts: [
            { kind: "data", data: paths, mediaType: "application/json" },
            ...(patch === "" || patch.length > LONGEST_PATCH ? [] : [text]),
          ],
        },
      },
    },
  ]);
}

const LONGEST_PATCH = 1024 * 1024;

/** Nothing was written: the same gate is opened anew, with the reason beside it. */
async function askAgain(deps: PlanDeps, turn: Turn, plan: Plan, refusal: Refusal): Promise<TurnOutcome> {
  const back: Plan = {
    ...without(plan, "chosen"),
    stage: { phase: "execute", state: "complete" },
    failure: { ...refusal, recoverable: true },
  };
  const again = await revertByItself(deps, turn, back, refusal);
  if (again !== undefined) return again;
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

/**
 * A plan that had gone on to Apply by itself goes back by itself, where the profile's `access_network` lets it and
 * something can come of it: on a new copy where the project has changed, else where its script can decide otherwise.
 */
async function revertByItself(
  deps: PlanDeps,
  turn: Turn,
  back: Plan,
  { reason, message }: Refusal,
): Promise<TurnOutcome | undefined> {
  const profile = profileOf(back);
  const byItself = back.confidence?.gate === "select_tool" && back.confidence.passed;
  const drifted = reason === "PLAN_BASE_DRIFT";
  if (!byItself || profile.guards.require_approval_for_apply) return undefined;
  if ((back.reversions ?? 0) >= MOST_BY_ITSELF || !(drifted || canDecideOtherwise(back))) return undefined;
  const { value } = await confidenceOf(deps.store, back);
  if (!proceeds(profile, "access_network", value)) return undefined;
  return revert(
    deps,
    { ...turn, plan: back },
    { to: "strategize", reason: message, by: AUTOMATIC, anew: drifted },
  );
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
