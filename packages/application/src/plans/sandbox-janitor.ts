import { FencedError, isTerminal } from "@cleveragents/domain";
import type { Logger } from "../ports/logger.ts";
import type { TaskStore } from "../ports/task-store.ts";
import { type Workspace, WorkspaceError } from "../ports/workspace.ts";
import { documentOf, planOf } from "./plan-document.ts";

/** Removes the sandbox of a plan that is over. Idempotent; what cannot be removed is logged and tried at a later call. */
export class SandboxJanitor {
  readonly #store: TaskStore;
  readonly #workspace: Workspace;
  readonly #logger: Logger;

  constructor(deps: { readonly store: TaskStore; readonly workspace: Workspace; readonly logger: Logger }) {
    this.#store = deps.store;
    this.#workspace = deps.workspace;
    this.#logger = deps.logger;
  }

  async clean(taskId: string): Promise<void> {
    const row = await this.#store.load(taskId);
    if (row === undefined || !isTerminal(row.state)) return;
    const plan = planOf(row);
    const { sandbox } = plan;
    if (sandbox === undefined || sandbox.disposed === true) return;
    try {
      const open = await this.#workspace.open(taskId, plan.project.path, sandbox);
      await open.dispose();
    } catch (error) {
      if (!(error instanceof WorkspaceError && error.reason === "SANDBOX_GONE")) {
        this.#logger.warn({ taskId, error: String(error) }, "a sandbox could not be removed");
        return;
      }
    }
    try {
      await this.#store.commit({
        taskId,
        expect: { revision: row.revision },
        document: documentOf({ ...plan, sandbox: { ...sandbox, disposed: true } }),
      });
    } catch (error) {
      if (!(error instanceof FencedError)) throw error; // somebody else has cleaned up meanwhile
    }
  }
}
