import {
  type ChildPlan,
  isOver,
  type Plan,
  type PlanStep,
  type Subplans,
  settleFailures,
  startable,
} from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../../ports/fail-point.ts";
import type { Sandbox } from "../../ports/workspace.ts";
import { ask } from "../asking.ts";
import { overdue } from "../deadline.ts";
import { fail } from "../failing.ts";
import type { NamedEvent } from "../plan-writer.ts";
import { finishStep, withStep } from "../step-progress.ts";
import type { PlanDeps, Turn, TurnOutcome } from "../turn.ts";
import { childId } from "./child-id.ts";
import { CHILD } from "./child-plans.ts";
import { conflictAsk } from "./conflicts.ts";
import { look } from "./looking.ts";
import { mergeNext, withChild } from "./merging.ts";

export type StepWithChildren = PlanStep & { readonly children: readonly ChildPlan[] };

/** The step of a plan that has started others which are not all merged yet. */
export function stepWithChildren({ steps }: Pick<Plan, "steps">): StepWithChildren | undefined {
  return steps.find(
    (step): step is StepWithChildren => step.status === "running" && step.children !== undefined,
  );
}

/**
 * One turn of a plan whose step has started others: sees how they stand, merges what is due, starts what may begin, and
 * says all of it in one commit. It waits while nothing of that is to be done; whoever ends or asks sends mail.
 */
export async function tendChildren(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  step: StepWithChildren,
): Promise<TurnOutcome> {
  const { plan } = turn;
  const value = step.subplans as Subplans; // kept in the commit that lists the children
  const take = turn.inbox.map(({ key }) => key).filter((key) => key.startsWith(CHILD));
  const late = overdue(plan, deps.clock.now(), step.index);
  if (late !== undefined) {
    const ended = await endRunning(deps, step.children, "the time of the plan that it is part of is up");
    return fail(
      deps,
      turn,
      withStep(plan, { ...step, children: ended, status: "failed", detail: late.message }),
      late,
      take,
    );
  }
  const looked = await look(deps, plan, step, value);
  const settled = settleFailures(looked, value);
  await endGone(deps, looked, settled);
  const merged = await mergeNext(deps, plan, sandbox, { ...step, children: settled }, value);
  const events = eventsOf(plan, step, merged);
  const children = merged.children ?? [];
  const conflict = children.find(({ conflicts }) => conflicts !== undefined);
  if (conflict !== undefined && events.length > 0) {
    // What went together is said first, so that the log is the same whoever ends first; the conflict is found again.
    const { conflicts: _, ...unsaid } = conflict;
    await turn.writer.write(withStep(plan, withChild(merged, unsaid)), "working", events, {
      ...(take.length === 0 ? {} : { inbox: { take } }),
    });
    return "continue";
  }
  if (conflict !== undefined) {
    const shown = await showConflict(deps, turn, sandbox, merged, conflict);
    if (WITH_FAIL_POINTS) deps.failPoint?.("plan.children.conflict");
    return ask(deps, turn, withStep(plan, shown), conflictAsk(step.index, conflict), events, take);
  }
  if (children.every(isOver)) return end(deps, turn, sandbox, merged, events, take);
  const next = await withStarted(plan, merged, value);
  const started = eventsOf(plan, merged, next);
  if (events.length + started.length + take.length === 0 && JSON.stringify(next) === JSON.stringify(step))
    return plan.deadline === undefined ? "wait" : { until: plan.deadline };
  await turn.writer.write(withStep(plan, next), "working", [...events, ...started], {
    ...(take.length === 0 ? {} : { inbox: { take } }),
  });
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.children.committed");
  return "continue";
}

/** Who may begin has its id from the commit that says so: it is made in the next turn, once and under that id. */
async function withStarted(plan: Plan, step: PlanStep, value: Subplans): Promise<PlanStep> {
  const { children = [], tree = "" } = step;
  const begin = new Set(startable(children, value).map(({ name }) => name));
  return {
    ...step,
    children: await Promise.all(
      children.map(async (child): Promise<ChildPlan> => {
        if (!begin.has(child.name)) return child;
        const { name } = child;
        const tries = child.tries + 1;
        const place = {
          step: step.index,
          name,
          attempt: plan.attempt,
          tries: tries + (child.earlier?.length ?? 0),
        };
        return { ...child, status: "running", tries, base: tree, planId: await childId(plan.planId, place) };
      }),
    ),
  };
}

/** Plans that a policy has ended are ended before it is said, so that none of them goes on unseen. */
async function endGone(
  deps: PlanDeps,
  before: readonly ChildPlan[],
  after: readonly ChildPlan[],
): Promise<void> {
  for (const [at, { status, planId }] of before.entries())
    if (status === "running" && after[at]?.status === "cancelled" && planId !== undefined)
      await deps.children?.end(planId, "another subplan has failed");
}

async function endRunning(
  deps: PlanDeps,
  children: readonly ChildPlan[],
  reason: string,
): Promise<readonly ChildPlan[]> {
  return Promise.all(
    children.map(async (child): Promise<ChildPlan> => {
      if (isOver(child)) return child;
      if (child.planId !== undefined && child.status === "running")
        await deps.children?.end(child.planId, reason);
      const { asks, ...rest } = child;
      return { ...rest, status: "cancelled", detail: reason };
    }),
  );
}

async function end(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  step: PlanStep,
  events: readonly NamedEvent[],
  take: readonly string[],
): Promise<TurnOutcome> {
  const { plan } = turn;
  const { children = [], tree = sandbox.baseTree } = step;
  const failed = children.filter(({ status }) => status !== "complete");
  if (failed.length > 0) {
    const message = `${failed.length} of ${children.length} subplan${children.length === 1 ? "" : "s"} did not succeed: ${failed.map(({ name, status, detail }) => `${name} ${status}${detail === undefined ? "" : ` (${detail})`}`).join(", ")}`;
    const failure = { reason: "SUBPLAN_FAILED", message, step: step.index, recoverable: true };
    return fail(
      deps,
      turn,
      withStep(plan, { ...step, status: "failed", detail: message }),
      failure,
      take,
      events,
    );
  }
  // The copy is behind what was merged until now; a step that is cut off after this begins there, too.
  await sandbox.restore(tree);
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.children.restored");
  const name = plan.script.steps[step.index]?.name;
  const value = Object.fromEntries(
    children.map(({ name: child, planId = "", status, said }) => [
      child,
      { plan_id: planId, status, ...(said === undefined ? {} : { text: said }) },
    ]),
  );
  const results = name === undefined ? plan.results : { ...plan.results, [name]: value };
  await finishStep(
    turn,
    { ...plan, results },
    { ...step, status: "done", checkpoint: tree, detail: `${children.length} merged` },
    events,
    take,
  );
  return "continue";
}

const SAID: Partial<Record<ChildPlan["status"], string>> = {
  running: "plan.child_started",
  complete: "plan.child_completed",
  failed: "plan.child_failed",
  cancelled: "plan.child_cancelled",
};

/** What is different about the children now. */
function eventsOf(plan: Plan, before: PlanStep, after: PlanStep): readonly NamedEvent[] {
  return (after.children ?? []).flatMap((child, at): NamedEvent[] => {
    const was = before.children?.[at];
    const { name, planId = "", status, tries, asks, merged, detail } = child;
    const key = `a${plan.attempt}:step:${before.index}:child:${name}:${(child.earlier?.length ?? 0) + tries}`;
    const data = { step: before.index, subplan: name, ...(planId === "" ? {} : { child_plan: planId }) };
    const said = status === was?.status ? undefined : SAID[status];
    return [
      // One that failed and is started anew has failed all the same.
      ...(status === "pending" && was?.status === "running"
        ? [{ key: `${key}:retried`, name: "plan.child_retried", data: { ...data, tries } }]
        : []),
      ...(said === undefined
        ? []
        : [
            {
              key: `${key}:${status}`,
              name: said,
              data: { ...data, ...(detail === undefined ? {} : { reason: detail }) },
            },
          ]),
      ...(asks === undefined || asks.requestId === was?.asks?.requestId
        ? []
        : [
            {
              key: `${key}:asks:${asks.requestId}`,
              name: "plan.child_waiting",
              data: { ...data, request_id: asks.requestId, prompt: asks.prompt },
            },
          ]),
      ...(merged === true && was?.merged !== true
        ? [{ key: `${key}:merged`, name: "plan.child_merged", data }]
        : []),
    ];
  });
}

/** People see what does not go together, as a patch with conflict marks. */
async function showConflict(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  step: PlanStep,
  { name, base = "", tree = "", planId = "" }: ChildPlan,
): Promise<PlanStep> {
  const ours = step.tree ?? sandbox.baseTree;
  const { tree: marked } = await deps.workspace.merge(sandbox, turn.plan.planId, {
    base,
    ours,
    theirs: tree,
  });
  const patch = await (await sandbox.compare(ours, marked)).patch();
  await turn.writer.append(turn.plan.planId, [
    {
      key: `conflict:${planId}:${ours}`,
      event: {
        type: "artifact",
        append: false,
        lastChunk: true,
        artifact: {
          artifactId: `conflict-${name}`,
          name: `conflict-${name}`,
          description: `What ${name} and the plan have both changed, with conflict marks`,
          parts: [
            {
              kind: "text",
              text: patch.slice(0, LONGEST_PATCH),
              mediaType: "text/x-patch",
              filename: `${name}-conflict.patch`,
            },
          ],
        },
      },
    },
  ]);
  return step;
}

const LONGEST_PATCH = 256 * 1024;
