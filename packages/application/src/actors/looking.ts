import { ACTOR_ROLES, type Plan, type PlanStep, type SaidCall } from "@cleveragents/domain";
import type { AskDraft } from "../plans/gates.ts";
import { charged, exceededEvent, factsOf, guardEvent, settled } from "../plans/guarding-call.ts";
import type { NamedEvent } from "../plans/plan-writer.ts";
import { environmentOf } from "../plans/run-step.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { budgetDraft } from "./budget-draft.ts";
import { actorOf, conversationOf, type MindRole, shownOf, withCall, withConversation } from "./mind.ts";
import { outcomeText } from "./tool-text.ts";

/** What has come of a look; the plan's budget may have something to ask first. */
interface Looked {
  readonly plan: Plan;
  readonly events: readonly NamedEvent[];
  readonly ask?: AskDraft;
}

/** A look at the project: it changes nothing, so that it is recorded with its result, and made again if it was cut off. */
export async function look(
  deps: PlanDeps,
  turn: Pick<Turn, "plan" | "signal">,
  role: MindRole,
  said: SaidCall,
): Promise<Looked> {
  let { plan } = turn;
  const conversation = conversationOf(plan, role);
  const number = conversation.turns.length * 100 + (conversation.turns.at(-1)?.calls.indexOf(said) ?? 0);
  const asked =
    role === "strategy" && conversation.about === undefined ? "" : `${role}:${conversation.about}:`;
  const call = {
    callId: `a${plan.attempt}:${asked}look:${number}`,
    tool: said.tool ?? "",
    args: said.args ?? {},
  };
  const step: PlanStep = {
    index: -1 - number - 1_000_000 * ACTOR_ROLES.indexOf(role),
    kind: "look",
    label: `look: ${said.name}`,
    status: "pending",
  };
  const facts = await factsOf(plan, step, call, deps.tools.find(call.tool));
  const events: NamedEvent[] = [];
  const sandbox = await deps.workspace.open(
    plan.planId,
    plan.project.path,
    plan.sandbox as NonNullable<Plan["sandbox"]>,
  );
  const outcome = await deps.tools.run(
    call,
    {
      planId: plan.planId,
      sandbox,
      signal: turn.signal,
      network: false,
      readOnly: true,
      ...environmentOf(plan),
    },
    facts,
    {
      denied: async (denied, verdict) => void events.push(guardEvent("guard.denied", denied, verdict)),
      before: async (_call, _descriptor, allowed) => {
        const paid = charged(plan, facts, call.tool, 1, allowed);
        plan = { ...paid.plan, toolCalls: plan.toolCalls + 1 };
        events.push(...paid.events);
      },
      after: async () => undefined,
    },
  );
  turn.signal.throwIfAborted();
  if ("asked" in outcome && outcome.asked.breach !== undefined)
    return {
      plan,
      events: [exceededEvent(call.callId, outcome.asked.breach)],
      ask: budgetDraft(plan, outcome.asked.breach, step.label),
    };
  const result =
    "asked" in outcome
      ? {
          text: `Not carried out: ${outcome.asked.reason}, and nobody is asked while you only look.`,
          failed: true,
        }
      : outcomeText(outcome, shownOf(actorOf(plan, role)));
  const paid = settled(plan, call.callId, "ok" in outcome && outcome.ok ? (outcome.result.used ?? {}) : {});
  const next = withCall(
    conversation,
    ({ id }) => id === said.id,
    (open) => ({ ...open, result }),
  );
  return {
    plan: withConversation(paid.plan, role, next),
    events: [
      ...events,
      { key: `${call.callId}:completed`, name: "tool.completed", data: { tool: call.tool } },
      ...paid.events,
    ],
  };
}
