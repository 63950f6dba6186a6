import {
  builtinProfile,
  type EnforcementLevel,
  isTerminal,
  type JsonObject,
  type JsonValue,
  PHASE_GATE,
  type Plan,
  type PlanStep,
  proceeds,
  type ScriptStep,
  summaryOf,
} from "@cleveragents/domain";
import type { ToolError } from "../ports/tool-provider.ts";
import type { Sandbox } from "../ports/workspace.ts";
import { ExpressionError, holds } from "../script/expression.ts";
import { fill } from "../script/template.ts";
import { toWireSummary } from "../wire/plan.ts";
import { ask } from "./asking.ts";
import { fail } from "./failing.ts";
import { applyAsk, questionAsk } from "./gates.ts";
import { OutputLog } from "./output-log.ts";
import { moved, without } from "./plan-document.ts";
import type { NamedEvent } from "./plan-writer.ts";
import { stepLabel, toolOf } from "./script-steps.ts";
import { confidenceOf, decide, decisionEvent, scopeOf, stageEvent } from "./strategize.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** execute/queued: lists the steps and begins. */
export async function beginExecute(_deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const steps: PlanStep[] =
    turn.plan.steps.length > 0
      ? [...turn.plan.steps]
      : turn.plan.script.steps.map((step, index) => ({
          index,
          kind: step.kind,
          label: stepLabel(step),
          status: "pending",
        }));
  const next = moved({ ...turn.plan, steps }, { phase: "execute", state: "processing" });
  await turn.writer.write(next, "working", [stageEvent(next, { steps: steps.length })]);
  return "continue";
}

/** execute/processing: makes the sandbox, or runs the next step, or closes the phase. */
export async function execute(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const { plan } = turn;
  if (plan.sandbox === undefined) return makeSandbox(deps, turn);
  const sandbox = await deps.workspace.open(plan.planId, plan.project.path, plan.sandbox);
  const step = plan.steps.find(
    (candidate) => candidate.status === "pending" || candidate.status === "running",
  );
  return step === undefined ? offerChangeset(deps, turn, sandbox) : runStep(deps, turn, sandbox, step);
}

async function makeSandbox(deps: PlanDeps, turn: Turn): Promise<TurnOutcome> {
  const { plan } = turn;
  const { level } = await deps.commands.probe();
  const enforcement: EnforcementLevel = level;
  const sandbox = await deps.workspace.create(plan.planId, plan.project.path, turn.signal);
  try {
    await turn.writer.write({ ...plan, sandbox: { ...sandbox.state, enforcement } }, "working", [
      {
        key: "sandbox:created",
        name: "sandbox.created",
        data: { kind: sandbox.state.kind, enforcement, warnings: [...sandbox.state.warnings] },
      },
    ]);
  } catch (error) {
    // Cancelled meanwhile, the plan does not know of its sandbox, so nobody else would remove it.
    const row = await deps.store.load(plan.planId);
    if (row !== undefined && isTerminal(row.state)) await sandbox.dispose();
    throw error;
  }
  return "continue";
}

async function runStep(deps: PlanDeps, turn: Turn, sandbox: Sandbox, listed: PlanStep): Promise<TurnOutcome> {
  const { plan } = turn;
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
    step = { ...step, label: stepLabel({ ...declared, value } as unknown as ScriptStep) };
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
      case "wait": {
        const running: PlanStep = { ...step, status: "running", tries: (step.tries ?? 0) + 1 };
        await turn.writer.write(withStep(plan, running), "working", [startEvent(plan, running)]);
        await pause(Number(value["seconds"]) * 1000, turn.signal);
        if (turn.signal.aborted) return "done";
        await finishStep(turn, withStep(plan, running), { ...running, status: "done" });
        return "continue";
      }
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

async function runTool(
  deps: PlanDeps,
  turn: Turn,
  sandbox: Sandbox,
  step: PlanStep,
  tool: string,
  args: JsonObject,
): Promise<TurnOutcome> {
  const { plan, writer } = turn;
  const tries = (step.tries ?? 0) + 1;
  const again = step.status === "running";
  const descriptor = deps.tools.find(tool);
  // Tries are counted within an attempt: what the user has let begin anew was not cut off in this one.
  if (
    step.tries !== undefined &&
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
  if (again) await sandbox.restore(checkpointBefore(plan, step, sandbox));
  const running: PlanStep = { ...step, status: "running", tries };
  const started = withStep({ ...plan, toolCalls: plan.toolCalls + 1 }, running);
  const output = new OutputLog({
    append: (events) => writer.append(plan.planId, events),
    key: `a${plan.attempt}:step:${step.index}:try:${tries}`,
    artifactId: `step-${step.index}-output`,
    name: `Output of ${step.label}`,
  });
  const outcome = await deps.tools.run(
    { callId: `a${plan.attempt}:step:${step.index}`, tool, args },
    {
      planId: plan.planId,
      sandbox,
      signal: turn.signal,
      network: false,
      onOutput: (chunk) => output.add(chunk),
    },
    {
      before: (call) =>
        writer.write(started, "working", [
          startEvent(plan, running),
          { key: `${call.callId}:try:${tries}:invoked`, name: "tool.invoked", data: { tool } },
        ]),
      after: async () => output.close(),
    },
  );
  if (turn.signal.aborted) return "done";
  if (!outcome.ok) return stepFailed(deps, turn, started, running, outcome.error);
  const checkpoint = await sandbox.checkpoint(`step ${step.index}`);
  const name = plan.script.steps[step.index]?.name;
  const results = name === undefined ? started.results : { ...started.results, [name]: outcome.result.value };
  await finishStep(
    turn,
    { ...started, results },
    { ...running, status: "done", detail: outcome.result.summary, checkpoint },
    [{ key: `a${plan.attempt}:step:${step.index}:completed`, name: "tool.completed", data: { tool } }],
  );
  return "continue";
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
  });
}

async function decideStep(
  deps: PlanDeps,
  turn: Turn,
  step: PlanStep,
  declared: Parameters<typeof decide>[2],
): Promise<TurnOutcome> {
  const decision = decide(deps, turn.plan, declared, "execute");
  const plan = { ...turn.plan, decisions: [...turn.plan.decisions, decision] };
  await finishStep(turn, plan, { ...step, status: "done", detail: decision.chosen }, [
    decisionEvent(decision),
  ]);
  return "continue";
}

/** Every step is through: what changed becomes a changeset, and the gate before Apply is asked or passed. */
async function offerChangeset(deps: PlanDeps, turn: Turn, sandbox: Sandbox): Promise<TurnOutcome> {
  const { plan, writer } = turn;
  const compared = await sandbox.compare();
  const { changeset, digest } = compared;
  const complete = moved(
    { ...without(plan, "failure"), changeset: { digest, summary: summaryOf(changeset) } },
    { phase: "execute", state: "complete" },
  );
  if (changeset.files.length === 0) {
    const empty = moved(
      { ...complete, finishedAt: deps.clock.now() },
      { phase: "apply", state: "queued" },
      { phase: "apply", state: "processing" },
      { phase: "apply", state: "applied" },
    );
    await writer.write(empty, "completed", [
      { key: "applied", name: "plan.applied", data: { files: 0, digest } },
    ]);
    return "done";
  }
  const patch = await compared.patch();
  await deps.changesets.put({ digest, changeset, patch });
  const ready: NamedEvent = {
    key: `a${plan.attempt}:changeset:${digest}`,
    name: "plan.changeset_ready",
    data: {
      digest,
      files: changeset.stats.files,
      insertions: changeset.stats.insertions,
      deletions: changeset.stats.deletions,
    },
  };
  await writer.append(plan.planId, [
    {
      key: `a${plan.attempt}:changeset-artifact:${digest}`,
      event: {
        type: "artifact",
        append: false,
        lastChunk: true,
        artifact: {
          artifactId: "changeset",
          name: "changeset",
          description: "What the plan would change",
          parts: [
            {
              kind: "data",
              data: {
                digest,
                ...toWireSummary(summaryOf(changeset)),
                paths: changeset.files.map((file) => file.path),
              },
              mediaType: "application/json",
            },
            ...(patch.length <= 1024 * 1024
              ? [
                  {
                    kind: "text" as const,
                    text: patch,
                    mediaType: "text/x-patch",
                    filename: `${plan.planId}.patch`,
                  },
                ]
              : []),
          ],
        },
      },
    },
  ]);
  if (proceeds(builtinProfile(plan.profile.name), PHASE_GATE.apply, confidenceOf(plan))) {
    const next = moved(complete, { phase: "apply", state: "queued" });
    await writer.write(next, "working", [ready, stageEvent(next)]);
    return "continue";
  }
  return ask(deps, turn, complete, applyAsk(complete, digest, changeset), [ready, stageEvent(complete)]);
}

/** The tree in front of a step: of the newest step before it that left one, else what the plan started from. */
export function checkpointBefore(plan: Plan, step: PlanStep, sandbox: Sandbox): string {
  const before = plan.steps.filter(
    (candidate) => candidate.index < step.index && candidate.checkpoint !== undefined,
  );
  return before.at(-1)?.checkpoint ?? sandbox.baseTree;
}

export function withStep(plan: Plan, step: PlanStep): Plan {
  return {
    ...plan,
    steps: plan.steps.map((candidate) => (candidate.index === step.index ? step : candidate)),
  };
}

function startEvent(plan: Plan, step: PlanStep): NamedEvent {
  return {
    key: `a${plan.attempt}:step:${step.index}:try:${step.tries ?? 1}:started`,
    name: "step.started",
    data: { index: step.index, label: step.label, kind: step.kind, total: plan.steps.length },
  };
}

export async function finishStep(
  turn: Turn,
  plan: Plan,
  step: PlanStep,
  before: readonly NamedEvent[] = [],
  take: readonly string[] = [],
): Promise<void> {
  const { index, label, status, detail } = step;
  await turn.writer.write(
    withStep(plan, step),
    "working",
    [
      ...before,
      {
        key: `a${plan.attempt}:step:${index}:finished`,
        name: "step.finished",
        data: { index, label, status, ...(detail === undefined ? {} : { detail }) },
      },
    ],
    take.length === 0 ? {} : { inbox: { take } },
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
