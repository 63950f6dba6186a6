import type { Conversation, GraphNeed, GraphRun, Plan } from "@cleveragents/domain";
import { newRun } from "./graph-advancing.ts";
import { type GraphRole, withRun } from "./graph-node.ts";
import { conversationOf, withConversation } from "./mind.ts";

/**
 * The plan with its graph brought in line with its steps: after it was taken back, the graph goes on from before the first
 * step that is undone, what stands of that step of the graph is not done again, and nothing after it is known.
 */
export function rewoundGraph(plan: Plan): Plan {
  const run = plan.graphs?.execution;
  if (run === undefined || run.attempt === plan.attempt) return plan;
  const now: GraphRun = { ...run, attempt: plan.attempt };
  // Tried again, it goes on from where it is.
  if (run.reversions === (plan.reversions ?? 0)) return withRun(plan, "execution", now);
  const from =
    plan.steps.find(({ status }) => status === "pending" || status === "running")?.index ?? plan.steps.length;
  const here = { ...now, needs: withTalk(plan, now.needs) };
  const all = [...here.passed, { at: here.at ?? "", needs: here.needs }];
  const at = from === 0 ? -1 : all.findIndex(({ needs }) => needs.some((need) => reaches(need, from)));
  const undone = at < 0 ? undefined : all[at];
  // Nothing that it has done is undone: only what it knows is new.
  if (undone === undefined && from > 0) return withRun(plan, "execution", { ...goesOn(plan, here) });
  if (undone === undefined || undone.at === "")
    return withRun({ ...plan, steps: [] }, "execution", newRun(plan, run));
  const first = undone.needs.findIndex((need) => reaches(need, from));
  const { finished: _, ...rest } = now;
  return withRun({ ...plan, steps: plan.steps.slice(0, from) }, "execution", {
    ...rest,
    reversions: plan.reversions ?? 0,
    needs: [],
    passed: here.passed.slice(0, at),
    kept: [
      ...undone.needs.slice(0, first),
      ...undone.needs.slice(first, first + 1).flatMap((need) => cut(need)),
    ],
    back: { at: undone.at },
  });
}

/** What the user has added is for whoever has spoken last, where the graph was at its end already. */
function goesOn(plan: Plan, run: GraphRun): GraphRun {
  const now = { ...run, reversions: plan.reversions ?? 0 };
  if (run.finished === undefined) return now;
  const at = run.passed.findLastIndex(({ needs }) =>
    needs.some(({ conversation }) => conversation !== undefined),
  );
  const last = run.passed[at];
  const need = last?.needs.findLast(({ conversation }) => conversation !== undefined);
  if (last === undefined || need?.conversation === undefined) return now;
  if ((need.conversation.finished?.guided ?? 0) >= plan.guidance.length) return now;
  const { finished: _, ...rest } = now;
  return {
    ...rest,
    needs: [],
    passed: run.passed.slice(0, at),
    kept: last.needs.flatMap((one) => (one === need ? cut(one) : [one])),
    back: { at: last.at },
  };
}

/** Whether it has begun a step from this one on. */
function reaches({ step, conversation }: GraphNeed, from: number): boolean {
  if (step !== undefined) return step >= from;
  return conversation?.turns.some(({ calls }) => calls.some((call) => (call.step ?? -1) >= from)) ?? false;
}

/** A model goes on with what it has said before; a call, or a question, is begun anew. */
function cut({ id, node, effect, callId, conversation }: GraphNeed): GraphNeed[] {
  if (conversation === undefined || callId === undefined) return [];
  return [{ id, node, effect, callId, conversation }];
}

/** What is being said with a model is kept apart from its node for as long as it lasts. */
function withTalk(plan: Plan, needs: readonly GraphNeed[]): readonly GraphNeed[] {
  const speaking = needs.find(({ result }) => result === undefined);
  if (speaking?.effect.kind !== "llm" || speaking.callId === undefined) return needs;
  const conversation: Conversation = conversationOf(plan, "execution");
  return needs.map((need) => (need === speaking ? { ...need, conversation } : need));
}

/** The conversation of a node that begins to speak, or that goes on with what it has said. */
export function withNodesTalk(plan: Plan, role: GraphRole, need: GraphNeed): Plan {
  const { asked, ratio } = conversationOf(plan, role);
  const same = ratio === undefined ? {} : { ratio };
  const talk: Conversation =
    need.conversation === undefined
      ? { attempt: plan.attempt, about: need.callId as string, turns: [], mistakes: 0, asked, ...same }
      : { ...need.conversation, asked };
  return withConversation(plan, role, talk);
}
