import { type Decision, type Gate, type Plan, proceeds, profileOf } from "@cleveragents/domain";
import type { AskDraft } from "./gates.ts";

/**
 * What is asked before a decision is taken: whether it is the right one, where there is something to choose from and the
 * profile does not leave it to the plan. Undefined where it does, or where somebody has chosen already.
 */
export function decisionAsk(plan: Plan, decision: Decision, step?: number): AskDraft | undefined {
  const { label = "", question, chosen, confidence, alternatives } = decision;
  const gate: Gate = step === undefined ? "edit_code" : "execute_command";
  if (alternatives.length < 2 || choiceOf(plan, label) !== undefined) return undefined;
  if (proceeds(profileOf(plan), gate, confidence)) return undefined;
  const sure = `${Math.round(confidence * 100)} %`;
  return {
    kind: "question",
    prompt: `${question} The plan would choose ${chosen} (${sure} sure).`,
    options: [...alternatives]
      .sort((a, b) => Number(b.id === chosen) - Number(a.id === chosen))
      .map(({ id, description }) => ({ id, label: description === "" ? id : description })),
    freeText: false,
    ...(step === undefined ? {} : { step }),
    details: { decision: label, proposed: chosen, confidence, gate },
  };
}

/** The decision as somebody has chosen, if somebody has. */
export function asChosen(plan: Plan, decision: Decision): Decision {
  const choice = choiceOf(plan, decision.label ?? "");
  if (choice === undefined) return decision;
  const same = choice.option === decision.chosen;
  return {
    ...decision,
    chosen: choice.option,
    confidence: 1,
    rationale: same
      ? `confirmed by ${choice.by}${decision.rationale === undefined ? "" : `: ${decision.rationale}`}`
      : `chosen by ${choice.by} in place of ${decision.chosen}`,
  };
}

/** Choices are for the attempt that they were made in: another one may have to decide about something else. */
function choiceOf({ choices = {}, attempt }: Plan, label: string) {
  const choice = choices[label];
  return choice?.attempt === attempt ? choice : undefined;
}
