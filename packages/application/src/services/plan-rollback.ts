import { type AskRequest, type Plan, PlanStateError, summaryOf } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import { applyAsk, askData } from "../plans/gates.ts";
import { documentOf, isHere, planOf } from "../plans/plan-document.ts";
import { statusEvent } from "../plans/plan-writer.ts";
import type { ChangesetStore, StoredChangeset } from "../ports/changeset-store.ts";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import { type Command, MessageSeenError, type TaskStore } from "../ports/task-store.ts";
import type { Workspace } from "../ports/workspace.ts";
import { askMessage } from "../wire/ask.ts";

interface Deps {
  readonly store: TaskStore;
  readonly changesets: ChangesetStore;
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly host?: string | undefined;
}

interface RollbackPlan {
  readonly plan: Plan;
  readonly stored: StoredChangeset;
}

/**
 * Makes the plan that undoes one that was applied: a new task in the same context, that waits at its apply gate with the
 * exact inverse. The same message id again is the same plan, however far it has come. Throws `PlanStateError` if there is
 * nothing that could be undone, or not any more.
 */
export async function createRollback(deps: Deps, plan: Plan, messageId?: string): Promise<RollbackPlan> {
  const before = messageId === undefined ? undefined : await madeBefore(deps, plan, messageId);
  if (before !== undefined) return before;
  const refuse = (why: string) => new PlanStateError(plan.planId, plan.stage, why);
  if (plan.parent !== undefined)
    throw refuse(`what it has changed is part of plan ${plan.parent.planId}; undo that one`);
  if (plan.stage.state !== "applied") throw refuse("only what was applied can be undone; cancel it instead");
  if (plan.changeset?.branch !== undefined)
    throw refuse(
      `it was put on the branch ${plan.changeset.branch}, and no file was changed; delete the branch`,
    );
  if (!isHere(plan, deps.host)) throw refuse("its files are on another host; ask there");
  const undo =
    plan.sandbox === undefined && plan.reverses === undefined
      ? undefined
      : await deps.workspace.undo(plan.planId, plan.project.path);
  if (undo === undefined) throw refuse("it changed nothing, or what undoes it is not kept any more");
  const { digest, changeset } = undo;
  const stored = { digest, changeset, patch: await undo.patch() };
  await deps.changesets.put(stored);

  const planId = deps.ids.next();
  const now = deps.clock.now();
  const made: Plan = {
    planId,
    contextId: plan.contextId,
    principal: plan.principal,
    action: plan.action,
    description: `Undo plan ${plan.planId}: ${plan.description}`,
    project: plan.project,
    ...(plan.host === undefined ? {} : { host: plan.host }),
    arguments: plan.arguments,
    actors: { strategy: null, execution: null },
    script: { decisions: [], steps: [] },
    profile: plan.profile,
    stage: { phase: "execute", state: "complete" },
    attempt: 1,
    steps: [],
    results: {},
    guidance: [],
    decisions: [],
    changeset: { digest, summary: summaryOf(changeset) },
    reverses: { planId: plan.planId },
    toolCalls: 0,
    createdAt: now,
    startedAt: now,
  };
  const open: AskRequest = {
    ...applyAsk(made, digest, changeset),
    requestId: deps.ids.next(),
    planId,
    createdAt: now,
  };
  const message = askMessage(open, deps.ids.next(), plan.contextId);
  const data = { action: plan.action, project: plan.project.name, undoes: plan.planId };
  const command: Command = {
    taskId: planId,
    create: {
      contextId: plan.contextId,
      principal: plan.principal,
      kind: "plan",
      referenceTaskIds: [plan.planId],
    },
    document: documentOf({ ...made, open }),
    ...(messageId === undefined ? {} : { claimMessage: { principal: plan.principal, messageId } }),
    events: [
      statusEvent("submitted", { key: "created", name: "plan.created", data }),
      statusEvent("input-required", {
        key: `ask:${open.requestId}`,
        name: "ask.opened",
        data: askData(open),
        message,
      }),
    ],
  };
  try {
    await deps.store.commit(command);
  } catch (error) {
    // The same request came twice at once: both have the plan of the first.
    const meanwhile =
      error instanceof MessageSeenError && messageId !== undefined
        ? await madeBefore(deps, plan, messageId)
        : undefined;
    if (meanwhile === undefined) throw error;
    return meanwhile;
  }
  return { plan: { ...made, open }, stored };
}

/** The plan that the same message has made before. Throws InvalidParams where the id belongs to something else. */
async function madeBefore(
  { store, changesets }: Deps,
  { planId, principal }: Plan,
  messageId: string,
): Promise<RollbackPlan | undefined> {
  const seen = await store.taskOfMessage(principal, messageId);
  const row = seen === undefined ? undefined : await store.load(seen);
  if (row === undefined) return undefined;
  const made = row.kind === "plan" ? planOf(row) : undefined;
  const stored = made?.changeset === undefined ? undefined : await changesets.get(made.changeset.digest);
  if (made?.reverses?.planId !== planId || stored === undefined) {
    const description = "this id belongs to another message";
    throw new ProtocolError("InvalidParams", { violations: [{ field: "message_id", description }] });
  }
  return { plan: made, stored };
}
