import type { DemandedLevel } from "../plan/isolation.ts";
import type { BudgetLimits } from "../policy/budget.ts";
import type { Guards } from "../policy/guards.ts";

/** The eleven operations that a profile gates; each threshold is 0 (always automatic) to 1 (always a human). */
export const GATES = [
  "decompose_task",
  "create_tool",
  "select_tool",
  "edit_code",
  "execute_command",
  "create_file",
  "delete_content",
  "access_network",
  "install_dependency",
  "modify_config",
  "approve_plan",
] as const;
export type Gate = (typeof GATES)[number];

export interface AutomationProfile {
  readonly name: string;
  readonly description: string;
  readonly thresholds: Readonly<Record<Gate, number>>;
  readonly requireSandbox: boolean;
  /** Commands run isolated, or the plan does not run. `requireSandbox` is about the copy that they work on. */
  readonly requireIsolation: boolean;
  /** How much, where not any will do. */
  readonly isolation?: DemandedLevel;
  readonly requireCheckpoints: boolean;
  readonly allowUnsafeTools: boolean;
  readonly guards: Guards;
  readonly budget: BudgetLimits;
}

/** Gates of the phases: what may start by itself. */
export const PHASE_GATE = {
  strategize: "decompose_task",
  execute: "create_tool",
  apply: "select_tool",
} as const satisfies Record<string, Gate>;

/** Whether an operation goes on without a human. A threshold of 1 never passes, not even with full confidence. */
export function proceeds(profile: AutomationProfile, gate: Gate, confidence: number): boolean {
  const threshold = profile.thresholds[gate];
  return threshold < 1 && confidence >= threshold;
}
