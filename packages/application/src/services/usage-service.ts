import { type ModelUse, SessionNotFoundError, totalTokens, withUse } from "@cleveragents/domain";
import type { Principal } from "@cleveragents/protocol";
import { messageDocumentOf } from "../messages/message-document.ts";
import { planOf } from "../plans/plan-document.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskRow, TaskStore } from "../ports/task-store.ts";
import { mayUse, ownPlan } from "./access.ts";

const PAGE = 500;
/** Tasks that are named one by one. */
const MOST_TASKS = 100;

export interface UsageQuery {
  readonly planId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly model?: string | undefined;
}

export interface TaskUsage {
  readonly taskId: string;
  readonly contextId: string;
  /** Of a plan: what it was made from. */
  readonly action?: string;
  readonly uses: readonly ModelUse[];
}

export interface Usage {
  readonly uses: readonly ModelUse[];
  /** Those that have used most, first. */
  readonly tasks: readonly TaskUsage[];
  readonly total: number;
}

/** What models have cost, from what is stored with plans and messages. */
export class UsageService {
  readonly #deps: { readonly store: TaskStore; readonly sessions: Pick<SessionStore, "find"> };

  constructor(deps: { readonly store: TaskStore; readonly sessions: Pick<SessionStore, "find"> }) {
    this.#deps = deps;
  }

  /** Throws `PlanNotFoundError` and `SessionNotFoundError`, for what is somebody else's, too. */
  async show(principal: Principal, query: UsageQuery): Promise<Usage> {
    const tasks = (await this.#tasks(principal, query))
      .map((task) => ({
        ...task,
        uses: task.uses.filter(({ model }) => query.model === undefined || model === query.model),
      }))
      .filter(({ uses }) => uses.length > 0)
      .sort((a, b) => tokensOf(b) - tokensOf(a) || (a.taskId < b.taskId ? -1 : 1));
    return { uses: summed(tasks), tasks: tasks.slice(0, MOST_TASKS), total: tasks.length };
  }

  async #tasks(principal: Principal, { planId, sessionId }: UsageQuery): Promise<TaskUsage[]> {
    const { store, sessions } = this.#deps;
    if (planId !== undefined) return [usageOf((await ownPlan(store, principal, planId)).row)];
    if (sessionId !== undefined) {
      const session = await sessions.find(sessionId);
      if (session === undefined || !mayUse(principal, session)) throw new SessionNotFoundError(sessionId);
    }
    const found: TaskUsage[] = [];
    const contextId = sessionId === undefined ? {} : { contextId: sessionId };
    for (let cursor: { cursor?: NonNullable<Parameters<TaskStore["list"]>[0]["cursor"]> } = {}; ; ) {
      const page = await store.list({ principal: principal.id, ...contextId, limit: PAGE, ...cursor });
      found.push(...page.rows.map(usageOf));
      if (page.next === undefined) return found;
      cursor = { cursor: page.next };
    }
  }
}

function usageOf(row: TaskRow): TaskUsage {
  const { taskId, contextId } = row;
  if (row.kind !== "plan") return { taskId, contextId, uses: messageDocumentOf(row).modelUse ?? [] };
  const { action, modelUse = [] } = planOf(row);
  return { taskId, contextId, action, uses: modelUse };
}

function tokensOf({ uses }: TaskUsage): number {
  return uses.reduce((sum, use) => sum + totalTokens(use), 0);
}

function summed(tasks: readonly TaskUsage[]): readonly ModelUse[] {
  const all = tasks.flatMap(({ uses }) => uses);
  return all.reduce<readonly ModelUse[]>((sum, use) => {
    const added = withUse(sum, use);
    // It counts a call for each; this one stands for several.
    return added.map((one) =>
      one.model === use.model && one.role === use.role ? { ...one, calls: one.calls - 1 + use.calls } : one,
    );
  }, []);
}
