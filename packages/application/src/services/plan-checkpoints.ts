import { type Plan, PlanStateError } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import { checkpointName } from "../plans/correcting.ts";

export interface NamedCheckpoint {
  /** `start`, or `step-N`: what the copy was when so many steps had ended. */
  readonly checkpoint: string;
  readonly label: string;
  /** The first step that is undone by going back to it. */
  readonly step: number;
}

/** The checkpoints that a plan can go back to, oldest first; none before it has a copy. */
export function checkpointsOf(plan: Plan): readonly NamedCheckpoint[] {
  if (plan.sandbox === undefined || plan.stage.phase === "strategize") return [];
  const ended = plan.steps.findIndex(({ status }) => status !== "done" && status !== "skipped");
  const steps = ended < 0 ? plan.steps : plan.steps.slice(0, ended);
  return [
    { checkpoint: checkpointName(0), label: "what the plan started from", step: 0 },
    ...steps.map(({ index, label }) => ({ checkpoint: checkpointName(index + 1), label, step: index + 1 })),
  ];
}

/** The named one; without a name what undoes the last step. Throws InvalidParams, which lists what there is. */
export function checkpointNamed(plan: Plan, named: string | undefined): NamedCheckpoint {
  const all = checkpointsOf(plan);
  const last = all.at(-2) ?? all.at(-1);
  if (last === undefined)
    throw new PlanStateError(plan.planId, plan.stage, "it has no checkpoint to go back to yet");
  const found = named === undefined ? last : all.find(({ checkpoint }) => checkpoint === named);
  if (found !== undefined) return found;
  const names = all.map(({ checkpoint }) => checkpoint);
  const told = names.length <= 12 ? names.join(", ") : `${names.slice(0, 3).join(", ")} … ${names.at(-1)}`;
  throw new ProtocolError("InvalidParams", {
    violations: [{ field: "checkpoint", description: `there is no checkpoint ${named}; there are ${told}` }],
    details: { plan_id: plan.planId },
  });
}
