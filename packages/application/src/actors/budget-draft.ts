import type { BudgetBreach, Plan } from "@cleveragents/domain";
import { type AskDraft, budgetAsk } from "../plans/gates.ts";

/** May the plan use more? Asked where no step is about to run. */
export function budgetDraft(plan: Plan, breach: BudgetBreach, what: string): AskDraft {
  const initial = plan.budget?.[breach.kind] ?? breach.limit;
  const { step: _, ...draft } = budgetAsk(
    { index: 0, kind: "model", label: what, status: "pending" },
    breach,
    initial,
  );
  return draft;
}
