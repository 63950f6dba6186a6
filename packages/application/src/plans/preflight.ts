import { ADVICE_ROLES, type Plan, profileOf, type ScriptStep, STEP_SCHEMAS } from "@cleveragents/domain";
import { WorkspaceError } from "../ports/workspace.ts";
import { SourceMissingError, sourceOf } from "./decision-source.ts";
import { moved } from "./plan-document.ts";
import { stepLabel, toolOfStep } from "./script-steps.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** What was looked at a moment ago, when the plan was made, is not looked at again. */
const FRESH_MS = 60_000;

export interface PreflightProblem {
  /** Which of the checks. */
  readonly check: "actors" | "script" | "tools" | "rollback" | "project" | "validations";
  readonly problem: string;
}

/**
 * Whether a plan can be carried out at all, by what stands in it and what is there now; every problem, not the first.
 * How far commands are isolated is looked at when its copy is made, since a host may become able to.
 */
export async function preflight(
  deps: Pick<PlanDeps, "tools" | "workspace" | "clock" | "sources">,
  plan: Plan,
): Promise<readonly PreflightProblem[]> {
  return [
    ...scriptProblems(plan),
    ...toolProblems(deps, plan),
    ...sourceProblems(deps, plan),
    ...rollbackProblems(deps, plan),
    ...(await projectProblems(deps, plan)),
  ];
}

function scriptProblems({ script }: Plan): PreflightProblem[] {
  return script.steps.flatMap((step, index): PreflightProblem[] =>
    STEP_SCHEMAS[step.kind] === undefined
      ? [{ check: "script", problem: `step ${index + 1} is of a kind that is not known: ${step.kind}` }]
      : [],
  );
}

function sourceProblems(deps: Pick<PlanDeps, "tools" | "sources">, plan: Plan): readonly PreflightProblem[] {
  try {
    const all = [sourceOf(deps, plan, "strategy"), sourceOf(deps, plan, "execution")];
    for (const role of ADVICE_ROLES) all.push(sourceOf(deps, plan, role));
    return [...new Set(all)].flatMap((source) => source.problems?.(deps, plan) ?? []);
  } catch (error) {
    if (!(error instanceof SourceMissingError)) throw error;
    return [{ check: "actors", problem: error.message }];
  }
}

function toolProblems({ tools }: Pick<PlanDeps, "tools">, { script }: Plan): PreflightProblem[] {
  const needed = new Set(script.steps.flatMap((step) => toolOfStep(step) ?? []));
  return [...needed]
    .filter((tool) => tools.find(tool) === undefined)
    .map((tool) => ({ check: "tools", problem: `there is no tool ${tool}` }));
}

/** Where everything has to be undone, nothing may be done for sure that cannot be. */
function rollbackProblems({ tools }: Pick<PlanDeps, "tools">, plan: Plan): PreflightProblem[] {
  const profile = profileOf(plan);
  if (!profile.requireCheckpoints || profile.allowUnsafeTools) return [];
  const forGood = (step: ScriptStep) =>
    step.when === undefined && tools.find(toolOfStep(step) ?? "")?.effect === "irreversible";
  return plan.script.steps.filter(forGood).map((step) => ({
    check: "rollback",
    problem: `${stepLabel(step)} cannot be undone, and the profile ${profile.name} demands checkpoints (one with allow_unsafe_tools goes without)`,
  }));
}

async function projectProblems(
  { workspace, clock }: Pick<PlanDeps, "workspace" | "clock">,
  { project, createdAt }: Plan,
): Promise<PreflightProblem[]> {
  if (clock.now() - createdAt < FRESH_MS) return [];
  try {
    await workspace.inspect(project.path);
    return [];
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return [{ check: "project", problem: `${project.name}: ${error.message}` }];
  }
}

/** strategize/queued → rejected: the plan ends before it has begun, with every reason. */
export async function reject(
  deps: Pick<PlanDeps, "clock" | "ids">,
  { plan, writer }: Turn,
  problems: readonly PreflightProblem[],
): Promise<TurnOutcome> {
  const message = `it cannot be carried out: ${problems.map(({ problem }) => problem).join("; ")}`;
  const rejected: Plan = {
    ...moved(plan, { phase: "strategize", state: "rejected" }),
    finishedAt: deps.clock.now(),
    failure: { reason: "PREFLIGHT_FAILED", message, recoverable: false },
  };
  await writer.write(rejected, "rejected", [
    {
      key: "rejected",
      name: "plan.rejected",
      data: {
        phase: "strategize",
        state: "rejected",
        reason: "PREFLIGHT_FAILED",
        problems: problems.map((problem) => ({ ...problem })),
      },
      message: {
        messageId: deps.ids.next(),
        role: "agent",
        taskId: plan.planId,
        contextId: plan.contextId,
        parts: [{ kind: "text", text: `The plan was not begun: ${message}` }],
      },
    },
  ]);
  return "done";
}
