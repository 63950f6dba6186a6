import {
  type Check,
  type CheckResult,
  type JsonObject,
  type Plan,
  type PlanStep,
  roundOf,
} from "@cleveragents/domain";
import type { Sandbox } from "../ports/workspace.ts";
import type { ToolCall, ToolOutcome } from "../tools/tool-runner.ts";
import { ask } from "./asking.ts";
import { budgetAsk, guardAsk } from "./gates.ts";
import { charged, exceededEvent, factsOf, guardEvent, settled } from "./guarding-call.ts";
import { assertIsolation, demandOf } from "./isolation.ts";
import { OutputLog } from "./output-log.ts";
import { type NamedEvent, statusEvent } from "./plan-writer.ts";
import type { Verdict } from "./probing.ts";
import { environmentOf } from "./run-step.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

export function currentRound({ attempt, repairs }: Plan): string {
  return roundOf(attempt, repairs?.attempt === attempt ? repairs.count : 0);
}

/** The tree that the checks look at: of the newest step that left one, else what the plan started from. */
export function treeOf({ steps }: Plan, sandbox: Sandbox): string {
  return steps.findLast(({ checkpoint }) => checkpoint !== undefined)?.checkpoint ?? sandbox.baseTree;
}

export interface GuardedWork {
  readonly label: string;
  /** Tells it from others of the plan: each has its own limit of calls. */
  readonly order: number;
  readonly callId: string;
  /** What a question about the call is about, for its answer. */
  readonly about: JsonObject;
  readonly tool: string;
  readonly args: JsonObject;
  readonly started: { readonly name: string; readonly data: JsonObject };
  /** What the plan is afterwards. */
  readonly ended: (plan: Plan, outcome: ToolOutcome, durationMs: number) => Promise<Plan>;
  readonly event: (plan: Plan) => NamedEvent;
}

/** A call that belongs to no step: the same guards, the same charge and the same record as one that does. */
export async function callFor(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  work: GuardedWork,
): Promise<TurnOutcome> {
  const { plan, writer } = turn;
  await assertIsolation(deps, {
    demand: demandOf(plan),
    shown: plan.sandbox?.enforcement,
    environment: plan.environment,
  });
  const call: ToolCall = { callId: work.callId, tool: work.tool, args: work.args };
  const asIfStep: PlanStep = {
    index: plan.steps.length + work.order,
    label: work.label,
    kind: "check",
    status: "running",
  };
  const facts = await factsOf(plan, asIfStep, call, deps.tools.find(work.tool));
  let started: Plan = { ...plan, toolCalls: plan.toolCalls + 1 };
  let begunAt = deps.clock.now();
  const output = new OutputLog({
    append: (events) => writer.append(plan.planId, events),
    key: `${work.callId}:${deps.ids.next()}`,
    artifactId: `${work.callId.replaceAll(/[^A-Za-z0-9]+/g, "-")}-output`,
    name: `Output of ${work.label}`,
  });
  const outcome = await deps.tools.run(
    call,
    {
      planId: plan.planId,
      sandbox,
      signal: turn.signal,
      network: false,
      ...environmentOf(plan),
      onOutput: (chunk) => output.add(chunk),
    },
    facts,
    {
      denied: (denied, said) =>
        writer.append(plan.planId, [statusEvent("working", guardEvent("guard.denied", denied, said))]),
      before: async (_call, _descriptor, allowed) => {
        const paid = charged(started, facts, work.tool, 1, allowed);
        started = paid.plan;
        await writer.write(started, "working", [
          { key: `${work.callId}:started`, ...work.started },
          ...paid.events,
        ]);
        begunAt = deps.clock.now();
      },
      after: async () => {
        await output.close();
      },
    },
  );
  if (turn.signal.aborted) return "done";
  if ("asked" in outcome) {
    const { breach } = outcome.asked;
    const draft =
      breach === undefined
        ? guardAsk(asIfStep, call, facts.call.key, outcome.asked)
        : budgetAsk(asIfStep, breach, plan.budget?.[breach.kind] ?? breach.limit);
    const { step: _, ...asked } = draft;
    const failure =
      breach === undefined
        ? {}
        : { failure: { reason: "BUDGET_EXCEEDED", message: outcome.asked.reason, recoverable: true } };
    const event =
      breach === undefined
        ? guardEvent("guard.asked", call, outcome.asked)
        : exceededEvent(call.callId, breach);
    return ask(
      deps,
      turn,
      { ...plan, ...failure },
      { ...asked, details: { ...asked.details, ...work.about } },
      [event],
    );
  }
  const durationMs = Math.max(0, deps.clock.now() - begunAt);
  const paid = settled(started, call.callId, {
    seconds: durationMs / 1000,
    ...(outcome.ok ? outcome.result.used : {}),
  });
  const after = await work.ended(paid.plan, outcome, durationMs);
  await writer.write(after, "working", [...paid.events, work.event(after)]);
  return "continue";
}

export function withVerdict(
  plan: Plan,
  { id }: Check,
  said: Verdict & Pick<CheckResult, "judgedBy">,
  durationMs: number,
): Plan {
  const { attempt } = plan;
  const result = { ...said, durationMs, attempt, round: currentRound(plan) };
  return {
    ...plan,
    checks: (plan.checks ?? []).map((check) => (check.id === id ? { ...check, result } : check)),
  };
}

export function verdictEvent(plan: Plan, id: string): NamedEvent {
  const check = plan.checks?.find((candidate) => candidate.id === id) as Check; // it has just been given its result
  const { result } = check;
  const { passed = false, message = "", durationMs = 0, round = "", judgedBy } = result ?? {};
  const kind = check.kind === "invariant" ? "invariant" : "validation";
  const words = { validation: ["passed", "failed"], invariant: ["enforced", "violated"] } as const;
  return {
    key: `${round}:check:${id}:judged`,
    name: `${kind}.${words[kind][passed ? 0 : 1]}`,
    data: {
      ...namesOf(check),
      passed,
      message,
      duration_ms: durationMs,
      ...(judgedBy === undefined ? {} : { judged_by: judgedBy }),
    },
  };
}

export function namesOf({ id, kind, name, text, mode, scope, target }: Check): JsonObject {
  return {
    id,
    kind,
    name,
    mode,
    scope,
    target,
    ...(kind === "validation" ? {} : { text }),
  };
}
