import {
  type Correction,
  type Decision,
  FencedError,
  isFinalStage,
  isInterrupted,
  type Message,
  type Plan,
  PlanStateError,
  type Restart,
  stands,
  startedBy,
  undoneSteps,
} from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import { appendProblem } from "../plans/appending.ts";
import { CORRECTION, latestTree, planCorrection, treeAt } from "../plans/correcting.ts";
import { type CorrectionBody, correctionIn } from "../plans/correction-record.ts";
import { isHere, planOf } from "../plans/plan-document.ts";
import type { PlanDriver } from "../plans/plan-driver.ts";
import { type EffectCount, effectsOfCalls } from "../plans/step-effects.ts";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { PlanEngine } from "../ports/plan-engine.ts";
import { type Command, MessageSeenError, type TaskRow, type TaskStore } from "../ports/task-store.ts";
import { type Workspace, WorkspaceError } from "../ports/workspace.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import { ownPlan } from "./access.ts";
import { endedWords } from "./ended-words.ts";
import { until } from "./waiting.ts";

export interface CorrectionDeps {
  readonly store: TaskStore;
  readonly workspace: Pick<Workspace, "open">;
  readonly tools: Pick<ToolRunner, "find">;
  readonly engine: Pick<PlanEngine, "start">;
  readonly driver: Pick<PlanDriver, "stop">;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  readonly wake: (planId: string) => Promise<void>;
  readonly host?: string | undefined;
}

export type CorrectionRequest = Pick<CorrectionBody, "kind" | "target" | "step" | "text" | "action"> & {
  /** The same one again is the same correction. */
  readonly messageId?: string | undefined;
};

/** What is undone by a correction, or would be. */
export interface Impact {
  readonly plan: Plan;
  readonly target: Decision | undefined;
  readonly restart: Restart;
  readonly undone: readonly Decision[];
  readonly unaffected: readonly Decision[];
  readonly steps: number;
  /** Plans that were started by what is undone; they end with it. */
  readonly children: readonly string[];
  readonly calls: EffectCount;
  /** Paths that are put back; undefined where the copy cannot be looked at. */
  readonly files: readonly { readonly path: string; readonly action: "restored" | "removed" }[] | undefined;
  /** What a careful person would want to know before. */
  readonly warnings: readonly string[];
}

export interface Corrected extends Impact {
  /** The plan afterwards. */
  readonly now: Plan;
  /** Undefined while the plan has not taken it, since the caller stopped waiting. */
  readonly correction: Correction | undefined;
}

/** What a correction would undo. Throws `PlanStateError` where it could not be made. */
export async function impactOf(
  deps: CorrectionDeps,
  plan: Plan,
  request: CorrectionRequest,
): Promise<Impact> {
  const { planId, stage } = plan;
  const refuse = (why: string) => new PlanStateError(planId, stage, why);
  if (isFinalStage(stage)) throw refuse(endedWords(plan));
  const planned = planCorrection(plan, request);
  if ("refused" in planned) throw refuse(planned.refused);
  const { restart, undone, target } = planned;
  const steps = undoneSteps(plan, restart);
  const gone = new Set(undone);
  return {
    plan,
    target,
    restart,
    undone,
    unaffected: plan.decisions.filter((decision) => stands(decision) && !gone.has(decision)),
    steps: steps.length,
    children: startedBy(steps),
    calls: effectsOfCalls(deps.tools, plan, steps),
    files: await filesPutBack(deps, plan, restart),
    warnings: warningsOf(
      plan,
      steps.some(({ kind }) => kind === "run"),
    ),
  };
}

/** Of work that is added nothing is undone. Throws `PlanStateError` where none can be added. */
export async function appendedTo(
  deps: Pick<CorrectionDeps, "tools">,
  plan: Plan,
  { target: targetId }: Pick<CorrectionRequest, "target">,
): Promise<Impact> {
  const target = plan.decisions.find(({ decisionId }) => decisionId === targetId);
  const why = isFinalStage(plan.stage) ? endedWords(plan) : appendProblem(plan, target);
  if (why !== undefined) throw new PlanStateError(plan.planId, plan.stage, why);
  return {
    plan,
    target,
    restart: { phase: "execute", step: plan.steps.length },
    undone: [],
    unaffected: plan.decisions.filter(stands),
    steps: 0,
    children: [],
    calls: effectsOfCalls(deps.tools, plan, []),
    files: [],
    warnings: [],
  };
}

async function filesPutBack(deps: CorrectionDeps, plan: Plan, restart: Restart): Promise<Impact["files"]> {
  if (plan.sandbox === undefined) return [];
  if (plan.sandbox.disposed === true || !isHere(plan, deps.host)) return undefined;
  try {
    const sandbox = await deps.workspace.open(plan.planId, plan.project.path, plan.sandbox);
    const latest = latestTree(plan);
    const tree = treeAt(plan, restart, sandbox);
    if (latest === undefined || tree === latest) return [];
    const { changeset } = await sandbox.compare(tree, latest);
    return changeset.files.map(({ path, before }) => ({
      path,
      action: before === null ? "removed" : "restored",
    }));
  } catch (error) {
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}

function warningsOf(plan: Plan, ranCommands: boolean): readonly string[] {
  return ranCommands && plan.sandbox?.enforcement === "none"
    ? ["commands ran without isolation: what they did outside of the plan's copy is not undone"]
    : [];
}

/**
 * Takes a plan back, by its worker: what runs is stopped, files, decisions and steps go back together. The request is
 * durable before anything is touched, so that a crash at any moment only delays it. Throws `PlanStateError`.
 */
export async function correct(
  deps: CorrectionDeps,
  principal: Principal,
  planId: string,
  request: CorrectionRequest,
  signal: AbortSignal,
): Promise<Corrected> {
  const { row, plan } = await ownPlan(deps.store, principal, planId);
  const before = await madeBefore(deps, row, plan, request);
  if (before !== undefined) return before;
  const impact =
    request.kind === "append" ? await appendedTo(deps, plan, request) : await impactOf(deps, plan, request);
  const correctionId = deps.ids.next();
  const messageId = request.messageId ?? correctionId;
  const { kind, target, step, text, action } = request;
  const body: CorrectionBody = {
    correctionId,
    kind,
    text,
    by: principal.id,
    messageId,
    ...(target === undefined ? {} : { target }),
    ...(step === undefined ? {} : { step }),
    ...(action === undefined ? {} : { action }),
  };
  await assertNotApproved(deps, row, plan);
  const works = !isInterrupted(row.state);
  try {
    const { epoch } = await deps.store.commit(correctionCommand(row, body, works));
    if (works) await begin(deps, planId, epoch);
    else await deps.wake(planId);
  } catch (error) {
    if (error instanceof FencedError || error instanceof MessageSeenError)
      throw new PlanStateError(planId, plan.stage, "it has just gone on; look at it and try again");
    throw error;
  }
  const settled = await until(deps.store, planId, signal, (now) => {
    const then = planOf(now);
    return correctionIn(then, correctionId) !== undefined || isFinalStage(then.stage);
  });
  const now = settled === undefined ? plan : planOf(settled);
  const correction = correctionIn(now, correctionId);
  if (correction?.refused !== undefined) throw new PlanStateError(planId, now.stage, correction.refused);
  if (correction === undefined && isFinalStage(now.stage))
    throw new PlanStateError(planId, now.stage, "it ended before it could be corrected");
  return { ...impact, now, correction };
}

/** What runs of the plan ends with its epoch, and a new run begins, with the correction. */
async function begin(
  { driver, engine, logger }: CorrectionDeps,
  planId: string,
  epoch: number,
): Promise<void> {
  try {
    await driver.stop(planId);
    await engine.start({ taskId: planId, epoch, part: 0 });
  } catch (error) {
    // It is durable, and the supervisor gives the plan its run.
    logger.error({ taskId: planId, error: String(error) }, "a corrected plan's run was not queued");
  }
}

/** Who has said yes to the changes is not contradicted by who comes later. */
async function assertNotApproved(
  { store }: CorrectionDeps,
  { taskId }: TaskRow,
  { open, planId, stage }: Plan,
): Promise<void> {
  if (open === undefined) return;
  const answer = (await store.inbox(taskId)).find(({ key }) => key === `answer:${open.requestId}`);
  if (answer !== undefined && open.kind === "apply")
    throw new PlanStateError(planId, stage, "its changes are being applied");
}

/** The same request once more: what became of it. */
async function madeBefore(
  deps: CorrectionDeps,
  row: TaskRow,
  plan: Plan,
  { messageId, kind }: CorrectionRequest,
): Promise<Corrected | undefined> {
  if (messageId === undefined) return undefined;
  const seen = await deps.store.taskOfMessage(row.principal, messageId);
  if (seen === undefined) return undefined;
  const correction = plan.corrections?.find((known) => known.messageId === messageId);
  if (seen !== row.taskId || (correction !== undefined && correction.kind !== kind)) throw usedElsewhere();
  if (correction === undefined)
    throw new PlanStateError(
      plan.planId,
      plan.stage,
      "it has not taken this correction yet; look at it again",
    );
  if (correction.refused !== undefined) throw new PlanStateError(plan.planId, plan.stage, correction.refused);
  const undone = plan.decisions.filter(({ supersededBy }) => supersededBy === correction.decisionId);
  const decision = plan.decisions.find(({ decisionId }) => decisionId === correction.decisionId);
  return {
    plan,
    now: plan,
    correction,
    target: plan.decisions.find(({ decisionId }) => decisionId === correction.target),
    restart: { phase: decision?.phase ?? "strategize", step: decision?.step ?? 0 },
    undone,
    unaffected: plan.decisions.filter(stands),
    steps: 0,
    children: [],
    calls: { sandboxed: 0, compensable: 0, irreversible: 0 },
    files: undefined,
    warnings: [],
  };
}

function usedElsewhere(): ProtocolError {
  const description = "this id belongs to another message";
  return new ProtocolError("InvalidParams", { violations: [{ field: "message_id", description }] });
}

/** A plan that works gets a new epoch, so that its worker can write nothing more. */
function correctionCommand(row: TaskRow, body: CorrectionBody, works: boolean): Command {
  const { taskId, contextId, principal, revision } = row;
  const { correctionId, messageId, kind, text, target } = body;
  const received: Message = { messageId, role: "user", taskId, contextId, parts: [{ kind: "text", text }] };
  return {
    taskId,
    expect: works ? { states: [row.state], epoch: row.epoch } : { revision },
    ...(works ? { bumpEpoch: true, runId: null } : {}),
    inbox: { add: [{ key: `${CORRECTION}${correctionId}`, body: { ...body } }] },
    claimMessage: { principal, messageId },
    events: [
      {
        key: `${CORRECTION}${correctionId}`,
        event: {
          type: "status",
          state: "working",
          received,
          domain: {
            name: "plan.correction_requested",
            data: {
              correction_id: correctionId,
              kind,
              ...(target === undefined ? {} : { corrects: target }),
            },
          },
        },
      },
    ],
  };
}
