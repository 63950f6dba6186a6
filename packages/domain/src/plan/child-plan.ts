import type { MergeStrategy, Subplan, Subplans } from "../script/subplans-schema.ts";
import { inOrder } from "../script/subplans-schema.ts";
import type { FileView } from "./file-view.ts";
import type { Plan, PlanStep } from "./plan.ts";

export type ChildStatus = "pending" | "running" | "complete" | "failed" | "cancelled";

/** What a plan knows of one that it has started: where it stands, and what has become of its changes. */
export interface ChildPlan {
  /** Its name in the step. */
  readonly name: string;
  readonly action: string;
  readonly status: ChildStatus;
  /** How often it was started in this attempt; each time it is another plan. */
  readonly tries: number;
  /** Absent before it is started. */
  readonly planId?: string;
  /** Plans that have failed and were started anew, oldest first. */
  readonly earlier?: readonly string[];
  /** The tree that it works from. */
  readonly base?: string;
  /** What its actor has said at its end, where it is one that says something. */
  readonly said?: string;
  /** The tree that it has left. */
  readonly tree?: string;
  /** What it has left is in the plan's copy. */
  readonly merged?: boolean;
  /** Files that do not go together with what the plan has by now; asked about. */
  readonly conflicts?: readonly { readonly path: string; readonly why: string }[];
  /** What somebody has chosen about them. */
  readonly resolution?: "ours" | "theirs";
  /** Text that a new try of it is given. */
  readonly guidance?: string;
  /** What it waits for somebody to answer. */
  readonly asks?: { readonly requestId: string; readonly prompt: string };
  /** Why it has failed. */
  readonly detail?: string;
}

/** Where a plan comes from that another one has started. */
export interface ParentPlan {
  readonly planId: string;
  /** The plan that all of them are for. */
  readonly rootId: string;
  readonly step: number;
  readonly name: string;
  /** 1 for the child of a plan that nobody has started. */
  readonly depth: number;
  /** The tree of the parent's copy that it works from. */
  readonly tree: string;
  /** What it sees of that; all when absent. */
  readonly view?: FileView;
}

/** Subplans of subplans of … */
export const MAX_DEPTH = 5;

export function newChildren({ plans }: Subplans): readonly ChildPlan[] {
  return (inOrder(plans) ?? plans).map(({ id, action }) => ({
    name: id,
    action,
    status: "pending",
    tries: 0,
  }));
}

export function isOver({ status }: ChildPlan): boolean {
  return status === "complete" || status === "failed" || status === "cancelled";
}

/** The next one whose result is to be merged: in the order of the step, so that the end is the same however long each takes. */
export function nextToMerge(children: readonly ChildPlan[]): ChildPlan | undefined {
  for (const child of children) {
    if (child.status === "complete" && child.merged !== true) return child;
    if (!isOver(child)) return undefined;
  }
  return undefined;
}

/** What becomes of those that have failed or cannot begin any more: started anew, or cancelled. */
export function settleFailures(children: readonly ChildPlan[], value: Subplans): readonly ChildPlan[] {
  const { mode, fail_fast, retry_failed, max_retries, plans } = value;
  const failed = (child: ChildPlan) => child.status === "failed" || child.status === "cancelled";
  const again = children.map((child): ChildPlan => {
    const retried = child.status === "failed" && retry_failed && child.tries < max_retries;
    if (!retried) return child;
    const { planId, base, tree, asks, conflicts, ...rest } = child;
    const earlier = planId === undefined ? {} : { earlier: [...(child.earlier ?? []), planId] };
    return { ...rest, ...earlier, status: "pending" };
  });
  const some = again.some(failed);
  const dependencies = new Map(plans.map((plan: Subplan) => [plan.id, plan.depends_on]));
  const gone = new Set(again.filter(failed).map(({ name }) => name));
  return again.map((child): ChildPlan => {
    const ends =
      (child.status === "running" && fail_fast && some) ||
      (child.status === "pending" &&
        ((some && (fail_fast || mode === "sequential")) ||
          (dependencies.get(child.name) ?? []).some((name) => gone.has(name))));
    if (!ends) return child;
    gone.add(child.name);
    const { asks, ...rest } = child;
    return { ...rest, status: "cancelled", detail: "another one has failed" };
  });
}

/** Those that may begin now. */
export function startable(children: readonly ChildPlan[], value: Subplans): readonly ChildPlan[] {
  const oneByOne = value.mode === "sequential" || value.merge_strategy === "sequential_apply";
  const running = children.filter(({ status }) => status === "running").length;
  const room = (oneByOne ? 1 : value.max_parallel) - running;
  // What is complete and not merged stands between one and the next.
  if (oneByOne && children.some((child) => child.status === "complete" && child.merged !== true)) return [];
  const through = new Set(children.flatMap(({ name, merged }) => (merged === true ? [name] : [])));
  const needs = new Map(value.plans.map((plan: Subplan) => [plan.id, plan.depends_on]));
  return children
    .filter(
      ({ status, name }) => status === "pending" && (needs.get(name) ?? []).every((of) => through.has(of)),
    )
    .slice(0, Math.max(0, room));
}

export function childrenOf({ steps }: Pick<Plan, "steps">): readonly ChildPlan[] {
  return steps.flatMap(({ children = [] }) => children);
}

/** Plans that steps have started and that may still run. */
export function runningChildren(steps: readonly PlanStep[]): readonly string[] {
  return steps
    .flatMap(({ children = [] }) => children)
    .flatMap(({ planId, status }) => (planId !== undefined && status === "running" ? [planId] : []));
}

/** Every plan that steps have started. */
export function startedBy(steps: readonly PlanStep[]): readonly string[] {
  return steps
    .flatMap(({ children = [] }) => children)
    .flatMap(({ planId, earlier = [] }) => [...earlier, ...(planId === undefined ? [] : [planId])]);
}

/** Whose side counts in files that do not go together; undefined where somebody has to say. */
export function sideOf(child: ChildPlan, strategy: MergeStrategy): "ours" | "theirs" | undefined {
  return child.resolution ?? (strategy === "last_wins" ? "theirs" : undefined);
}
