import type { Plan, PlanStep, StepValue } from "@cleveragents/domain";
import type { ToolEffect } from "../ports/tool-provider.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import { toolOfStep } from "./script-steps.ts";

/** Tool calls by what becomes of their effects when a plan is taken back. */
export interface EffectCount {
  readonly sandboxed: number;
  readonly compensable: number;
  readonly irreversible: number;
}

/** Counts the calls that steps have made. One that only looks has nothing to undo and counts as undone. */
export function effectsOfCalls(
  tools: Pick<ToolRunner, "find">,
  plan: Plan,
  steps: readonly PlanStep[],
): EffectCount {
  const effects = steps.flatMap((step) => {
    const effect = hasCalled(step) ? effectOf(tools, plan, step) : undefined;
    return effect === undefined ? [] : [effect];
  });
  const count = (...wanted: readonly ToolEffect[]) =>
    effects.filter((effect) => wanted.includes(effect)).length;
  return {
    sandboxed: count("none", "sandbox"),
    compensable: count("compensable"),
    irreversible: count("irreversible"),
  };
}

function hasCalled({ status, tries }: PlanStep): boolean {
  return tries !== undefined && (status === "done" || status === "failed" || status === "running");
}

/** What a command sent over the network stays sent, wherever it ran. */
function effectOf(tools: Pick<ToolRunner, "find">, plan: Plan, { index }: PlanStep): ToolEffect | undefined {
  const declared = plan.script.steps[index];
  const tool = declared && toolOfStep(declared);
  if (declared === undefined || tool === undefined) return undefined;
  if (declared.kind === "run" && (declared.value as StepValue<"run">).network === true) return "irreversible";
  return tools.find(tool)?.effect ?? "irreversible";
}
