import type { ActorRole, JsonObject, Plan, PlanStep } from "@cleveragents/domain";
import { budgetDraft } from "../actors/budget-draft.ts";
import type { GuardVerdict } from "../tools/tool-guard.ts";
import type { ToolOutcome } from "../tools/tool-runner.ts";
import { boundServersOf } from "./bound-servers.ts";
import type { AskDraft } from "./gates.ts";
import { charged, exceededEvent, factsOf, guardEvent, settled } from "./guarding-call.ts";
import type { NamedEvent } from "./plan-writer.ts";
import { environmentOf } from "./run-step.ts";
import type { PlanDeps, Turn } from "./turn.ts";

interface LookCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Below 0, and another one for each look of the plan: each has its own limit of calls. */
  readonly index: number;
  readonly label: string;
  /** Whose look it is: language servers that its actor has not bound are not asked. */
  readonly role: ActorRole;
}

/** What has come of a look; the plan's budget may have something to ask first. */
type LookOutcome = { readonly plan: Plan; readonly events: readonly NamedEvent[] } & (
  | { readonly outcome: ToolOutcome }
  /** Somebody would have to let it pass, and nobody is asked while there is only looked. */
  | { readonly kept: GuardVerdict }
  | { readonly ask: AskDraft }
);

/**
 * A call that changes nothing, so that it is recorded with its result by whoever commits, and made again if it was cut off:
 * the same guards and the same charge as for all calls. The plan has a copy of its project.
 */
export async function lookCall(
  deps: PlanDeps,
  turn: Pick<Turn, "plan" | "signal">,
  { index, label, role, ...call }: LookCall,
): Promise<LookOutcome> {
  let { plan } = turn;
  const step: PlanStep = { index, kind: "look", label, status: "pending" };
  const facts = await factsOf(plan, step, call, deps.tools.find(call.tool));
  const events: NamedEvent[] = [];
  const sandbox = await deps.workspace.open(
    plan.planId,
    plan.project.path,
    plan.sandbox as NonNullable<Plan["sandbox"]>, // whoever looks has seen that it is there
  );
  const outcome = await deps.tools.run(
    call,
    {
      planId: plan.planId,
      sandbox,
      signal: turn.signal,
      network: false,
      readOnly: true,
      ...boundServersOf(plan, role),
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
      ask: budgetDraft(plan, outcome.asked.breach, label),
    };
  const paid = settled(plan, call.callId, "ok" in outcome && outcome.ok ? (outcome.result.used ?? {}) : {});
  const done = {
    plan: paid.plan,
    events: [
      ...events,
      { key: `${call.callId}:completed`, name: "tool.completed", data: { tool: call.tool } },
      ...paid.events,
    ],
  };
  return "asked" in outcome ? { ...done, kept: outcome.asked } : { ...done, outcome };
}
