import { type Decision, type Plan, type PlanPhase, startedBy } from "@cleveragents/domain";
import { WorkspaceError } from "../ports/workspace.ts";
import { decisionEvent, newDecision } from "./deciding.ts";
import { without } from "./plan-document.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** What an answer chooses that takes the plan back, whatever it was asked. */
const CHOICE = "revert:";

export function revertChoice(to: PlanPhase): string {
  return `${CHOICE}${to}`;
}

/** The phase that a choice takes the plan back to; undefined for every other choice. */
export function revertsTo(choice: string): "strategize" | "execute" | undefined {
  const to = choice.startsWith(CHOICE) ? choice.slice(CHOICE.length) : undefined;
  return to === "strategize" || to === "execute" ? to : undefined;
}

export interface Reversion {
  readonly to: "strategize" | "execute";
  /** Becomes guidance, so that a script can decide otherwise this time. */
  readonly reason?: string | undefined;
  /** The plan itself, or somebody. */
  readonly by: string;
  /** On a new copy of the project as it is by then. */
  readonly anew?: boolean;
}

/**
 * Takes the plan back to the beginning of a phase, as a new attempt: its copy is what it started from, what it decided
 * there stays in the tree as superseded, what it has used stays used.
 */
export async function revert(
  deps: PlanDeps,
  { plan, writer, signal }: Turn,
  { to, reason, by, anew = false }: Reversion,
  take: readonly string[] = [],
): Promise<TurnOutcome> {
  for (const planId of startedBy(plan.steps))
    await deps.children?.end(planId, "the plan that it is part of was taken back");
  const there = await restored(deps, plan);
  const { plan: kept, events: stopped } = await withoutWork(
    deps,
    plan,
    reverted(deps, plan, { to, reason, by }),
    signal,
  );
  const back = anew || !there ? without(kept, "sandbox") : kept;
  const decision = back.decisions.at(-1) as Decision; // the reversion's own
  await writer.write(
    back,
    "working",
    [
      ...stopped,
      decisionEvent(decision),
      {
        key: `reverted:${back.attempt}`,
        name: "plan.reverted",
        data: {
          from: plan.stage.phase,
          to,
          phase: to,
          state: "queued",
          attempt: back.attempt,
          reversions: back.reversions ?? 0,
          by,
          ...(reason === undefined ? {} : { reason }),
        },
      },
    ],
    take.length === 0 ? {} : { inbox: { take } },
  );
  return "continue";
}

/** Whether the plan's copy is what it started from. One that is gone is made anew, of the project as it is by then. */
async function restored({ workspace }: PlanDeps, { planId, project, sandbox }: Plan): Promise<boolean> {
  if (sandbox === undefined || sandbox.disposed === true) return true;
  try {
    const opened = await workspace.open(planId, project.path, sandbox);
    await opened.restore(opened.baseTree);
    return true;
  } catch (error) {
    if (error instanceof WorkspaceError && error.reason === "SANDBOX_GONE") return false;
    throw error;
  }
}

/** What others do elsewhere for what is taken back is stopped. */
async function withoutWork({ elsewhere }: PlanDeps, before: Plan, after: Plan, signal: AbortSignal) {
  return (await elsewhere?.undone(before, after, signal)) ?? { plan: after, events: [] };
}

function reverted(
  { ids, clock }: Pick<PlanDeps, "ids" | "clock">,
  plan: Plan,
  { to, reason, by }: Reversion,
): Plan {
  const attempt = plan.attempt + 1;
  const [root] = plan.decisions;
  const decision = newDecision(
    { ids, clock },
    { ...plan, attempt },
    {
      type: by === AUTOMATIC ? "error_recovery" : "user_intervention",
      parentId: root?.decisionId ?? null,
      label: `reverted_${attempt}`,
      question: "Where does the plan go on?",
      chosen: `back to ${to}`,
      ...(reason === undefined ? {} : { rationale: reason }),
      phase: to,
      context: { attempt: plan.attempt, stage: { ...plan.stage } },
    },
  );
  const undone = (known: Decision) =>
    known.supersededBy === undefined &&
    known !== root &&
    // What somebody has added to the plan is added to what it decides now.
    !plan.appended?.some(({ decisionId }) => decisionId === known.decisionId) &&
    !known.label?.startsWith("reverted_") &&
    (to === "strategize" || known.phase === "execute");
  return {
    ...without(
      plan,
      "open",
      "failure",
      "changeset",
      "chosen",
      "queuedSince",
      "touched",
      "confidence",
      "chosenRepair",
      "estimate",
    ),
    stage: { phase: to, state: "queued" },
    attempt,
    reversions: (plan.reversions ?? 0) + 1,
    steps: [],
    results: {},
    ...(to === "strategize" && plan.reconciled !== undefined ? { reconciled: NOTHING_HELD } : {}),
    guidance: reason === undefined ? plan.guidance : [...plan.guidance, reason],
    decisions: [
      ...plan.decisions.map((known) =>
        undone(known) ? { ...known, supersededBy: decision.decisionId } : known,
      ),
      decision,
    ],
  };
}

/** Reconciled anew when it strategizes: something may be registered by then. */
const NOTHING_HELD: NonNullable<Plan["reconciled"]> = { effective: [], overridden: [] };

/** Who takes a plan back where its profile lets it do so by itself. */
export const AUTOMATIC = "profile";
