import {
  type BudgetBreach,
  begun,
  ended,
  type GuardedCall,
  type Guarding,
  newGuarding,
  type Plan,
  type PlanStep,
  profileOf,
} from "@cleveragents/domain";
import type { ToolDescriptor } from "../ports/tool-provider.ts";
import { callKey } from "../tools/call-key.ts";
import type { GuardFacts, GuardVerdict } from "../tools/tool-guard.ts";
import type { ToolCall } from "../tools/tool-runner.ts";
import { compact } from "../wire/message.ts";
import type { NamedEvent } from "./plan-writer.ts";

export function guardingOf(plan: Plan): Guarding {
  return plan.guarding ?? newGuarding({});
}

/** What the guards of a plan are told of one of its calls. */
export async function factsOf(
  plan: Plan,
  step: PlanStep,
  call: ToolCall,
  descriptor: ToolDescriptor | undefined,
): Promise<GuardFacts> {
  const guarded: GuardedCall = {
    callId: call.callId,
    key: await callKey(call.tool, call.args),
    attempt: plan.attempt,
    step: `a${plan.attempt}:${step.index}`,
    follows: followsDirectly(plan, step),
    amounts: descriptor?.costOf?.(call.args) ?? {},
  };
  return { profile: profileOf(plan), guarding: guardingOf(plan), call: guarded };
}

/** Whether no step that makes no call was done between the last call's step and this one. */
function followsDirectly(plan: Plan, { index }: PlanStep): boolean {
  const of = guardingOf(plan).step?.of ?? "";
  const last = Number(/:(\d+)$/.exec(of)?.[1] ?? "NaN");
  return !plan.steps.some((step) => step.index > last && step.index < index && step.status === "done");
}

/** The plan with the call charged, and what is to be said of it. For the commit that records the call. */
export function charged(
  plan: Plan,
  { call }: GuardFacts,
  tool: string,
  tries: number,
  allowed: GuardVerdict | undefined,
): { readonly plan: Plan; readonly events: readonly NamedEvent[] } {
  const { guarding, short } = begun(guardingOf(plan), call);
  const said = allowed === undefined ? {} : { guard: allowed.guard, reason: allowed.reason };
  return {
    plan: { ...plan, guarding },
    events: [
      {
        key: `${call.callId}:try:${tries}:invoked`,
        name: "tool.invoked",
        data: { tool, verdict: "allow", ...said },
      },
      ...short.map(warning),
    ],
  };
}

/** The plan with what the call has used in the place of what was reserved for it. */
export function settled(
  plan: Plan,
  callId: string,
  used: Parameters<typeof ended>[2],
): { readonly plan: Plan; readonly events: readonly NamedEvent[] } {
  const { guarding, short } = ended(guardingOf(plan), callId, used);
  return { plan: { ...plan, guarding }, events: short.map(warning) };
}

export function guardEvent(
  name: "guard.asked" | "guard.denied",
  call: ToolCall,
  said: GuardVerdict,
): NamedEvent {
  const { verdict, guard, reason } = said;
  const { callId, tool } = call;
  return { key: `${callId}:${name}:${guard}`, name, data: { tool, verdict, guard, reason } };
}

export function exceededEvent(callId: string, { kind, limit, used, account }: BudgetBreach): NamedEvent {
  return {
    key: `${callId}:budget:${account === undefined ? "" : `${account}:`}${kind}:${limit}:exceeded`,
    name: "budget.exceeded",
    data: compact({ budget: kind, limit, used, account }),
  };
}

function warning({ kind, limit, used }: BudgetBreach): NamedEvent {
  return {
    key: `budget:${kind}:${limit}:warning`,
    name: "budget.warning",
    data: { budget: kind, limit, used },
  };
}
