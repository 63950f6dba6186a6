import type { AutomationProfile, BudgetBreach, GuardedCall, Guarding, Verdict } from "@cleveragents/domain";
import type { ToolDescriptor } from "../ports/tool-provider.ts";
import type { ToolCall } from "./tool-runner.ts";

/** What is known of the plan that makes a call. */
export interface GuardFacts {
  readonly profile: AutomationProfile;
  readonly guarding: Guarding;
  readonly call: GuardedCall;
  /** How sure it is that the plan may go on by itself, where a threshold is compared with that; else it is sure. */
  readonly confidence?: number;
}

export interface GuardVerdict {
  readonly verdict: Verdict;
  /** The guard that said it. */
  readonly guard: string;
  readonly reason: string;
  /** Of the budget's guard: which one is used up. */
  readonly breach?: BudgetBreach;
}

/** Asked before every call on every path. Undefined: it has nothing to say about this one. */
export interface ToolGuard {
  readonly name: string;
  check(call: ToolCall, descriptor: ToolDescriptor, facts: GuardFacts): GuardVerdict | undefined;
}
