import type { JsonObject, Message, Plan } from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import { planOf } from "../plans/plan-document.ts";
import type { PlanCall, TurnPlan, TurnPlans } from "../ports/message-actor.ts";
import { MessageSeenError } from "../ports/task-store.ts";
import type { DecisionService } from "../services/decision-service.ts";
import type { PlanService } from "../services/plan-service.ts";

const MOST = 100;

export interface TurnPlansDeps {
  readonly plans: Pick<PlanService, "use" | "find" | "cancel" | "list">;
  readonly decisions: Pick<DecisionService, "guide">;
}

/** Whose plans, and which turn of which task asks: that makes the keys of what it asks for. */
export interface PlansOf {
  readonly taskId: string;
  readonly contextId: string;
  readonly principal: string;
  readonly turn: number;
}

/** Plans in the hands of an actor: under the name of the principal that speaks to it, and no other. */
export function turnPlans(deps: TurnPlansDeps | undefined, of: PlansOf): TurnPlans {
  const { taskId, contextId, turn } = of;
  const principal: Principal = { id: of.principal, scopes: [] };
  const wired = (): TurnPlansDeps => {
    if (deps !== undefined) return deps;
    throw new ProtocolError("NotAvailable", { message: "Plans are not available here" });
  };
  const messageId = (key: string) => `${taskId}:t${turn}:${key}`;
  const show = async (planId: string): Promise<TurnPlan> =>
    toTurnPlan((await wired().plans.find(principal, planId)).plan);
  return {
    async start(key, call) {
      const message: Message = {
        messageId: messageId(key),
        role: "agent",
        referenceTaskIds: [taskId],
        parts: [{ kind: "data", data: toData(call) }],
      };
      try {
        return toTurnPlan(await wired().plans.use(principal, { ...call, contextId, message }));
      } catch (error) {
        // An earlier attempt of this turn has started it.
        if (error instanceof MessageSeenError) return show(error.taskId);
        throw error;
      }
    },
    async guide(key, planId, text) {
      const { plan } = await wired().decisions.guide(principal, planId, { text, messageId: messageId(key) });
      return toTurnPlan(plan);
    },
    async cancel(planId, reason) {
      return toTurnPlan((await wired().plans.cancel(principal, planId, reason)).plan);
    },
    show,
    async list() {
      const { rows } = await wired().plans.list({ principal: of.principal, contextId, limit: MOST });
      return rows.map((row) => toTurnPlan(planOf(row)));
    },
  };
}

function toData({ action, project, profile, ...call }: PlanCall): JsonObject {
  return {
    action_name: action,
    arguments: call.arguments,
    ...(project === undefined ? {} : { project }),
    ...(profile === undefined ? {} : { automation_profile: profile }),
  };
}

function toTurnPlan({ planId, action, stage, open }: Plan): TurnPlan {
  return { planId, action, phase: stage.phase, state: stage.state, asks: open?.prompt };
}
