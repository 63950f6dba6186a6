import { PlanNotFoundError } from "@cleveragents/domain";
import type { PlanService } from "../../services/plan-service.ts";
import type { HandlerContext } from "../method-handlers.ts";

type AnyHandler = (params: { readonly plan_id?: string }, context: HandlerContext) => Promise<unknown>;

/**
 * The same handlers, which take an id that the caller has given a plan in the place of the plan's own. Only what is
 * not found is looked for under such an id: nothing has been done by then.
 */
export function withPlanAliases<H extends object>(handlers: H, plans: PlanService | undefined): H {
  if (plans === undefined) return handlers;
  const wrapped = Object.entries(handlers).map(([name, handler]) => {
    const serve = handler as AnyHandler; // every plan method is unary
    const aliased: AnyHandler = async (params, context) => {
      try {
        return await serve(params, context);
      } catch (error) {
        const given = params.plan_id;
        if (!(error instanceof PlanNotFoundError) || given === undefined || error.planId !== given)
          throw error;
        const planId = await plans.named(context.principal, given);
        if (planId === undefined) throw error;
        return serve({ ...params, plan_id: planId }, context);
      }
    };
    return [name, aliased] as const;
  });
  return Object.fromEntries(wrapped) as H;
}
