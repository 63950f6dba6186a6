import type { AskAnswer, AskRequest, ChildPlan, Plan, PlanStep } from "@cleveragents/domain";
import type { AskDraft } from "../gates.ts";
import { withStep } from "../step-progress.ts";
import type { Turn, TurnOutcome } from "../turn.ts";
import { withChild } from "./merging.ts";

/** What becomes of files that the plan and a subplan have both changed? Nothing of the plan goes on before that is said. */
export function conflictAsk(step: number, { name, planId = "", conflicts = [] }: ChildPlan): AskDraft {
  const files = conflicts.map(({ path, why }) => ({ path, why }));
  const shown = files.slice(0, 5).map(({ path, why }) => `${path} (${why})`);
  return {
    kind: "conflict",
    prompt: `The subplan ${name} and the plan have both changed ${files.length} file${files.length === 1 ? "" : "s"} in ways that do not go together: ${shown.join(", ")}${files.length > 5 ? ", …" : ""}. Whose is to count?`,
    options: [
      { id: "ours", label: "Keep what the plan has by now" },
      { id: "theirs", label: `Take what ${name} has made` },
      {
        id: "retry",
        label: `Run ${name} again on what is there now; a text that goes with the answer is guidance for it`,
      },
    ],
    freeText: false,
    step,
    details: { subplan: name, child_plan: planId, files, artifact: `conflict-${name}` },
  };
}

/** Takes the answer: the next turn merges by it, or starts the subplan anew. */
export async function conflictAnswered(
  { writer }: Pick<Turn, "writer">,
  plan: Plan,
  ask: AskRequest,
  key: string,
  answer: AskAnswer,
): Promise<TurnOutcome> {
  const step = plan.steps[ask.step ?? -1];
  const child = step?.children?.find(({ name }) => name === ask.details?.["subplan"]);
  if (step === undefined || child === undefined) throw new Error("a conflict belongs to a child of a step");
  await writer.write(
    withStep(plan, resolved(step, child, answer)),
    "working",
    [
      {
        key: `taken:${key}`,
        name: "plan.conflict_resolved",
        data: { subplan: child.name, choice: answer.choice, by: answer.by },
      },
    ],
    { inbox: { take: [key] } },
  );
  return "continue";
}

function resolved(step: PlanStep, child: ChildPlan, { choice, text }: AskAnswer): PlanStep {
  const { conflicts, ...rest } = child;
  if (choice === "ours" || choice === "theirs") return withChild(step, { ...rest, resolution: choice });
  const { planId, base, tree, ...again } = rest;
  return withChild(step, {
    ...again,
    status: "pending",
    tries: 0,
    earlier: [...(child.earlier ?? []), ...(planId === undefined ? [] : [planId])],
    ...(text === undefined ? {} : { guidance: text }),
  });
}
