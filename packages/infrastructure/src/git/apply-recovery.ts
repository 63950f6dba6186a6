import { join } from "node:path";
import { type Logger, type RecoveredApply, WorkspaceError } from "@cleveragents/application";
import { recoverApply } from "./apply-changeset.ts";
import { ApplyJournal } from "./apply-journal.ts";
import { FileLock } from "./file-lock.ts";

/** How long, in ms, who needs a project's lock waits for a process that lives. */
const PATIENCE = { apply: 30_000, recover: 1000 };

/** The locks of projects, and what applies have left behind that their processes' deaths cut off. */
export class ApplyRecovery {
  readonly #journals: string;
  readonly #logger: Logger;

  constructor(deps: { readonly journals: string; readonly logger: Logger }) {
    this.#journals = deps.journals;
    this.#logger = deps.logger;
  }

  /** Works on a project while nobody else does, once all that was cut off there is settled. */
  async exclusively<T>(root: string, work: () => Promise<T>): Promise<T> {
    await using lock = await this.#lock(root, PATIENCE.apply);
    if (lock === null)
      throw new WorkspaceError(
        "GIT_FAILED",
        `another apply is at work in ${root}`,
        "try again when it has ended",
      );
    // Of a process that has died since this one began: with the lock nobody else is at it.
    for (const journal of await ApplyJournal.leftBehind(this.#journals))
      if (journal.text.projectRoot === root) await this.#settle(journal);
    return await work();
  }

  /** What processes that died while they waited for a lock have left goes, too. */
  async recover(): Promise<readonly RecoveredApply[]> {
    await FileLock.removeLeftovers(join(this.#journals, "locks"), 0);
    const recovered: RecoveredApply[] = [];
    for (const journal of await ApplyJournal.leftBehind(this.#journals)) {
      const { planId, projectRoot } = journal.text;
      try {
        await using lock = await this.#lock(projectRoot, PATIENCE.recover);
        // A process that lives is at it: not cut off.
        const outcome = lock === null ? undefined : await this.#settle(journal);
        if (outcome !== undefined) recovered.push({ planId, projectRoot, outcome });
      } catch (error) {
        // The journal stays; the other projects must not wait for this one.
        this.#logger.error(
          { planId, error: String(error) },
          "an apply that was cut off could not be settled",
        );
      }
    }
    return recovered;
  }

  async #lock(root: string, patience: number): Promise<FileLock | null> {
    return await FileLock.acquire(join(this.#journals, "locks"), root, patience);
  }

  /** Finishes or takes back an apply that was cut off. Whoever calls holds its project's lock. */
  async #settle(journal: ApplyJournal): Promise<RecoveredApply["outcome"] | undefined> {
    const present = await journal.reread();
    if (present === null) return undefined;
    const { planId } = present.text;
    const { outcome, kept } = await recoverApply(present, this.#journals);
    if (kept === undefined) this.#logger.info({ planId, outcome }, "an apply that was cut off is settled");
    else
      this.#logger.warn(
        { planId, kept },
        "an apply was cut off and its files were changed since: left as they are",
      );
    return outcome;
  }
}
