import {
  type Action,
  ArgumentsError,
  type BudgetLimits,
  bindArguments,
  type Check,
  EntryNotFoundError,
  type Invariant,
  inCheckOrder,
  isFinalStage,
  newGuarding,
  type Plan,
  profileOf,
  type Subplan,
  startedBy,
  tightest,
  withSandboxSettings,
} from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import { sourcesOf } from "../plans/actor-sources.ts";
import type { DecisionSource } from "../plans/decision-source.ts";
import type { PlanCanceller } from "../plans/plan-canceller.ts";
import { documentOf, planOf } from "../plans/plan-document.ts";
import { statusEvent } from "../plans/plan-writer.ts";
import { type ChildPlans, ChildRefusedError, type WantedChild } from "../plans/subplans/child-plans.ts";
import { tellParent } from "../plans/subplans/telling-parent.ts";
import type { Clock } from "../ports/clock.ts";
import { type FailPoint, WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import type { Logger } from "../ports/logger.ts";
import type { PlanEngine } from "../ports/plan-engine.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import { TaskExistsError, type TaskStore } from "../ports/task-store.ts";
import { checksFor, declaredInvariants } from "./plan-checks.ts";
import { findAction } from "./plan-creation.ts";
import { promptAction, promptSources } from "./prompt-action.ts";

export interface ChildPlanDeps {
  readonly store: Pick<TaskStore, "load" | "commit">;
  readonly registry: RegistryStore;
  readonly engine: Pick<PlanEngine, "start">;
  readonly canceller: Pick<PlanCanceller, "end">;
  /** Wakes a plan that has mail; a hint. */
  readonly wake: (planId: string) => Promise<void>;
  readonly sources?: readonly DecisionSource[] | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint?: FailPoint | undefined;
}

/** Plans that plans start: tasks of their own in the same context, with the profile and what it keeps to of who starts them. */
export class ChildPlanService implements ChildPlans {
  readonly #deps: ChildPlanDeps;

  constructor(deps: ChildPlanDeps) {
    this.#deps = deps;
  }

  async make(wanted: WantedChild): Promise<void> {
    const { store, engine, logger, failPoint } = this.#deps;
    const plan = await this.#plan(wanted);
    const { planId, contextId, principal, parent } = plan;
    try {
      await store.commit({
        taskId: planId,
        create: { contextId, principal, kind: "plan", referenceTaskIds: [wanted.parent.planId] },
        document: documentOf(plan),
        events: [
          statusEvent("submitted", {
            key: "created",
            name: "plan.created",
            data: {
              action: plan.action,
              project: plan.project.name,
              automation_profile: plan.profile.name,
              parent_plan: wanted.parent.planId,
              subplan: parent?.name ?? "",
            },
          }),
        ],
      });
    } catch (error) {
      if (!(error instanceof TaskExistsError)) throw error;
    }
    if (WITH_FAIL_POINTS) failPoint?.("plan.child.created");
    try {
      await engine.start({ taskId: planId, epoch: 1, part: 0 });
    } catch (error) {
      // It is there, and the supervisor gives it its run.
      logger.error({ taskId: planId, error: String(error) }, "a subplan's run was not queued");
    }
  }

  async end(planId: string, reason: string): Promise<void> {
    await this.#deps.canceller.end(planId, reason);
  }

  /** What goes with the end of a plan, however often it is said: its children end, and who has started it hears of it. */
  async afterEnd(plan: Plan): Promise<void> {
    if (!isFinalStage(plan.stage)) return;
    for (const planId of startedBy(plan.steps))
      await this.end(planId, "the plan that it is part of has ended");
    await tellParent(this.#deps, plan, true);
  }

  /** A plan waits for somebody: who has started it shows that. */
  async afterAsk(planId: string): Promise<void> {
    const row = await this.#deps.store.load(planId);
    if (row !== undefined) await tellParent(this.#deps, planOf(row), false);
  }

  async #plan({ parent, step, child, spec, deadline }: WantedChild): Promise<Plan> {
    const { registry, sources: known = [], clock } = this.#deps;
    const { planId, name, base } = child;
    const made = await refusing(async () => {
      const action =
        spec.prompt === undefined
          ? await findAction(registry, spec.action)
          : await promptAction(registry, spec.prompt, spec.action);
      return {
        action,
        args: bindArguments(action, spec.arguments),
        ...(spec.prompt === undefined
          ? await sourcesOf(registry, known, action)
          : await promptSources(registry, known, action)),
        checks: await this.#checks(planId, action, spec),
      };
    });
    const { action, args, script, sources, checks } = made;
    const now = clock.now();
    const budget = tightest(
      profileOf(parent).budget,
      action.budget as BudgetLimits | undefined,
      spec.budget as BudgetLimits | undefined,
    );
    const guidance = [spec.guidance, child.guidance].filter((text) => text !== undefined);
    return {
      planId,
      contextId: parent.contextId,
      principal: parent.principal,
      action: action.name,
      description: action.description,
      project: parent.project,
      ...(parent.host === undefined ? {} : { host: parent.host }),
      arguments: args,
      actors: {
        strategy: action.strategy_actor ?? action.execution_actor ?? null,
        execution: action.execution_actor ?? null,
      },
      script: { decisions: script.decisions, steps: withSandboxSettings(script.steps, action.sandbox) },
      ...(sources === undefined ? {} : { sources }),
      profile: { ...parent.profile, source: "parent" },
      ...(parent.environment === undefined ? {} : { environment: parent.environment }),
      ...(parent.isolationDemand === undefined ? {} : { isolationDemand: parent.isolationDemand }),
      ...(parent.isolationLevel === undefined ? {} : { isolationLevel: parent.isolationLevel }),
      parent: {
        planId: parent.planId,
        rootId: parent.parent?.rootId ?? parent.planId,
        step,
        name,
        depth: (parent.parent?.depth ?? 0) + 1,
        tree: base,
        ...(spec.view === undefined ? {} : { view: spec.view }),
      },
      invariants: [...declaredInvariants(action, planId), ...inherited(parent)],
      checks,
      budget,
      ...(parent.accounts === undefined ? {} : { accounts: parent.accounts }),
      guarding: newGuarding(budget),
      ...(deadline === undefined ? {} : { deadline }),
      stage: { phase: "strategize", state: "queued" },
      attempt: 1,
      steps: [],
      results: {},
      guidance,
      decisions: [],
      toolCalls: 0,
      createdAt: now,
      // Who has let the other plan start it has let it start.
      startedAt: now,
    };
  }

  /** What is attached to the project is for the whole, and looked at there. */
  async #checks(planId: string, action: Action, { resources }: Subplan): Promise<readonly Check[]> {
    const checks = await checksFor(this.#deps.registry, { planId, action, project: "" });
    if (resources === undefined) return checks;
    const scope: Check = {
      id: "plan:resources",
      kind: "validation",
      name: "resources",
      text: `it changes ${resources.join(", ")} alone`,
      mode: "required",
      scope: "plan",
      target: planId,
      probe: { kind: "paths", paths: { allow: [...resources] } },
    };
    return inCheckOrder([...checks, scope]);
  }
}

/** What the other plan and its action keep to holds for what is part of it; what is registered is looked up anew. */
function inherited({ planId, invariants = [] }: Plan): readonly Invariant[] {
  return invariants.map((invariant) => ({ ...invariant, id: `${invariant.id}_of_${planId}`, scope: "plan" }));
}

/** What is wrong with what was asked for, as the refusal that it is. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (
      error instanceof EntryNotFoundError ||
      error instanceof ArgumentsError ||
      error instanceof ProtocolError
    )
      throw new ChildRefusedError(error.message, { cause: error });
    throw error;
  }
}
