import {
  type Confidence,
  type ConfidenceFacts,
  confidenceFrom,
  type Gate,
  PHASE_GATE,
  type Plan,
  proceeds,
  profileOf,
  type ScriptStep,
} from "@cleveragents/domain";
import type { TaskStore } from "../ports/task-store.ts";
import { planOf } from "./plan-document.ts";

/** Earlier plans that are looked at, newest first; what is older says little of what is. */
const REMEMBERED = 50;

export interface Assessed {
  /** The plan with what was thought of it. */
  readonly plan: Plan;
  readonly proceeds: boolean;
}

/** Whether a plan may go on to its next phase by itself, by what its principal's earlier plans have come to. */
export async function assess(
  { store }: { readonly store: TaskStore },
  plan: Plan,
  phase: keyof typeof PHASE_GATE,
  notes = 0,
): Promise<Assessed> {
  const gate: Gate = PHASE_GATE[phase];
  const profile = profileOf(plan);
  const confidence = await confidenceOf(store, plan, notes);
  const passed = proceeds(profile, gate, confidence.value);
  const threshold = profile.thresholds[gate];
  return { plan: { ...plan, confidence: { ...confidence, gate, threshold, passed } }, proceeds: passed };
}

/** How sure it is that the plan may go on by itself. */
export async function confidenceOf(
  store: TaskStore,
  plan: Plan,
  notes = 0,
): Promise<ReturnType<typeof confidenceFrom>> {
  return confidenceFrom(await factsOf(store, plan, notes));
}

/** What a plan is known to change: what it has changed, else what its script says it will. */
async function factsOf(store: TaskStore, plan: Plan, notes: number): Promise<ConfidenceFacts> {
  const { rows } = await store.list({
    principal: plan.principal,
    kind: "plan",
    states: ["completed", "failed", "canceled"],
    limit: REMEMBERED,
  });
  const earlier = rows.map(planOf).filter(({ planId }) => planId !== plan.planId);
  const ofAction = earlier.filter(({ action }) => action === plan.action);
  const known = new Set(
    earlier
      .filter(({ project, stage }) => project.name === plan.project.name && stage.state === "applied")
      .flatMap(({ touched = [] }) => touched),
  );
  const files = plan.touched ?? plan.script.steps.flatMap(pathsOf);
  const kinds = plan.script.steps.map(({ kind }) => kind);
  return {
    decisions: weakest(plan),
    past: {
      succeeded: ofAction.filter(({ stage }) => stage.state === "applied").length,
      failed: ofAction.filter(({ stage }) => stage.state !== "applied").filter(hasDisappointed).length,
    },
    files: { total: files.length, known: files.filter((path) => known.has(path)).length },
    risk: {
      commands: kinds.filter((kind) => kind === "run").length,
      deletions: kinds.filter((kind) => kind === "delete").length,
      notes,
    },
    invariants: (plan.reconciled?.effective ?? plan.invariants ?? []).length,
  };
}

/** Given up, or what it offered was rejected; one that was cancelled on the way says nothing of its action. */
function hasDisappointed({ stage, changeset }: Plan): boolean {
  return stage.state === "failed" || (stage.state === "cancelled" && changeset !== undefined);
}

function weakest({ decisions }: Plan): Confidence["decisions"] {
  return Math.min(1, ...decisions.filter((d) => d.supersededBy === undefined).map((d) => d.confidence));
}

/** Paths that a step changes, as far as they are written out in the script. */
function pathsOf(step: ScriptStep): readonly string[] {
  const paths =
    step.kind === "rename" ? [step.value.from, step.value.to] : "path" in step.value ? [step.value.path] : [];
  return step.kind === "read" ? [] : paths.filter((path) => !path.includes("{{"));
}
