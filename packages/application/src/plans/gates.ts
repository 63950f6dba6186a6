import {
  type AskRequest,
  type Changeset,
  type JsonObject,
  type Plan,
  type PlanFailure,
  summaryOf,
} from "@cleveragents/domain";

type Draft = Omit<AskRequest, "requestId" | "createdAt" | "planId">;

const YES_NO = [
  { id: "yes", label: "Go on" },
  { id: "no", label: "Cancel the plan" },
];

/** What a plan asks at each of its gates. The first option is the yes, the second the no. */
export function startAsk(plan: Plan, phase: "strategize" | "execute"): Draft {
  const what = phase === "strategize" ? "decide how to do this" : "carry this out in a sandbox";
  return {
    kind: "start",
    prompt: `Plan ${plan.planId} (${plan.action} on ${plan.project.name}) is ready to ${what}. Shall it?`,
    options: YES_NO,
    freeText: false,
  };
}

export function applyAsk(plan: Plan, digest: string, changeset: Changeset): Draft {
  const { files, insertions, deletions } = summaryOf(changeset);
  return {
    kind: "apply",
    prompt: `Apply ${files} changed file${files === 1 ? "" : "s"} (+${insertions} -${deletions}) to ${plan.project.name}?`,
    options: [
      { id: "yes", label: "Apply the changes" },
      { id: "no", label: "Reject them" },
    ],
    freeText: false,
    digest,
  };
}

export function retryAsk(failure: PlanFailure): Draft {
  return {
    kind: "retry",
    prompt: `${failure.message}. Try again from there?`,
    options: [
      { id: "retry", label: "Try again" },
      { id: "give-up", label: "Give up" },
    ],
    freeText: false,
    ...(failure.step === undefined ? {} : { step: failure.step }),
  };
}

export function questionAsk(
  step: number,
  question: string,
  options: readonly { id: string; label?: string | undefined }[],
  freeText: boolean | undefined,
): Draft {
  return {
    kind: "question",
    prompt: question,
    options: options.map(({ id, label }) => ({ id, label: label ?? id })),
    freeText: freeText ?? options.length === 0,
    step,
  };
}

/** Facts of an ask for the event that announces it. */
export function askData(ask: AskRequest): JsonObject {
  return {
    request_id: ask.requestId,
    kind: ask.kind,
    ...(ask.digest === undefined ? {} : { digest: ask.digest }),
    ...(ask.step === undefined ? {} : { step: ask.step }),
  };
}
