import {
  type JsonObject,
  type Plan,
  type RemoteWork,
  type SubmittedStrategy,
  textOf,
} from "@cleveragents/domain";
import type { DecisionSource } from "../plans/decision-source.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import { advance } from "./remote-advance.ts";
import type { RemoteAnswer } from "./remote-answer.ts";
import type { RemoteDeps } from "./remote-turn.ts";
import { remoteActorOf, withWork, withWorkInLine } from "./remote-work.ts";
import { decideAll } from "./strategist.ts";
import { submitStrategyTool } from "./submit-strategy.ts";
import { taskText } from "./task-text.ts";

type Record = Parameters<DecisionSource["strategize"]>[2];
type Step = Awaited<ReturnType<DecisionSource["strategize"]>>;

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
  const compose = () => wantedText(plan, work);
  const { completed, ...advanced } = await advance(remote, deps, turn, plan, "strategy", work, compose);
  if (advanced.failure !== undefined || advanced.ask !== undefined) return advanced;
  if (completed === undefined) return { ...advanced, more: true };
  const next = advanced.plan.remotes?.strategy as RemoteWork; // it has just advanced
  const read = strategyIn(completed.answer);
  if ("submitted" in read)
    return {
      ...advanced,
      plan: withWork(advanced.plan, "strategy", { ...next, submitted: read.submitted }),
      more: true,
    };
  const message = `what ${actor.name} has answered is no strategy: ${read.problem}`;
  return {
    ...advanced,
    plan: withWork(advanced.plan, "strategy", { ...next, remark: read.problem }),
    failure: { reason: "REMOTE_BAD_RESPONSE", message, recoverable: true },
  };
}

/** The strategy that stands in an answer, as data or as JSON in its text; else what is missing for one. */
export function strategyIn({
  parts,
  artifacts,
}: RemoteAnswer): { readonly submitted: SubmittedStrategy } | { readonly problem: string } {
  const all = [...artifacts.flatMap((artifact) => artifact.parts), ...parts];
  const candidates = [
    ...all.flatMap((part) => (part.kind === "data" ? [part.data] : [])),
    ...artifacts.flatMap((artifact) => jsonIn(textOf(artifact))),
    ...jsonIn(textOf({ parts })),
  ].filter(
    (value): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value),
  );
  let problem: string | undefined;
  for (const candidate of candidates) {
    const read = submitStrategyTool.input.safeParse(candidate);
    if (read.success) {
      const submitted = read.data as unknown as SubmittedStrategy; // by the schema
      const why = submitStrategyTool.problem?.(read.data);
      if (why === undefined) return { submitted };
      problem ??= why;
    } else {
      const issues = read.error.issues.map(
        ({ path, message }) => `${path.join(".") || "the answer"}: ${message}`,
      );
      // Of several the one that is nearest to a strategy is told.
      if (problem === undefined || "decisions" in candidate) problem = issues.slice(0, 5).join("; ");
    }
  }
  return { problem: problem ?? "it has neither a data part nor JSON in its text" };
}

function jsonIn(text: string): unknown[] {
  const fenced = [...text.matchAll(/```(?:json)?\s*\n([\s\S]*?)```/g)].map(([, inner]) => inner as string);
  return [text, ...fenced].flatMap((one) => {
    try {
      return [JSON.parse(one) as unknown];
    } catch {
      return [];
    }
  });
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
