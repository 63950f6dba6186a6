import { type JsonObject, type Plan, PlanStateError } from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import type { IdGenerator } from "../ports/clock.ts";
import { MessageSeenError, type TaskStore } from "../ports/task-store.ts";
import { ownPlan } from "./access.ts";
import type { UseRequest } from "./plan-creation.ts";

interface ContinuingDeps {
  readonly store: Pick<TaskStore, "load">;
  readonly ids: IdGenerator;
  readonly use: (principal: Principal, request: UseRequest) => Promise<Plan>;
}

export interface ContinuationRequest {
  readonly text: string;
  /** What does the work; the plan's own action when absent. */
  readonly action?: { readonly name: string; readonly arguments: JsonObject } | undefined;
  readonly messageId?: string | undefined;
}

/**
 * Adds work to a plan that was applied: a new one in the same context, that refers to it and has the text as guidance.
 * The same message again is the same plan.
 */
export async function continued(
  deps: ContinuingDeps,
  principal: Principal,
  before: Plan,
  { text, action, messageId = deps.ids.next() }: ContinuationRequest,
): Promise<Plan> {
  const { planId, contextId, project, profile, stage } = before;
  if (stage.state !== "applied")
    throw new PlanStateError(planId, stage, `it is ${stage.state} for good; use the action again`);
  if (action === undefined && before.oneOff !== undefined)
    throw new PlanStateError(
      planId,
      stage,
      "it was made of steps of its own; name an action that does the rest",
    );
  try {
    return await deps.use(principal, {
      action: action?.name ?? before.action,
      arguments: action?.arguments ?? before.arguments,
      project: project.name,
      profile: profile.name,
      guidance: [text],
      contextId,
      message: { messageId, role: "user", parts: [{ kind: "text", text }], referenceTaskIds: [planId] },
    });
  } catch (error) {
    if (!(error instanceof MessageSeenError)) throw error;
    const { plan } = await ownPlan(deps.store, principal, error.taskId);
    if (plan.contextId !== contextId)
      throw new ProtocolError("InvalidParams", {
        violations: [{ field: "message_id", description: "this id belongs to another message" }],
      });
    return plan;
  }
}
