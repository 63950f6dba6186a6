import type { Plan, RemoteWork, SubmittedStrategy } from "@cleveragents/domain";
import type { DecisionSource } from "../plans/decision-source.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { candidatesIn, type Form, handedIn } from "./handed-in.ts";
import { advance } from "./remote-advance.ts";
import type { RemoteDeps } from "./remote-turn.ts";
import { remoteActorOf, withWork, withWorkInLine } from "./remote-work.ts";
import { decideAll } from "./strategist.ts";
import { submitStrategyTool } from "./submit-strategy.ts";
import { taskData } from "./task-data.ts";
import { taskText } from "./task-text.ts";

type Record = Parameters<DecisionSource["strategize"]>[2];
type Step = Awaited<ReturnType<DecisionSource["strategize"]>>;

const STRATEGY: Form = {
  schema: submitStrategyTool.input,
  problem: (value) => submitStrategyTool.problem?.(value),
};

/** One thing in Strategize: something with the agent elsewhere, or the decisions that it has answered. */
export async function strategizeElsewhere(
  remote: RemoteDeps,
  deps: PlanDeps,
  turn: Turn,
  record: Record,
): Promise<Step> {
  const { plan, work } = withWorkInLine(turn.plan, "strategy");
  const actor = remoteActorOf(plan, "strategy");
  if (work.submitted !== undefined)
    return decideAll(deps, plan, work.submitted, record, { agent: actor.name });
  const compose = () => ({
    text: wantedText(plan, work),
    told: taskData(plan, "strategy", { answer_schema: submitStrategyTool.offered.inputSchema }),
    shows: true as const,
  });
  const { completed, ...advanced } = await advance(remote, deps, turn, plan, "strategy", work, compose);
  if (advanced.failure !== undefined || advanced.ask !== undefined) return advanced;
  if (completed === undefined) return { ...advanced, more: true };
  const next = advanced.plan.remotes?.strategy as RemoteWork; // it has just advanced
  const read = handedIn(candidatesIn(completed.answer), STRATEGY);
  if ("answer" in read)
    return {
      ...advanced,
      plan: withWork(advanced.plan, "strategy", {
        ...next,
        submitted: read.answer as unknown as SubmittedStrategy, // by the schema
      }),
      more: true,
    };
  const message = `what ${actor.name} has answered is no strategy: ${read.problem}`;
  return {
    ...advanced,
    plan: withWork(advanced.plan, "strategy", { ...next, remark: read.problem }),
    failure: { reason: "REMOTE_BAD_RESPONSE", message, recoverable: true },
  };
}

function wantedText(plan: Plan, { remark }: RemoteWork): string {
  const guidance = plan.guidance.map((text) => `- ${text}`);
  return [
    taskText(plan, false),
    ...(guidance.length === 0 ? [] : [`The user adds:\n${guidance.join("\n")}`]),
    "Do not carry it out. Decide how it is to be done, and answer with one JSON object that fits this JSON Schema, as a data part or as text:",
    JSON.stringify(submitStrategyTool.offered.inputSchema),
    ...(remark === undefined ? [] : [`Your last answer could not be taken: ${remark}`]),
  ].join("\n\n");
}
