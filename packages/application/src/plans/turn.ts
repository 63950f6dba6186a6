import type { Plan } from "@cleveragents/domain";
import type { Models } from "../models/models.ts";
import type { ChangesetStore } from "../ports/changeset-store.ts";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { CommandRunner } from "../ports/command-runner.ts";
import type { FailPoint } from "../ports/fail-point.ts";
import type { Logger } from "../ports/logger.ts";
import type { OutputStore } from "../ports/output-store.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { InboxEntry, TaskStore } from "../ports/task-store.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import type { DecisionSource } from "./decision-source.ts";
import type { PlanWriter } from "./plan-writer.ts";
import type { ChildPlans } from "./subplans/child-plans.ts";
import type { WorkElsewhere } from "./work-elsewhere.ts";

/** What the parts of the plan lifecycle work with. */
export interface PlanDeps {
  readonly store: TaskStore;
  readonly changesets: ChangesetStore;
  readonly workspace: Workspace;
  readonly commands: CommandRunner;
  readonly tools: ToolRunner;
  /** Where registered invariants are. */
  readonly registry: Pick<RegistryStore, "list">;
  /** Who makes and ends plans for plans; none can start any without. */
  readonly children?: ChildPlans | undefined;
  /** Where outputs go that are too long for the log; their middle is lost without one. */
  readonly outputs?: OutputStore | undefined;
  /** The operator lets no plan run without isolation of its commands. */
  readonly requireIsolation?: boolean | undefined;
  /** Who decides for plans whose actors are no scripts. */
  readonly sources?: readonly DecisionSource[] | undefined;
  /** Models that calls of tools may ask something; none can without. */
  readonly sampling?: Pick<Models, "find" | "complete" | "estimate"> | undefined;
  /** What agents elsewhere do for plans; nothing where absent. */
  readonly elsewhere?: WorkElsewhere | undefined;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  /**
   * Ends what a former worker of the plan left running, in this process or another one. Called before the first turn
   * of each pass, when nobody else may work on the plan any more.
   */
  readonly takeOver?: ((taskId: string) => Promise<void>) | undefined;
  readonly failPoint?: FailPoint | undefined;
}

/** One turn of one plan: small, and safe to run again after a crash anywhere in it. */
export interface Turn {
  readonly plan: Plan;
  readonly writer: PlanWriter;
  /** Guidance and answers that nobody has taken yet. */
  readonly inbox: readonly InboxEntry[];
  /** Fires when the plan is cancelled or the process stops. */
  readonly signal: AbortSignal;
}

/** `continue`: there is more to do at once. `wait`: until somebody answers. `until`: then, in ms. `done`: for good. */
export type TurnOutcome = "continue" | "wait" | "done" | { readonly until: number };
