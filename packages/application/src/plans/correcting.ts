import {
  type Correction,
  type Decision,
  type Plan,
  proceeds,
  profileOf,
  type Restart,
  restartBefore,
  reversionProblem,
  stands,
  startedBy,
  takenBack,
  undoneFrom,
  undoneSteps,
  undoneWith,
} from "@cleveragents/domain";
import { WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import type { InboxEntry } from "../ports/task-store.ts";
import { type Sandbox, WorkspaceError } from "../ports/workspace.ts";
import { compact } from "../wire/message.ts";
import { takeAppend } from "./appending.ts";
import { ask } from "./asking.ts";
import { confidenceOf } from "./assessing.ts";
import { type CorrectionBody, recordOf, refuse, withdrawnChangeset } from "./correction-record.ts";
import { type DecisionDraft, decisionEvent, newDecision } from "./deciding.ts";
import { contextOf } from "./decision-context.ts";
import { restartAsk } from "./gates.ts";
import type { NamedEvent } from "./plan-writer.ts";
import { checkpointBefore } from "./step-progress.ts";
import { stageEvent } from "./strategize.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** What keys of corrections in an inbox begin with. */
export const CORRECTION = "correct:";

/** Paths that a plan remembers of what was put back. */
const REMEMBERED = 200;

/**
 * Takes a plan back to where the correction wants it: first the files, which can be put back again and again, then
 * decisions, steps, results, guidance and stage with their events, in one commit. One that came too late is refused.
 */
export async function takeCorrection(deps: PlanDeps, turn: Turn, entry: InboxEntry): Promise<TurnOutcome> {
  const body = entry.body as unknown as CorrectionBody;
  if (body.kind === "append") return takeAppend(deps, turn, entry);
  const planned = planCorrection(turn.plan, body);
  if ("refused" in planned) return refuse(deps, turn, entry, body, planned.refused);
  const { restart, undone } = planned;
  // Before it is said: they end for good, and a correction that is cut off here is taken again.
  for (const planId of startedBy(undoneSteps(turn.plan, restart)))
    await deps.children?.end(planId, "the plan that it is part of was taken back");
  if (WITH_FAIL_POINTS) deps.failPoint?.("plan.correction.ended");
  let files: Correction["files"];
  try {
    files = await putBack(deps, turn.plan, restart);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return refuse(deps, turn, entry, body, error.message);
  }
  const decision = newDecision(
    deps,
    { ...turn.plan, attempt: turn.plan.attempt + 1 },
    await draftOf(turn.plan, body, restart),
  );
  const guidance = body.kind === "correct" ? body.text : undefined;
  const back = takenBack(turn.plan, restart, undone, decision, guidance);
  const corrected: Plan = {
    ...back,
    corrections: [...(back.corrections ?? []), recordOf(deps, body, back.attempt, { decision, files })],
  };
  const { plan: next, events: stopped } = (await deps.elsewhere?.undone(
    turn.plan,
    corrected,
    turn.signal,
  )) ?? {
    plan: corrected,
    events: [],
  };
  const events = [...stopped, ...eventsOf(next, body, { decision, undone, restart, files })];
  const withdrawn = turn.plan.changeset === undefined ? {} : { logged: [withdrawnChangeset(next)] };
  if (body.kind === "rollback" && !(await goesOnAfterRollback(deps, next)))
    return ask(deps, turn, next, restartAsk(next), events, [entry.key], withdrawn);
  await turn.writer.write(next, "working", events, { inbox: { take: [entry.key] }, ...withdrawn });
  return "continue";
}

/** Whether a plan that was taken back to a checkpoint goes on without being told to: the gate `approve_plan`. */
async function goesOnAfterRollback({ store }: Pick<PlanDeps, "store">, plan: Plan): Promise<boolean> {
  const { value } = await confidenceOf(store, plan);
  return proceeds(profileOf(plan), "approve_plan", value);
}

export type PlannedCorrection =
  | { readonly restart: Restart; readonly undone: readonly Decision[]; readonly target?: Decision }
  | { readonly refused: string };

/** What would be undone, or why nothing can be. The worker is between two turns, so that nothing is running. */
export function planCorrection(
  plan: Plan,
  { kind, target: targetId, step = 0 }: Pick<CorrectionBody, "kind" | "target" | "step">,
): PlannedCorrection {
  const target = plan.decisions.find(({ decisionId }) => decisionId === targetId);
  if (kind === "correct") {
    if (target === undefined) return { refused: "it has no such decision any more" };
    if (!stands(target)) return { refused: "that decision was superseded already" };
  }
  const restart: Restart = target === undefined ? { phase: "execute", step } : restartBefore(target);
  if (plan.reverses !== undefined)
    return { refused: "it undoes another plan and has no decisions of its own" };
  if (plan.stage.phase === "apply" && plan.stage.state !== "errored" && plan.stage.state !== "constrained")
    return { refused: "its changes are being applied" };
  const { phase, state } = plan.stage;
  const rests = { phase, state: state === "processing" ? ("complete" as const) : state };
  const problem = reversionProblem(rests, restart.phase, plan.reversions ?? 0);
  if (problem !== undefined && !(problem === "not begun" && plan.decisions.length > 0))
    return { refused: WHY[problem] };
  const undone =
    target === undefined ? undoneFrom(plan.decisions, restart) : undoneWith(plan.decisions, target);
  return { restart, undone, ...(target === undefined ? {} : { target }) };
}

const WHY = {
  final: "it has ended",
  running: "it is running",
  "not begun": "it has decided nothing yet",
  phase: "it has not come so far",
  limit: "it was taken back as often as a plan can be; use the action again",
} as const;

/** The tree that the copy goes back to. */
export function treeAt(plan: Plan, { phase, step }: Restart, sandbox: Sandbox): string {
  const first = plan.steps[step];
  if (phase === "strategize" || step === 0) return sandbox.baseTree;
  return first === undefined
    ? (latestTree(plan) ?? sandbox.baseTree)
    : checkpointBefore(plan, first, sandbox);
}

export function latestTree({ steps }: Plan): string | undefined {
  return steps.findLast(({ checkpoint }) => checkpoint !== undefined)?.checkpoint;
}

async function putBack({ workspace }: PlanDeps, plan: Plan, restart: Restart): Promise<Correction["files"]> {
  if (plan.sandbox === undefined || plan.sandbox.disposed === true) return undefined;
  const sandbox = await workspace.open(plan.planId, plan.project.path, plan.sandbox);
  const tree = treeAt(plan, restart, sandbox);
  const { changeset } = await sandbox.compare(tree, latestTree(plan) ?? sandbox.baseTree);
  await sandbox.restore(tree);
  const paths = changeset.files.map(({ path }) => path);
  return { paths: paths.slice(0, REMEMBERED), total: paths.length };
}

async function draftOf(
  plan: Plan,
  { kind, target: targetId, text }: CorrectionBody,
  restart: Restart,
): Promise<DecisionDraft> {
  const target = plan.decisions.find(({ decisionId }) => decisionId === targetId);
  const root = plan.decisions[0]?.decisionId ?? null;
  const isRoot = target !== undefined && target.parentId === null;
  return {
    type: "user_intervention",
    phase: restart.phase,
    parentId: isRoot ? root : (target?.parentId ?? root),
    question:
      kind === "rollback"
        ? "Where does the plan go on?"
        : `What is to be different about: ${target?.question ?? ""}`,
    chosen: text,
    context: await contextOf(plan),
    ...compact({
      corrects: target?.decisionId,
      step: restart.phase === "execute" ? restart.step : undefined,
    }),
  };
}

function eventsOf(
  next: Plan,
  { correctionId, kind, target, by }: CorrectionBody,
  done: {
    readonly decision: Decision;
    readonly undone: readonly Decision[];
    readonly restart: Restart;
    readonly files: Correction["files"];
  },
): readonly NamedEvent[] {
  const { decision, undone, restart, files } = done;
  const superseded = undone.map(({ decisionId }) => decisionId);
  return [
    decisionEvent(decision),
    ...(superseded.length === 0
      ? []
      : [
          {
            key: `superseded:${decision.decisionId}`,
            name: "decision.superseded",
            data: { decision_ids: superseded, superseded_by: decision.decisionId },
          },
        ]),
    ...(files === undefined
      ? []
      : [
          {
            key: `restored:${correctionId}`,
            name: "checkpoint.restored",
            data: { checkpoint: checkpointName(restart.step), files: files.total },
          },
        ]),
    {
      key: `corrected:${correctionId}`,
      name: kind === "correct" ? "plan.corrected" : "plan.rolled_back",
      data: {
        correction_id: correctionId,
        decision_id: decision.decisionId,
        by,
        attempt: next.attempt,
        ...compact({ corrects: target }),
      },
    },
    stageEvent(next, { attempt: next.attempt }),
  ];
}

/** How people and peers name what the copy was after so many steps. */
export function checkpointName(steps: number): string {
  return steps === 0 ? "start" : `step-${steps}`;
}
