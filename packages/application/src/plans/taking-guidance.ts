import { type Decision, type Plan, stands } from "@cleveragents/domain";
import type { InboxEntry } from "../ports/task-store.ts";
import { compact } from "../wire/message.ts";
import { type DecisionDraft, decisionEvent, newDecision, rootDecision } from "./deciding.ts";
import { contextOf } from "./decision-context.ts";
import type { NamedEvent } from "./plan-writer.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** What keys of guidance in an inbox begin with. */
export const GUIDANCE = "guide:";

export interface GuidanceBody {
  readonly text: string;
  /** Undefined for text that came as a message. */
  readonly decisionId?: string;
  readonly messageId?: string;
  /** The decision that it is about. */
  readonly parentId?: string;
}

/** Takes what the user has sent: from here on scripts see it, and the tree says who wanted it. */
export async function takeGuidance(
  deps: Pick<PlanDeps, "clock" | "ids">,
  { plan: before, writer }: Pick<Turn, "plan" | "writer">,
  entries: readonly InboxEntry[],
): Promise<TurnOutcome> {
  let plan = before;
  const events: NamedEvent[] = [];
  const record = (decision: Decision) => {
    plan = { ...plan, decisions: [...plan.decisions, decision] };
    events.push(decisionEvent(decision));
  };
  if (plan.decisions.length === 0) record(await rootDecision(deps, plan));
  for (const { body } of entries) {
    const given = body as unknown as GuidanceBody;
    const decision = await intervention(deps, plan, given);
    plan = { ...plan, guidance: [...plan.guidance, given.text] };
    record(decision);
  }
  await writer.write(
    plan,
    "working",
    [
      ...events,
      {
        key: `guided:${entries[0]?.key ?? ""}`,
        name: "plan.guidance_taken",
        data: { count: entries.length },
      },
    ],
    { inbox: { take: entries.map(({ key }) => key) } },
  );
  return "continue";
}

/** What the user wants, as a decision: about another one if that still stands, else about the plan. */
async function intervention(
  deps: Pick<PlanDeps, "clock" | "ids">,
  plan: Plan,
  { text, decisionId, parentId, messageId }: GuidanceBody,
): Promise<Decision> {
  const about =
    plan.decisions.find((known) => known.decisionId === parentId && stands(known)) ?? plan.decisions[0];
  const { phase } = plan.stage;
  const draft: DecisionDraft = {
    type: "user_intervention",
    phase: phase === "strategize" ? phase : "execute",
    parentId: about?.decisionId ?? null,
    question:
      about === undefined || about.parentId === null
        ? "What does the user add?"
        : `What does the user add to: ${about.question}`,
    chosen: text,
    context: { ...(await contextOf(plan)), ...compact({ message: messageId }) },
    ...compact({ decisionId, step: phase === "strategize" ? undefined : nextStep(plan) }),
  };
  return newDecision(deps, plan, draft);
}

/** The first step that has not ended. */
export function nextStep({ steps }: Pick<Plan, "steps">): number {
  const next = steps.find(({ status }) => status !== "done" && status !== "skipped");
  return next?.index ?? steps.length;
}
