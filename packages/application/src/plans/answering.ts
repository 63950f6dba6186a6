import type { AskAnswer, AskRequest, JsonObject, Plan, PlanStep } from "@cleveragents/domain";
import { budgetRaised, callAllowed, callDenied } from "./answering-guards.ts";
import { giveUp } from "./failing.ts";
import { moved, without } from "./plan-document.ts";
import { finishStep } from "./step-progress.ts";
import { beginStrategize, stageEvent } from "./strategize.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** Takes the answer to what the plan asks; the service has checked that it is one of its options. */
export async function takeAnswer(
  deps: PlanDeps,
  turn: Turn,
  ask: AskRequest,
  key: string,
  answer: AskAnswer,
): Promise<TurnOutcome> {
  const plan = without(turn.plan, "open");
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
      return answer.choice === "retry" ? retried(turn, plan, key) : giveUp(deps, turn, plan, [], [key]);
    case "guard":
      return answer.choice === "deny"
        ? callDenied(deps, turn, plan, ask, key)
        : callAllowed(turn, plan, ask, key, answer);
    case "budget":
      return answer.choice === "raise"
        ? budgetRaised(turn, plan, ask, key, answer)
        : giveUp(deps, turn, moved(plan, { phase: plan.stage.phase, state: "errored" }), [], [key]);
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

/** A new attempt from the step that failed; what is before it stays done. */
async function retried(turn: Turn, plan: Plan, key: string): Promise<TurnOutcome> {
  const from = plan.failure?.step;
  // `running` makes the step begin from the checkpoint before it.
  const steps = plan.steps.map(
    (step): PlanStep => (step.index === from ? { ...reset(step), status: "running" } : step),
  );
  const queued = moved(
    { ...without(plan, "failure"), attempt: plan.attempt + 1, steps },
    { phase: plan.stage.phase, state: "queued" },
  );
  await turn.writer.write(queued, "working", [stageEvent(queued, { attempt: queued.attempt })], {
    inbox: { take: [key] },
  });
  return "continue";
}

function reset({ index, label, kind }: PlanStep): PlanStep {
  return { index, label, kind, status: "pending" };
}

async function answered(
  turn: Turn,
  plan: Plan,
  ask: AskRequest,
  key: string,
  answer: AskAnswer,
): Promise<TurnOutcome> {
  const step = plan.steps[ask.step as number] as PlanStep; // a question belongs to a step
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
