import type { PlanStage } from "./plan-phase.ts";

export class PlanNotFoundError extends Error {
  override readonly name = "PlanNotFoundError";
  readonly planId: string;
  constructor(planId: string) {
    super(`no plan ${planId}`);
    this.planId = planId;
  }
}

/** A plan has no such decision; `known` are the names of those that stand. */
export class DecisionNotFoundError extends Error {
  override readonly name = "DecisionNotFoundError";
  readonly planId: string;
  readonly decision: string;
  readonly known: readonly string[];
  constructor(planId: string, decision: string, known: readonly string[]) {
    super(`plan ${planId} has no decision ${decision}`);
    this.planId = planId;
    this.decision = decision;
    this.known = known;
  }
}

/** The plan's stage does not allow what was asked. */
export class PlanStateError extends Error {
  override readonly name = "PlanStateError";
  readonly planId: string;
  readonly stage: PlanStage;
  readonly why: string;
  constructor(planId: string, stage: PlanStage, why: string) {
    super(`plan ${planId} is ${stage.phase}/${stage.state}: ${why}`);
    this.planId = planId;
    this.stage = stage;
    this.why = why;
  }
}

/** The digest that was approved is not the digest of what would be applied. */
export class DigestMismatchError extends Error {
  override readonly name = "DigestMismatchError";
  readonly planId: string;
  readonly expected: string;
  readonly actual: string;
  constructor(planId: string, expected: string, actual: string) {
    super(`plan ${planId} holds ${actual}, not ${expected}`);
    this.planId = planId;
    this.expected = expected;
    this.actual = actual;
  }
}

export interface DriftedFile {
  readonly path: string;
  /** SHA-256 of the content the plan started from; null where the file did not exist. */
  readonly expected: string | null;
  /** SHA-256 of what is there now; null where there is nothing. */
  readonly found: string | null;
}

/** The user's tree is no longer what the plan started from, in files that the plan changes. */
export class BaseDriftError extends Error {
  override readonly name = "BaseDriftError";
  readonly planId: string;
  readonly files: readonly DriftedFile[];
  constructor(planId: string, files: readonly DriftedFile[]) {
    super(`${files.length} file(s) changed since plan ${planId} was built`);
    this.planId = planId;
    this.files = files;
  }
}

/** A changeset cannot be applied as it stands, e.g. it holds a link that leaves the project. */
export class ChangesetRefusedError extends Error {
  override readonly name = "ChangesetRefusedError";
  readonly planId: string;
  readonly path: string;
  readonly why: string;
  constructor(planId: string, path: string, why: string) {
    super(`${path}: ${why}`);
    this.planId = planId;
    this.path = path;
    this.why = why;
  }
}

/** What was asked to be applied, or left out, is not among a plan's changes. */
export class SelectionError extends Error {
  override readonly name = "SelectionError";
  readonly planId: string;
  readonly pattern: string | undefined;
  constructor(planId: string, message: string, pattern?: string) {
    super(message);
    this.planId = planId;
    this.pattern = pattern;
  }
}

export interface MergeConflict {
  readonly path: string;
  readonly why: string;
}

/** The plan and the user have changed the same files in ways that do not go together. */
export class MergeConflictError extends Error {
  override readonly name = "MergeConflictError";
  readonly planId: string;
  readonly conflicts: readonly MergeConflict[];
  constructor(planId: string, conflicts: readonly MergeConflict[]) {
    super(`${conflicts.length} file(s) of plan ${planId} cannot be merged`);
    this.planId = planId;
    this.conflicts = conflicts;
  }
}

/** What has to hold before a plan's changes may be applied does not. */
export class PlanConstrainedError extends Error {
  override readonly name = "PlanConstrainedError";
  readonly planId: string;
  readonly why: string;
  readonly checks: readonly { readonly id: string; readonly name: string; readonly message: string }[];
  constructor(planId: string, why: string, checks: PlanConstrainedError["checks"]) {
    super(why);
    this.planId = planId;
    this.why = why;
    this.checks = checks;
  }
}
