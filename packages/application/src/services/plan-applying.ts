import {
  type AskRequest,
  BaseDriftError,
  ChangesetRefusedError,
  type ChosenChange,
  DigestMismatchError,
  isFinalStage,
  type Plan,
  PlanNotFoundError,
  PlanStateError,
} from "@cleveragents/domain";
import type { Principal } from "@cleveragents/protocol";
import type { AskService } from "../ask/ask-service.ts";
import { approvedChange } from "../plans/approved-change.ts";
import { isHere, planOf } from "../plans/plan-document.ts";
import type { ChangesetStore, StoredChangeset } from "../ports/changeset-store.ts";
import type { TaskRow } from "../ports/task-store.ts";
import { ownPlan, type PlanView } from "./access.ts";
import { assertSeen, type Choice, chooseChange, type Selection, selects } from "./chosen-change.ts";
import { assertKept, assertUnconstrained } from "./constrained.ts";
import type { PlanCreationDeps } from "./plan-creation.ts";
import { until } from "./waiting.ts";

export interface ApplyingDeps extends Pick<PlanCreationDeps, "store" | "workspace" | "host"> {
  readonly changesets: ChangesetStore;
  readonly asks: AskService;
}

/** The changeset that a plan offers. Throws `PlanStateError` while there is none. */
export async function offered({ changesets }: ApplyingDeps, plan: Plan): Promise<StoredChangeset> {
  const { changeset, planId, stage } = plan;
  if (changeset === undefined)
    throw new PlanStateError(planId, stage, "it has no changes to show yet; execute it first");
  const empty = { version: 1 as const, files: [], stats: changeset.summary, risks: [] };
  return (
    (await changesets.get(changeset.digest)) ?? { digest: changeset.digest, changeset: empty, patch: "" }
  );
}

/** How a plan's changes are to be applied. A selection is approved by its own digest alone. */
export interface ApplyAsked extends Selection {
  readonly digest?: string | undefined;
  readonly branch?: string | undefined;
}

/** Before anything of the plan is looked at, so that a selection of an applied plan is compared with what was applied. */
function assertDigest(plan: Plan, { digest, ...request }: ApplyAsked): void {
  const applied = plan.stage.state === "applied";
  if (digest === undefined || plan.changeset === undefined || (selects(request) && !applied)) return;
  if (digest !== plan.changeset.digest)
    throw new DigestMismatchError(plan.planId, digest, plan.changeset.digest);
}

function notApplicable({ stage, parent }: Plan): string {
  if (isFinalStage(stage)) return `it is ${stage.state} for good`;
  return parent === undefined
    ? "it has no changeset to apply yet"
    : `what it changes becomes part of plan ${parent.planId}, and is applied with that`;
}

/** Verifies all that an apply would verify, and says what it would do; writes nothing. Throws what it would throw. */
export async function rehearse(
  deps: ApplyingDeps,
  principal: Principal,
  planId: string,
  request: ApplyAsked,
): Promise<PlanView & { chosen?: ChosenChange; stored: StoredChangeset; done: readonly string[] }> {
  const { row, plan } = await ownPlan(deps.store, principal, planId);
  assertDigest(plan, request);
  assertUnconstrained(plan);
  if (plan.open?.kind !== "apply")
    throw new PlanStateError(planId, plan.stage, "it has no changeset to apply now");
  if (!isHere(plan, deps.host))
    throw new PlanStateError(planId, plan.stage, "its files are on another host; ask there");
  const choice = await choose(deps, plan, request);
  const change = await approvedChange(
    deps.workspace,
    choice === undefined ? plan : { ...plan, chosen: choice.chosen },
  );
  const done = await deps.workspace.check(change.target, change.request);
  const stored = choice?.stored ?? (await offered(deps, plan));
  return { row, plan, stored, done, ...(choice === undefined ? {} : { chosen: choice.chosen }) };
}

/** What is to be applied in place of the offered changeset, if the request asks for that. */
async function choose(deps: ApplyingDeps, plan: Plan, request: ApplyAsked): Promise<Choice | undefined> {
  const isPart = selects(request);
  if (!isPart && request.branch === undefined) return undefined;
  const choice = await chooseChange(deps, plan, request, request.branch);
  if (isPart) assertSeen(plan.planId, request.digest, choice);
  assertKept(plan, choice.stored.changeset);
  return choice;
}

/**
 * Answers the gate before Apply with yes and waits for the outcome. Throws `DigestMismatchError`, `BaseDriftError`
 * or `ChangesetRefusedError` with nothing written. Applied already: nothing is done again.
 */
export async function apply(
  deps: ApplyingDeps,
  principal: Principal,
  planId: string,
  request: ApplyAsked,
  signal: AbortSignal,
): Promise<{ view: PlanView; already: boolean }> {
  const { store } = deps;
  const { row, plan } = await ownPlan(deps.store, principal, planId);
  assertDigest(plan, request);
  if (plan.stage.state === "applied") return { view: { row, plan }, already: true };
  assertUnconstrained(plan);
  const open = plan.open;
  if (
    plan.stage.phase !== "apply" &&
    (open?.kind !== "apply" || (plan.sandbox ?? plan.reverses) === undefined)
  ) {
    throw new PlanStateError(planId, plan.stage, notApplicable(plan));
  }
  if (open !== undefined && row.state === "input-required") {
    try {
      await approve(deps, principal, row, plan, open, request);
    } catch (error) {
      // Answered by somebody else meanwhile: what became of the plan counts, not how the files look by now.
      const now = await ownPlan(deps.store, principal, planId);
      if (now.row.state === "input-required" && now.plan.open?.requestId === open.requestId) throw error;
    }
  }
  const settled = await until(store, planId, signal, (now) => {
    const then = planOf(now);
    return isFinalStage(then.stage) || (then.open !== undefined && then.open.requestId !== open?.requestId);
  });
  if (settled === undefined) return { view: { row, plan }, already: false };
  const after = planOf(settled);
  if (after.stage.state !== "applied") throw await refusal(deps, settled, after);
  return { view: { row: settled, plan: after }, already: false };
}

/** Yes to the gate before Apply, if the files are as they were, or once more to an apply that has failed. */
async function approve(
  deps: ApplyingDeps,
  principal: Principal,
  row: TaskRow,
  plan: Plan,
  open: AskRequest,
  request: ApplyAsked,
): Promise<void> {
  const { workspace, asks } = deps;
  if (open.kind !== "apply") {
    if (selects(request) || request.branch !== undefined)
      throw new PlanStateError(plan.planId, plan.stage, "it tries again what was approved, and nothing else");
    await asks.answer(row, { request: open, choice: "retry" }, principal.id);
    return;
  }
  const choice = await choose(deps, plan, request);
  // Another host has the files; it looks at them itself before it writes.
  if (choice !== undefined) {
    const change = await approvedChange(workspace, { ...plan, chosen: choice.chosen });
    await workspace.check(change.target, change.request);
  } else if (isHere(plan, deps.host)) {
    const stored = await offered(deps, plan);
    const drifted = await workspace.drift({ projectRoot: plan.project.path }, stored.changeset);
    if (drifted.length > 0) throw new BaseDriftError(plan.planId, drifted);
  }
  const chosen = choice === undefined ? {} : { chosen: choice.chosen };
  await asks.answer(row, { request: open, choice: "yes", ...chosen }, principal.id);
}

/** What went wrong with an apply, as the error that a caller can act on. */
async function refusal(deps: ApplyingDeps, row: TaskRow, plan: Plan): Promise<Error> {
  const { workspace } = deps;
  const reason = plan.failure?.reason;
  if (reason === "PLAN_BASE_DRIFT" && plan.changeset !== undefined && isHere(plan, deps.host)) {
    const stored = await deps.changesets.get(plan.changeset.digest);
    const project = { projectRoot: plan.project.path };
    return new BaseDriftError(
      plan.planId,
      stored === undefined ? [] : await workspace.drift(project, stored.changeset),
    );
  }
  const refused = plan.failure?.refused;
  if (refused !== undefined) return new ChangesetRefusedError(plan.planId, refused.path, refused.why);
  if (plan.stage.state === "cancelled")
    return new PlanStateError(plan.planId, plan.stage, "it was cancelled");
  if (row.kind !== "plan") return new PlanNotFoundError(plan.planId);
  return new PlanStateError(plan.planId, plan.stage, plan.failure?.message ?? "it was not applied");
}
