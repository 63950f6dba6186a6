import type { Conversation, Plan, SaidCall, SaidTurn } from "@cleveragents/domain";
import { conversationOf, withConversation } from "./mind.ts";

/**
 * The plan with what was said brought in line with its steps: after it was taken back, the model knows nothing of what
 * was undone, and calls that it wanted after that are not made. Answers of people to its questions are told.
 */
export function rewound(plan: Plan): Plan {
  const known = conversationOf(plan, "execution");
  if (plan.steps.length === 0 && known.attempt !== plan.attempt)
    return withConversation(plan, "execution", fresh(plan, known));
  const from = undoneFrom(plan, known);
  const cut = from === undefined ? plan : withoutStepsFrom(plan, known, from);
  return withAnswers(cut);
}

function fresh({ attempt }: Plan, { asked, ratio }: Conversation): Conversation {
  return { attempt, asked, turns: [], mistakes: 0, ...(ratio === undefined ? {} : { ratio }) };
}

/** The first step that was undone, or that is not to be run as it was wanted. */
function undoneFrom({ steps, attempt, corrections = [] }: Plan, known: Conversation): number | undefined {
  const waiting = steps.find(({ status }) => status === "pending" || status === "running")?.index;
  const said = known.turns.flatMap(({ calls }) => calls);
  const beyond = said.find(({ step }) => step !== undefined && step >= steps.length)?.step;
  if (waiting === undefined) return beyond;
  const corrected =
    known.attempt !== attempt && corrections.some((of) => of.attempt === attempt && of.refused === undefined);
  const undone = said.some(({ step, result }) => step === waiting && result !== undefined);
  return corrected || undone ? waiting : beyond;
}

function withoutStepsFrom(plan: Plan, known: Conversation, from: number): Plan {
  const isGone = ({ step }: SaidCall) => step !== undefined && step >= from;
  const first = known.turns.findIndex(({ calls }) => calls.some(isGone));
  const kept = first < 0 ? known.turns : known.turns.slice(0, first);
  const partly = known.turns[first];
  const left = partly === undefined ? [] : partial(partly, isGone);
  const { pending: _pending, finished: _finished, ...rest } = known;
  return withConversation({ ...plan, steps: plan.steps.slice(0, from) }, "execution", {
    ...rest,
    attempt: plan.attempt,
    turns: [...kept, ...left],
    mistakes: 0,
  });
}

/** An answer of which some calls stand. */
function partial(turn: SaidTurn, isGone: (call: SaidCall) => boolean): SaidTurn[] {
  const calls = turn.calls.filter((call) => !isGone(call));
  return calls.some(({ step }) => step !== undefined) ? [{ ...turn, calls }] : [];
}

function withAnswers(plan: Plan): Plan {
  const known = conversationOf(plan, "execution");
  const isOpen = ({ step, result }: SaidCall) =>
    step !== undefined &&
    result === undefined &&
    plan.steps[step]?.status !== "pending" &&
    plan.steps[step]?.status !== "running";
  if (!known.turns.some(({ calls }) => calls.some(isOpen))) return plan;
  const turns = known.turns.map((turn) => ({
    ...turn,
    calls: turn.calls.map((call): SaidCall => {
      if (!isOpen(call)) return call;
      const { kind, status, detail = "" } = plan.steps[call.step as number] ?? {};
      const text = kind === "ask" ? `The user answers: ${detail}` : detail;
      return { ...call, result: status === "done" ? { text } : { text, failed: true } };
    }),
  }));
  return withConversation(plan, "execution", { ...known, turns });
}
