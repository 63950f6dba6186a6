import type { ChildPlan, Plan } from "@cleveragents/domain";
import { planOf } from "../plans/plan-document.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";

/** A plan that a step has started, as its parent knows it and as it stands itself. */
export interface ChildView {
  readonly step: number;
  readonly child: ChildPlan;
  /** Absent before it is made. */
  readonly row?: TaskRow;
  readonly plan?: Plan;
}

/** The plans that a plan has started, in the order of its steps; those that failed and were started anew are left out. */
export async function childViews(
  store: Pick<TaskStore, "load">,
  { steps }: Pick<Plan, "steps">,
): Promise<readonly ChildView[]> {
  const views = steps.flatMap(({ index, children = [] }) =>
    children.map((child) => ({ step: index, child })),
  );
  return Promise.all(
    views.map(async (view): Promise<ChildView> => {
      const row = view.child.planId === undefined ? undefined : await store.load(view.child.planId);
      return row === undefined ? view : { ...view, row, plan: planOf(row) };
    }),
  );
}
