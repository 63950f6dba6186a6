import { ACTOR_ROLES, type Plan, type SaidCall } from "@cleveragents/domain";
import type { AskDraft } from "../plans/gates.ts";
import { lookCall } from "../plans/look-call.ts";
import type { NamedEvent } from "../plans/plan-writer.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { actorOf, conversationOf, type MindRole, shownOf, withCall, withConversation } from "./mind.ts";
import { outcomeText } from "./tool-text.ts";

/** What has come of a look; the plan's budget may have something to ask first. */
interface Looked {
  readonly plan: Plan;
  readonly events: readonly NamedEvent[];
  readonly ask?: AskDraft;
}

/** A look at the project that a model, or a node of a graph, wants: what it has come to is said to it. */
export async function look(
  deps: PlanDeps,
  turn: Pick<Turn, "plan" | "signal">,
  role: MindRole,
  said: SaidCall,
): Promise<Looked> {
  const { plan } = turn;
  const conversation = conversationOf(plan, role);
  const number = conversation.turns.length * 100 + (conversation.turns.at(-1)?.calls.indexOf(said) ?? 0);
  const asked =
    role === "strategy" && conversation.about === undefined ? "" : `${role}:${conversation.about}:`;
  const looked = await lookCall(deps, turn, {
    callId: `a${plan.attempt}:${asked}look:${number}`,
    tool: said.tool ?? "",
    args: said.args ?? {},
    index: -1 - number - 1_000_000 * ACTOR_ROLES.indexOf(role),
    label: `look: ${said.name}`,
    role,
  });
  if ("ask" in looked) return looked;
  const result =
    "kept" in looked
      ? {
          text: `Not carried out: ${looked.kept.reason}, and nobody is asked while you only look.`,
          failed: true,
        }
      : outcomeText(looked.outcome, shownOf(actorOf(plan, role)));
  const next = withCall(
    conversation,
    ({ id }) => id === said.id,
    (open) => ({ ...open, result }),
  );
  return { plan: withConversation(looked.plan, role, next), events: looked.events };
}
