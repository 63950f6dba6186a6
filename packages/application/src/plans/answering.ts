import type { AskAnswer, AskRequest, JsonObject, Plan, PlanStep } from "@cleveragents/domain";
import { answerRemote, askedBy } from "../actors/remote-answering.ts";
import { budgetRaised, callAllowed, callDenied } from "./answering-guards.ts";
import { withDeadline } from "./deadline.ts";
import { giveUp } from "./failing.ts";
import { moved, requeued, without } from "./plan-document.ts";
import { anew } from "./retrying.ts";
import { revert, revertsTo } from "./reverting.ts";
import { finishStep, withStep } from "./step-progress.ts";
import { beginStrategize, stageEvent } from "./strategize.ts";
import { conflictAnswered } from "./subplans/conflicts.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** Takes the answer to what the plan asks; the service has checked that it is one of its options. */
export async function takeAnswer(
  deps: PlanDeps,
  turn: Turn,
  ask: AskRequest,
  key: string,
  answer: AskAnswer,
): Promise<TurnOutcome> {
  const plan = withDeadline(without(turn.plan, "open"), ask, answer, deps.clock.now());
  const back = ask.options.some(({ id }) => id === answer.choice) ? undefined : revertsTo(answer.choice);
  if (back !== undefined)
    return revert(deps, { ...turn, plan }, { to: back, reason: answer.text, by: answer.by }, [key]);
  switch (ask.kind) {
    case "start":
      return answer.choice === "yes"
        ? started(deps, { ...turn, plan }, key)
        : refused(deps, turn, plan, key, answer);
    case "apply":
      return answer.choice === "yes"
        ? approved(turn, plan, key, answer)
        : refused(deps, turn, plan, key, answer);
    case "retry":
      return tryAgain(deps, { ...turn, plan }, ask, key, answer);
    case "guard":
      return answer.choice === "deny"
        ? callDenied(deps, turn, plan, ask, key)
        : callAllowed(turn, plan, ask, key, answer);
    case "budget":
      return answer.choice === "raise"
        ? budgetRaised(turn, plan, ask, key, answer)
        : giveUp(deps, turn, moved(plan, { phase: plan.stage.phase, state: "errored" }), [], [key]);
    case "conflict":
      return conflictAnswered(turn, plan, ask, key, answer);
    case "question":
      return answered(turn, plan, ask, key, answer);
  }
}

async function started(deps: PlanDeps, turn: Turn, key: string): Promise<TurnOutcome> {
  const { plan, writer } = turn;
  if (plan.stage.phase === "strategize" && plan.stage.state === "queued") {
    // Its having been started is what lets it pass the gate from here on.
    const begun: Plan = { ...plan, startedAt: deps.clock.now() };
    await writer.write(
      begun,
      "working",
      [{ key: `taken:${key}`, name: "plan.started", data: { phase: "strategize" } }],
      { inbox: { take: [key] } },
    );
    return beginStrategize(deps, { ...turn, plan: begun });
  }
  if (plan.stage.phase === "execute") {
    // Taken back to a checkpoint it stands where it goes on.
    const event = { key: `taken:${key}`, name: "plan.started", data: { phase: "execute" } };
    await writer.write(plan, "working", [event], { inbox: { take: [key] } });
    return "continue";
  }
  const next = moved(plan, { phase: "execute", state: "queued" });
  await writer.write(next, "working", [stageEvent(next)], { inbox: { take: [key] } });
  return "continue";
}

async function approved(turn: Turn, plan: Plan, key: string, answer: AskAnswer): Promise<TurnOutcome> {
  const chosen = answer.chosen === undefined ? {} : { chosen: answer.chosen };
  const next = moved(
    { ...without(plan, "failure", "chosen"), ...chosen },
    { phase: "apply", state: "queued" },
  );
  await turn.writer.write(next, "working", [{ ...stageEvent(next), key: `approved:${key}` }], {
    inbox: { take: [key] },
  });
  return "continue";
}

async function refused(
  deps: PlanDeps,
  turn: Turn,
  plan: Plan,
  key: string,
  answer: AskAnswer,
): Promise<TurnOutcome> {
  const reason = answer.text === undefined || answer.text === "" ? "rejected by the user" : answer.text;
  const cancelled: Plan = {
    ...moved(plan, { phase: plan.stage.phase, state: "cancelled" }),
    finishedAt: deps.clock.now(),
    cancelReason: reason,
  };
  await turn.writer.write(
    cancelled,
    "canceled",
    [
      {
        key: "cancelled",
        name: "plan.cancelled",
        data: { phase: plan.stage.phase, state: "cancelled", reason },
      },
    ],
    { inbox: { take: [key] } },
  );
  return "done";
}

async function tryAgain(
  deps: PlanDeps,
  turn: Turn,
  ask: AskRequest,
  key: string,
  answer: AskAnswer,
): Promise<TurnOutcome> {
  const { plan } = turn;
  switch (answer.choice) {
    case "retry":
      return retried(turn, plan, key);
    case "revise":
      return revert(deps, turn, { to: "strategize", reason: plan.failure?.message, by: answer.by }, [key]);
    case "repair":
      return repaired(turn, plan, ask, key, answer);
    default:
      return giveUp(deps, turn, plan, [], [key]);
  }
}

/** Execute goes on, and begins with the repair that somebody has chosen. */
async function repaired(
  { writer }: Turn,
  plan: Plan,
  ask: AskRequest,
  key: string,
  answer: AskAnswer,
): Promise<TurnOutcome> {
  const named = ask.details?.["checks"];
  const ids = Array.isArray(named) ? named : [];
  const check = plan.checks?.find(({ id, probe }) => ids.includes(id) && probe?.fix !== undefined);
  const queued: Plan = {
    ...requeued({ ...without(plan, "failure", "changeset"), attempt: plan.attempt + 1 }),
    ...(check === undefined ? {} : { chosenRepair: check.id }),
  };
  await writer.write(
    queued,
    "working",
    [
      stageEvent(queued, { attempt: queued.attempt }),
      { key: `repair:${key}`, name: "repair.chosen", data: { check: check?.name ?? "", by: answer.by } },
    ],
    { inbox: { take: [key] } },
  );
  return "continue";
}

async function retried(turn: Turn, plan: Plan, key: string): Promise<TurnOutcome> {
  const queued = anew(plan, plan.failure);
  await turn.writer.write(queued, "working", [stageEvent(queued, { attempt: queued.attempt })], {
    inbox: { take: [key] },
  });
  return "continue";
}

/** The decision is taken as somebody has chosen, by the turn that comes to it next. */
async function chosen(
  { writer }: Turn,
  plan: Plan,
  label: string,
  key: string,
  { choice, text, by }: AskAnswer,
): Promise<TurnOutcome> {
  // What was said in words is chosen as it was said.
  const option = choice === "text" ? (text ?? choice) : choice;
  const choices = { ...plan.choices, [label]: { option, by, attempt: plan.attempt } };
  await writer.write(
    { ...plan, choices },
    "working",
    [{ key: `taken:${key}`, name: "decision.chosen", data: { label, chosen: choice, by } }],
    { inbox: { take: [key] } },
  );
  return "continue";
}

async function answered(
  turn: Turn,
  plan: Plan,
  ask: AskRequest,
  key: string,
  answer: AskAnswer,
): Promise<TurnOutcome> {
  const remote = askedBy(ask);
  if (remote !== undefined) return answerRemote(turn, plan, remote, ask, key, answer);
  const label = ask.details?.["decision"];
  if (typeof label === "string") return chosen(turn, plan, label, key, answer);
  const step = plan.steps[ask.step as number] as PlanStep; // a question belongs to a step
  const input = ask.details?.["input"];
  if (typeof input === "string") return inputGiven(turn, plan, step, input, key, answer);
  const name = plan.script.steps[step.index]?.name;
  const value: JsonObject = { choice: answer.choice, text: answer.text ?? answer.choice };
  const results = name === undefined ? plan.results : { ...plan.results, [name]: value };
  await finishStep(
    turn,
    { ...plan, results },
    { ...step, status: "done", detail: answer.text ?? answer.choice },
    [],
    [key],
  );
  return "continue";
}

/** The call that has asked is made again, and finds the answer. */
async function inputGiven(
  { writer }: Turn,
  plan: Plan,
  step: PlanStep,
  input: string,
  key: string,
  { choice, text, by }: AskAnswer,
): Promise<TurnOutcome> {
  const value: JsonObject = { choice, ...(text === undefined ? {} : { text }) };
  await writer.write(
    withStep(plan, { ...step, inputs: [...(step.inputs ?? []), { key: input, value }] }),
    "working",
    [{ key: `taken:${key}`, name: "input.given", data: { step: step.index, choice, by } }],
    { inbox: { take: [key] } },
  );
  return "continue";
}
