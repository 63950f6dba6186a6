import {
  type Appended,
  type AskRequest,
  type Correction,
  type Decision,
  type Plan,
  type PlanFailure,
  SubplansSchema,
  stands,
  withAppended,
} from "@cleveragents/domain";
import type { InboxEntry } from "../ports/task-store.ts";
import { ask } from "./asking.ts";
import {
  type CorrectionBody,
  correctionIn,
  recordOf,
  refuse,
  withdrawnChangeset,
} from "./correction-record.ts";
import { decisionEvent, newDecision } from "./deciding.ts";
import { contextOf } from "./decision-context.ts";
import { without } from "./plan-document.ts";
import type { NamedEvent } from "./plan-writer.ts";
import { stageEvent } from "./strategize.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/**
 * Adds work below a decision: a plan of its own that begins on what there is, as a step after all others. Nothing that was
 * decided or done is touched. A plan that waits to be applied, or is held back by checks, goes on with it.
 */
export async function takeAppend(deps: PlanDeps, turn: Turn, entry: InboxEntry): Promise<TurnOutcome> {
  const { plan } = turn;
  const body = entry.body as unknown as CorrectionBody;
  const target = plan.decisions.find(({ decisionId }) => decisionId === body.target);
  const why = appendProblem(plan, target);
  if (why !== undefined || target === undefined)
    return refuse(deps, turn, entry, body, why ?? "it has no such decision any more");
  if (correctionIn(plan, body.correctionId) !== undefined) return "continue";
  const attempt = plan.attempt + 1;
  const name = `append_${(plan.appended?.length ?? 0) + 1}`;
  const decision = newDecision(
    deps,
    { ...plan, attempt },
    {
      type: "user_intervention",
      phase: "execute",
      parentId: target.decisionId,
      question: `What is done besides: ${target.question}`,
      chosen: body.text,
      subplan: name,
      context: await contextOf(plan),
    },
  );
  const appended: Appended = {
    decisionId: decision.decisionId,
    label: `subplan ${name}`,
    subplans: SubplansSchema.parse({
      plans: [
        {
          id: name,
          action: body.action?.name ?? plan.action,
          arguments: body.action?.arguments ?? plan.arguments,
          guidance: body.text,
        },
      ],
    }),
  };
  const all = [...(plan.appended ?? []), appended];
  // Before Execute there are no steps yet; it begins with these behind the others.
  const steps = plan.steps.length === 0 ? plan.steps : withAppended(plan.steps, all);
  const step = steps.find(({ addedBy }) => addedBy === decision.decisionId);
  const decided: Decision = step === undefined ? decision : { ...decision, step: step.index };
  const record: Correction = recordOf(deps, body, attempt, { decision: decided });
  const next: Plan = {
    ...plan,
    attempt,
    appended: all,
    steps,
    decisions: [...plan.decisions, decided],
    corrections: [...(plan.corrections ?? []), record],
  };
  const events: NamedEvent[] = [
    decisionEvent(decided),
    {
      key: `corrected:${body.correctionId}`,
      name: "plan.appended",
      data: {
        correction_id: body.correctionId,
        decision_id: decided.decisionId,
        appended_after: target.decisionId,
        subplan: name,
        by: body.by,
        attempt,
      },
    },
  ];
  if (plan.open === undefined) {
    await turn.writer.write(next, "working", events, { inbox: { take: [entry.key] } });
    return "continue";
  }
  if (goesOn(plan)) {
    const going: Plan = {
      ...without(next, "open", "failure", "changeset", "chosen", "touched", "confidence"),
      stage: { phase: "execute", state: "queued" },
    };
    const withdrawn = plan.changeset === undefined ? {} : { logged: [withdrawnChangeset(going)] };
    await turn.writer.write(going, "working", [...events, stageEvent(going, { attempt })], {
      inbox: { take: [entry.key] },
      ...withdrawn,
    });
    return "continue";
  }
  return askedAgain(deps, turn, next, plan.open, events, entry);
}

/** Why nothing can be added; undefined where it can. */
export function appendProblem(plan: Plan, target: Decision | undefined): string | undefined {
  const { phase, state } = plan.stage;
  if (target === undefined) return "it has no such decision any more";
  if (!stands(target)) return "that decision was superseded already";
  if (plan.reverses !== undefined) return "it undoes another plan and has no decisions of its own";
  if (phase === "apply" && state !== "errored") return "its changes are being applied";
  if (phase === "apply") return "its changes are approved; apply them, or take it back";
  return undefined;
}

/** What waits for nothing but a word about what it has made goes on; every other question stays as it is. */
function goesOn({ stage, open }: Plan): boolean {
  return stage.phase === "execute" && (open?.kind === "apply" || stage.state === "constrained");
}

async function askedAgain(
  deps: PlanDeps,
  turn: Turn,
  next: Plan & { readonly failure?: PlanFailure },
  open: AskRequest,
  events: readonly NamedEvent[],
  { key }: InboxEntry,
): Promise<TurnOutcome> {
  const { open: _, ...rest } = next;
  const { requestId: _id, planId: _plan, createdAt: _at, ...draft } = open;
  return ask(deps, turn, rest, draft, events, [key]);
}
