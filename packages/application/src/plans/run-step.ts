import type { JsonObject, JsonValue, Plan, PlanFailure, PlanStep, ScriptStep } from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import type { ToolContext, ToolError } from "../ports/tool-provider.ts";
import type { Sandbox } from "../ports/workspace.ts";
import { ExpressionError, holds } from "../script/expression.ts";
import { fill } from "../script/template.ts";
import type { GuardFacts, GuardVerdict } from "../tools/tool-guard.ts";
import type { ToolCall, ToolOutcome } from "../tools/tool-runner.ts";
import { compact } from "../wire/message.ts";
import { ask } from "./asking.ts";
import { asChosen, decisionAsk } from "./asking-decisions.ts";
import { boundServersOf } from "./bound-servers.ts";
import { overdue, withinDeadline } from "./deadline.ts";
import { decide, decisionEvent } from "./deciding.ts";
import { scopeOf } from "./decision-context.ts";
import { decisionsOfStep } from "./decision-links.ts";
import { fail } from "./failing.ts";
import { budgetAsk, callAsk, guardAsk, questionAsk } from "./gates.ts";
import { charged, exceededEvent, factsOf, guardEvent, settled } from "./guarding-call.ts";
import { assertIsolation, demandOf } from "./isolation.ts";
import { OutputLog } from "./output-log.ts";
import { type NamedEvent, statusEvent } from "./plan-writer.ts";
import { partsEvent } from "./result-parts.ts";
import { samplingFor } from "./sampling.ts";
import { SandboxTelling } from "./sandbox-telling.ts";
import { stepLabel, toolOf } from "./script-steps.ts";
import { checkpointBefore, finishStep, restoredEvent, startEvent, withStep } from "./step-progress.ts";
import { spawn } from "./subplans/spawning.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** Runs one step of the script, records what it did, and leaves a checkpoint behind it. */
export async function runStep(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  listed: PlanStep,
): Promise<TurnOutcome> {
  const { plan } = turn;
  const late = overdue(plan, deps.clock.now(), listed.index);
  if (late !== undefined) return fail(deps, turn, plan, late);
  // The host may be another one by now, or no longer what it was: nothing runs less isolated than has been shown.
  await assertIsolation(deps, {
    demand: demandOf(plan),
    shown: plan.sandbox?.enforcement,
    environment: plan.environment,
  });
  const declared = plan.script.steps[listed.index] as ScriptStep; // steps were made from the script, one for one
  let step = listed;
  try {
    const scope = scopeOf(plan);
    // A step that is tried again has not begun yet in this attempt; one that was cut off began when its condition held.
    const begun = step.status === "running" && step.tries !== undefined;
    if (declared.when !== undefined && !begun && !holds(declared.when, scope)) {
      if (step.status === "running") await sandbox.restore(checkpointBefore(plan, step, sandbox));
      await finishStep(turn, plan, { ...step, status: "skipped", detail: "its condition does not hold" });
      return "continue";
    }
    const value = fill(declared.value as unknown as JsonValue, scope) as JsonObject;
    // From here on people see what the step does, not the templates that it was written with.
    step = {
      ...step,
      label: stepLabel({ ...declared, value } as unknown as ScriptStep),
      decisions: decisionsOfStep(plan, step.index),
    };
    switch (declared.kind) {
      case "decide":
        return await decideStep(deps, turn, step, declared.value);
      case "ask":
        return await ask(
          deps,
          turn,
          withStep(plan, { ...step, status: "running" }),
          questionAsk(step.index, String(value["question"]), declared.value.options, declared.value.freeText),
          [startEvent(plan, step)],
        );
      case "say":
        await finishStep(turn, plan, { ...step, status: "done", detail: String(value["text"]) });
        return "continue";
      case "wait":
        return await waitStep(deps, turn, step, Number(value["seconds"]) * 1000);
      case "fail":
        return await fail(
          deps,
          turn,
          withStep(plan, { ...step, status: "failed", detail: String(value["message"]) }),
          {
            reason: "SCRIPT_FAILED",
            message: String(value["message"]),
            step: step.index,
            recoverable: declared.value.retryable,
          },
        );
      case "subplan":
        return await spawn(deps, turn, sandbox, step, value);
      case "call":
        return await runTool(
          deps,
          turn,
          sandbox,
          step,
          declared.value.tool,
          value["arguments"] as JsonObject,
        );
      default:
        return await runTool(deps, turn, sandbox, step, toolOf(declared.kind), value);
    }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return fail(deps, turn, withStep(plan, { ...step, status: "failed", detail: error.message }), {
      reason: "SCRIPT_EXPRESSION",
      message: error.message,
      step: step.index,
      recoverable: false,
    });
  }
}

/** What becomes of a plan by a call that has ended; undefined leaves it to the step: a failed one stops the plan. */
export type CallEnded = (
  plan: Plan,
  step: PlanStep,
  outcome: ToolOutcome,
) => { readonly plan: Plan; readonly step: PlanStep; readonly events?: readonly NamedEvent[] } | undefined;

/**
 * One tool call as a step of the plan, `pending` or `running` in its list: guards, charge, record, call, checkpoint,
 * commit. Cut off, it is run again from the checkpoint before the step if that is harmless, else the user is asked.
 */
export async function runTool(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  step: PlanStep,
  tool: string,
  args: JsonObject,
  ended: CallEnded = () => undefined,
): Promise<TurnOutcome> {
  const { plan, writer } = turn;
  const tries = (step.tries ?? 0) + 1;
  const again = step.status === "running";
  const descriptor = deps.tools.find(tool);
  // Tries are counted within an attempt: what the user has let begin anew was not cut off in this one.
  if (
    step.tries !== undefined &&
    step.tries !== step.askedBy &&
    descriptor !== undefined &&
    !descriptor.idempotent &&
    descriptor.effect !== "none" &&
    descriptor.effect !== "sandbox"
  ) {
    const message = `${step.label} was interrupted and may have had its effect`;
    return fail(deps, turn, withStep(plan, { ...step, status: "failed", detail: message }), {
      reason: "INTERRUPTED",
      message,
      step: step.index,
      recoverable: true,
    });
  }
  // A step that was cut off left who knows what behind: it starts from where its predecessor ended.
  if (again) {
    await sandbox.restore(checkpointBefore(plan, step, sandbox));
    if (WITH_FAIL_POINTS) deps.failPoint?.("plan.step.restored");
  }
  const running: PlanStep = { ...step, status: "running", tries };
  let started = withStep({ ...plan, toolCalls: plan.toolCalls + 1 }, running);
  const artifactId = `step-${step.index}-output`;
  const { outputs } = deps;
  const output = new OutputLog({
    append: (events) => writer.append(plan.planId, events),
    key: `a${plan.attempt}:step:${step.index}:try:${tries}`,
    artifactId,
    name: `Output of ${step.label}`,
    spill: outputs && (() => outputs.begin(plan.planId, artifactId)),
  });
  await using telling = new SandboxTelling(turn);
  const call: ToolCall = { callId: `a${plan.attempt}:step:${step.index}`, tool, args };
  const facts = await factsOf(plan, step, call, descriptor);
  let begunAt = deps.clock.now();
  const inputs = step.inputs ?? [];
  const sampling = samplingFor(deps, turn, {
    of: call,
    tries,
    known: inputs,
    plan: () => started,
    keep: (plan) => {
      started = plan;
    },
  });
  const outcome = await deps.tools.run(
    call,
    {
      planId: plan.planId,
      sandbox,
      inputs,
      ...boundServersOf(plan, "execution"),
      ...(sampling === undefined ? {} : { sample: sampling.sample }),
      signal: withinDeadline(turn.signal, plan, deps.clock.now()),
      network: false,
      ...environmentOf(plan),
      onPreparing: (size) => {
        if (size === undefined) void telling[Symbol.asyncDispose]();
        else telling.tell({ stage: "dependencies", ...size });
      },
      onOutput: (chunk) => output.add(chunk),
    },
    facts,
    {
      denied: (denied, said) =>
        writer.append(plan.planId, [statusEvent("working", guardEvent("guard.denied", denied, said))]),
      before: async (_call, _descriptor, allowed) => {
        const paid = charged(started, facts, tool, tries, allowed);
        started = paid.plan;
        await writer.write(started, "working", [
          ...(again ? [restoredEvent(plan, running)] : []),
          startEvent(plan, running),
          ...paid.events,
        ]);
        begunAt = deps.clock.now();
        if (WITH_FAIL_POINTS) deps.failPoint?.("plan.step.started");
      },
      after: async (_call, _descriptor, outcome) => {
        if (WITH_FAIL_POINTS) deps.failPoint?.("plan.step.ran");
        await output.close();
        const parts = outcome.ok ? (outcome.result.parts ?? []) : [];
        if (parts.length > 0) await writer.append(plan.planId, [partsEvent(plan, running, parts)]);
      },
    },
  );
  if (turn.signal.aborted) return "done";
  if ("asked" in outcome) return askGuard(deps, turn, step, call, facts, outcome.asked);
  const seconds = Math.max(0, deps.clock.now() - begunAt) / 1000;
  const paid = settled(started, call.callId, { seconds, ...(outcome.ok ? outcome.result.used : {}) });
  if (!outcome.ok && outcome.needs !== undefined) {
    const asking = { ...running, askedBy: tries, inputs: [...inputs, ...(sampling?.made ?? [])] };
    return ask(deps, turn, withStep(paid.plan, asking), callAsk(step, outcome.needs), paid.events);
  }
  const late = outcome.ok ? undefined : overdue(plan, deps.clock.now(), step.index);
  if (late !== undefined)
    return fail(
      deps,
      turn,
      withStep(paid.plan, { ...running, status: "failed", detail: late.message }),
      late,
    );
  const own = ended(paid.plan, running, outcome);
  if (!outcome.ok && own === undefined) return stepFailed(deps, turn, paid.plan, running, outcome.error);
  const checkpoint = await sandbox.checkpoint(`step ${step.index}`, (progress) => telling.tell(progress));
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.step.checkpointed");
  if (own !== undefined || !outcome.ok) {
    const { plan: after, step: done, events = [] } = own ?? { plan: paid.plan, step: running };
    await finishStep(turn, after, { ...done, checkpoint }, [...paid.events, ...events]);
    return "continue";
  }
  const name = plan.script.steps[step.index]?.name;
  const results =
    name === undefined ? paid.plan.results : { ...paid.plan.results, [name]: outcome.result.value };
  await finishStep(
    turn,
    { ...paid.plan, results },
    { ...running, status: "done", detail: outcome.result.summary, checkpoint },
    [
      { key: `a${plan.attempt}:step:${step.index}:completed`, name: "tool.completed", data: { tool } },
      ...paid.events,
    ],
  );
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.step.committed");
  return "continue";
}

export function environmentOf({ planId, contextId, environment }: Plan): Pick<ToolContext, "environment"> {
  return environment === undefined ? {} : { environment: { ...environment, planId, contextId } };
}

/** The call waits for a human, the step has not begun. */
async function askGuard(
  deps: PlanDeps,
  turn: Turn,
  step: PlanStep,
  call: ToolCall,
  facts: GuardFacts,
  said: GuardVerdict,
): Promise<TurnOutcome> {
  const { plan } = turn;
  const { breach } = said;
  if (breach === undefined)
    return ask(deps, turn, withStep(plan, step), guardAsk(step, call, facts.call.key, said), [
      guardEvent("guard.asked", call, said),
    ]);
  const initial = plan.budget?.[breach.kind] ?? breach.limit;
  const failure: PlanFailure = {
    reason: "BUDGET_EXCEEDED",
    message: said.reason,
    step: step.index,
    recoverable: true,
  };
  return ask(deps, turn, { ...withStep(plan, step), failure }, budgetAsk(step, breach, initial), [
    exceededEvent(call.callId, breach),
  ]);
}

async function stepFailed(
  deps: PlanDeps,
  turn: Turn,
  plan: Plan,
  step: PlanStep,
  error: ToolError,
): Promise<TurnOutcome> {
  return fail(deps, turn, withStep(plan, { ...step, status: "failed", detail: error.message }), {
    reason: error.reason,
    message: `${step.label} failed: ${error.message}`,
    step: step.index,
    recoverable: true,
    ...compact({ output: outputOf(error) }),
  });
}

/** What a person would look at first: the end of what the command said. */
function outputOf({ details }: ToolError): string | undefined {
  const said = [details["stderr"], details["stdout"]].find(
    (text) => typeof text === "string" && text.trim() !== "",
  );
  return typeof said === "string" ? said.trimEnd().split("\n").slice(-12).join("\n").slice(-2000) : undefined;
}

async function decideStep(
  deps: PlanDeps,
  turn: Turn,
  step: PlanStep,
  declared: Parameters<typeof decide>[2],
): Promise<TurnOutcome> {
  const found = await decide(deps, turn.plan, declared, step.index);
  const asked = decisionAsk(turn.plan, found, step.index);
  if (asked !== undefined)
    return ask(deps, turn, withStep(turn.plan, { ...step, status: "running" }), asked, [
      startEvent(turn.plan, step),
    ]);
  const decision = asChosen(turn.plan, found);
  const plan = { ...turn.plan, decisions: [...turn.plan.decisions, decision] };
  await finishStep(turn, plan, { ...step, status: "done", detail: decision.chosen }, [
    decisionEvent(decision),
  ]);
  return "continue";
}

/** Waits without anybody's time: when it is over stands in the plan, and a later turn finds that it is. */
async function waitStep(deps: PlanDeps, turn: Turn, step: PlanStep, ms: number): Promise<TurnOutcome> {
  const { until, ...waiting } = step;
  if (until === undefined) {
    const end = deps.clock.now() + ms;
    const running: PlanStep = { ...waiting, status: "running", tries: (step.tries ?? 0) + 1, until: end };
    await turn.writer.write(withStep(turn.plan, running), "working", [startEvent(turn.plan, running)]);
    return { until: end };
  }
  if (deps.clock.now() < until) return { until };
  await finishStep(turn, turn.plan, { ...waiting, status: "done" });
  return "continue";
}
