import {
  type AskRequest,
  type Check,
  failedChecks,
  type JsonObject,
  MAX_REVERSIONS,
  type Plan,
  type PlanFailure,
  type PlanStep,
  proceeds,
  profileOf,
  type ScriptStep,
  summaryOf,
} from "@cleveragents/domain";
import type { Sandbox } from "../ports/workspace.ts";
import { ask } from "./asking.ts";
import { confidenceOf } from "./assessing.ts";
import { callFor, currentRound, treeOf } from "./check-calls.ts";
import { moved } from "./plan-document.ts";
import { AUTOMATIC, revert } from "./reverting.ts";
import { withStep } from "./step-progress.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** Repairs of an attempt that a plan makes by itself. */
export const MOST_REPAIRS = 2;
/** Of its reversions, those that a plan may make by itself; the others are for its user. */
export const MOST_BY_ITSELF = Math.min(2, MAX_REVERSIONS);

/**
 * What becomes of a plan of which required checks have failed: their repair where the profile lets it, another strategy
 * where it lets that and the script can have one, else it is constrained and waits. Undefined where none has failed.
 */
export async function constrain(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
): Promise<TurnOutcome | undefined> {
  const { plan } = turn;
  const failed = failedChecks(plan.checks ?? [], currentRound(plan));
  if (failed.length === 0) return undefined;
  const profile = profileOf(plan);
  const { value } = await confidenceOf(deps.store, plan);
  const repairs = plan.repairs?.attempt === plan.attempt ? plan.repairs.count : 0;
  const fixable = failed.find(({ probe }) => probe?.fix !== undefined);
  if (fixable !== undefined && repairs < MOST_REPAIRS && proceeds(profile, "create_file", value))
    return repair(deps, turn, sandbox, fixable);
  if (
    proceeds(profile, "delete_content", value) &&
    (plan.reversions ?? 0) < MOST_BY_ITSELF &&
    canDecideOtherwise(plan)
  )
    return revert(deps, turn, { to: "strategize", reason: whatFailed(failed), by: AUTOMATIC });
  return wait(deps, turn, sandbox, failed);
}

/** Runs the command that may make a check hold; the checks begin anew on what it leaves. */
export async function repair(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  check: Check,
): Promise<TurnOutcome> {
  const { plan } = turn;
  const repairs = (plan.repairs?.attempt === plan.attempt ? plan.repairs.count : 0) + 1;
  const tree = treeOf(plan, sandbox);
  await sandbox.restore(tree);
  return callFor(deps, turn, sandbox, {
    label: `repair ${check.name}`,
    order: (plan.checks ?? []).indexOf(check),
    callId: `${currentRound(plan)}:repair:${check.id}`,
    about: { repair: check.id },
    tool: "builtin/shell",
    args: (check.probe?.fix ?? {}) as JsonObject,
    started: { name: "repair.started", data: { check: check.name, id: check.id } },
    async ended(after, outcome) {
      if (!outcome.ok) await sandbox.restore(tree);
      const checkpoint = outcome.ok ? await sandbox.checkpoint(`repair ${check.name}`) : undefined;
      return { ...withTree(after, checkpoint), repairs: { attempt: plan.attempt, count: repairs } };
    },
    event: () => ({
      key: `${currentRound(plan)}:repair:${check.id}:ended`,
      name: "repair.ended",
      data: { check: check.name, id: check.id },
    }),
  });
}

/** What a repair has left is what the last step has left, so that whatever goes back before it takes it along. */
function withTree(plan: Plan, checkpoint: string | undefined): Plan {
  const last: PlanStep | undefined =
    plan.steps.findLast((step) => step.checkpoint !== undefined) ?? plan.steps.at(-1);
  return checkpoint === undefined || last === undefined ? plan : withStep(plan, { ...last, checkpoint });
}

async function wait(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  failed: readonly Check[],
): Promise<TurnOutcome> {
  const { plan } = turn;
  const compared = await sandbox.compare(sandbox.baseTree, treeOf(plan, sandbox));
  const { changeset, digest } = compared;
  if (changeset.files.length > 0)
    await deps.changesets.put({ digest, changeset, patch: await compared.patch() });
  const violated = failed.every(({ kind }) => kind === "invariant");
  const failure: PlanFailure = {
    reason: violated ? "INVARIANT_VIOLATED" : "VALIDATION_FAILED",
    message: whatFailed(failed),
    recoverable: true,
  };
  const constrained: Plan = {
    ...moved(plan, { phase: "execute", state: "constrained" }),
    changeset: { digest, summary: summaryOf(changeset) },
    failure,
  };
  return ask(deps, turn, constrained, constrainedAsk(plan, failed), [
    {
      key: `${currentRound(plan)}:constrained`,
      name: "plan.constrained",
      data: {
        phase: "execute",
        state: "constrained",
        reason: failure.reason,
        message: failure.message,
        checks: failed.map(({ id, name }) => ({ id, name })),
      },
    },
  ]);
}

function constrainedAsk(
  plan: Plan,
  failed: readonly Check[],
): Omit<AskRequest, "requestId" | "createdAt" | "planId"> {
  const fixable = failed.filter(({ probe }) => probe?.fix !== undefined);
  return {
    kind: "retry",
    prompt: `${whatFailed(failed)}. The changes cannot be applied like this. Check again?`,
    options: [
      { id: "retry", label: "Check again" },
      { id: "give-up", label: "Give up" },
      ...((plan.reversions ?? 0) < MAX_REVERSIONS
        ? [{ id: "revise", label: "Go back to Strategize and decide anew" }]
        : []),
      ...fixable.slice(0, 1).map(({ name }) => ({ id: "repair", label: `Run the repair of ${name}` })),
    ],
    freeText: false,
    details: { checks: failed.map(({ id }) => id) },
  };
}

/** Each by name; an invariant by its id and text, since it may have none. */
export function whatFailed(failed: readonly Check[]): string {
  return failed
    .map(({ kind, id, name, text, result }) =>
      kind === "invariant"
        ? `the invariant ${id} ("${text}") is violated: ${result?.message ?? ""}`
        : kind === "review"
          ? `${result?.judgedBy ?? "the reviewer"} does not let it pass: ${result?.message ?? ""}`
          : kind === "definition_of_done"
            ? `it is not done ("${text}"): ${result?.message ?? ""}`
            : `${name} failed: ${result?.message ?? ""}`,
    )
    .join("; ");
}

/** A script that looks neither at guidance nor at the attempt does the same again. */
export function canDecideOtherwise({ script, sources }: Plan): boolean {
  if (sources?.strategy !== undefined) return true;
  const mentions = (text: string) => /\b(?:guidance|attempt)\b/.test(text);
  const conditions = [
    ...script.decisions.flatMap(({ choose }) => choose.flatMap(({ when }) => when ?? [])),
    ...script.steps.flatMap(({ when }) => when ?? []),
    ...script.steps.flatMap((step: ScriptStep) =>
      [...JSON.stringify(step.value).matchAll(/\{\{(.*?)\}\}/gs)].map(([, inner = ""]) => inner),
    ),
  ];
  return conditions.some(mentions);
}
