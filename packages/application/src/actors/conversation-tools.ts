import type { Action, JsonObject, SaidCall } from "@cleveragents/domain";
import { z } from "zod";
import type { TurnPlan, TurnPlans } from "../ports/message-actor.ts";
import { firstSentence } from "./offered-tools.ts";
import { own } from "./submit-strategy.ts";

type Told = { readonly text: string; readonly failed?: boolean };
const PlanId = z.string().min(1).describe("The plan's id");
/** Actions that a model is told of. */
const MOST_ACTIONS = { normal: 40, compact: 10 } as const;

/** What a model that talks with somebody can do about their plans. */
export function planTools(actions: readonly Action[], compact: boolean): readonly ReturnType<typeof own>[] {
  const known = actions
    .filter(({ state }) => state === "available")
    .slice(0, compact ? MOST_ACTIONS.compact : MOST_ACTIONS.normal)
    .map(({ name, description, arguments: args }) => {
      const wanted = args.map((one) => `${one.name}${one.required ? "" : "?"}: ${one.type}`).join(", ");
      return `\n- ${name}(${wanted}): ${compact ? firstSentence(description) : description}`;
    });
  return [
    own(
      "start_plan",
      `Start a plan from a registered action.${known.length === 0 ? " None is registered." : ` There are:${known.join("")}`}`,
      z.object({
        action: z.string().min(1),
        arguments: z.record(z.string(), z.json()).default({}),
        project: z.string().min(1).optional().describe("Needed where there are several projects"),
      }),
    ),
    own("show_plan", "How a plan stands.", z.object({ plan_id: PlanId })),
    own("list_plans", "The plans of this conversation, newest first.", z.object({})),
    own(
      "guide_plan",
      "Tell a working plan something.",
      z.object({ plan_id: PlanId, text: z.string().min(1) }),
    ),
    own("cancel_plan", "End a plan for good.", z.object({ plan_id: PlanId, reason: z.string().optional() })),
  ];
}

/**
 * Carries a call out. `ordinal` tells plans of one turn apart and is the same when the turn is run again, so that a plan
 * that was started is not started twice. What is refused is told, not thrown.
 */
export async function callPlanTool(
  plans: TurnPlans,
  { tool, args = {} }: SaidCall,
  ordinal: number,
): Promise<Told> {
  const id = String(args["plan_id"] ?? "");
  try {
    switch (tool) {
      case "start_plan":
        return told(
          await plans.start(`start:${ordinal}`, {
            action: String(args["action"]),
            arguments: (args["arguments"] ?? {}) as JsonObject,
            ...(typeof args["project"] === "string" ? { project: args["project"] } : {}),
          }),
        );
      case "show_plan":
        return told(await plans.show(id));
      case "guide_plan":
        return told(await plans.guide(`guide:${id}:${String(args["text"])}`, id, String(args["text"])));
      case "cancel_plan":
        return told(await plans.cancel(id, typeof args["reason"] === "string" ? args["reason"] : undefined));
      default:
        return { text: JSON.stringify((await plans.list()).slice(0, 20)) };
    }
  } catch (error) {
    // The domain's own refusals are for the caller; whatever else it is, is a mistake of ours and goes up.
    if (!(error instanceof Error) || error.constructor === Error || error instanceof TypeError) throw error;
    return { text: `It was refused: ${error.message}`, failed: true };
  }
}

function told(plan: TurnPlan): Told {
  return { text: JSON.stringify(plan) };
}
