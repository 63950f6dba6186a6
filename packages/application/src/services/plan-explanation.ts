import {
  type Changeset,
  type Decision,
  downstreamOf,
  type FileChange,
  type LoggedEvent,
  type Plan,
  type PlanStep,
  stands,
  startedBy,
} from "@cleveragents/domain";
import { rowsOf } from "../plans/decision-effects.ts";
import { isHere } from "../plans/plan-document.ts";
import { type EffectCount, effectsOfCalls } from "../plans/step-effects.ts";
import type { ChangesetStore } from "../ports/changeset-store.ts";
import type { TaskStore } from "../ports/task-store.ts";
import { type Workspace, WorkspaceError } from "../ports/workspace.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import { type FileHunks, type HunkLimits, hunksOf } from "../wire/patch-hunks.ts";

export interface ExplanationDeps {
  readonly store: Pick<TaskStore, "load" | "events">;
  readonly changesets: Pick<ChangesetStore, "get">;
  readonly workspace: Pick<Workspace, "open">;
  readonly tools: Pick<ToolRunner, "find">;
  readonly host?: string | undefined;
}

/** A file that steps of a decision have changed. */
export interface ExplainedFile extends FileHunks {
  readonly file: FileChange;
  /** Whether the plan's changeset changes it too; undefined while there is none. */
  readonly inChangeset: boolean | undefined;
}

export interface Explanation {
  readonly plan: Plan;
  readonly decision: Decision;
  readonly corrected: Decision | undefined;
  readonly supersededBy: Decision | undefined;
  readonly supersedes: readonly Decision[];
  readonly downstream: readonly Decision[];
  /** Plans that steps which hang on it have started. */
  readonly children: readonly string[];
  /** Steps that hang on it and have begun; those of one that was superseded are in the log alone. */
  readonly steps: readonly PlanStep[];
  readonly files: readonly ExplainedFile[];
  /** Why the files cannot be told. */
  readonly filesUnknown: string | undefined;
  readonly calls: EffectCount;
  readonly events: readonly LoggedEvent[];
  readonly eventsTruncated: boolean;
}

const MOST_EVENTS = 200;
/** Entries of a log that are looked through; what a command says may be many more. */
const MOST_LOOKED_THROUGH = 20_000;

export async function explain(deps: ExplanationDeps, plan: Plan, decision: Decision): Promise<Explanation> {
  const { decisionId } = decision;
  const byId = (id: string | undefined) =>
    id === undefined ? undefined : plan.decisions.find((known) => known.decisionId === id);
  const steps = plan.steps.filter((step) => step.decisions?.includes(decisionId) === true);
  const changes = await changesBy(deps, plan, decision);
  const offered = plan.changeset === undefined ? undefined : await deps.changesets.get(plan.changeset.digest);
  const paths = offered && pathsOf(offered.changeset);
  const { events, truncated } = await eventsOf(deps.store, plan.planId, decisionId);
  return {
    plan,
    decision,
    corrected: byId(decision.corrects),
    supersededBy: byId(decision.supersededBy),
    supersedes: plan.decisions.filter(({ supersededBy }) => supersededBy === decisionId),
    downstream: downstreamOf(plan.decisions, decisionId).filter(
      (following) => stands(following) || !stands(decision),
    ),
    steps,
    children: startedBy(
      plan.steps.filter(
        ({ index, decisions = [] }) =>
          decisions.includes(decisionId) || (decision.step === index && SPAWNS.has(decision.type)),
      ),
    ),
    files: changes.files.map((changed) => ({ ...changed, inChangeset: paths?.has(changed.file.path) })),
    filesUnknown: changes.unknown,
    calls: effectsOfCalls(deps.tools, plan, steps),
    events,
    eventsTruncated: truncated,
  };
}

const SPAWNS: ReadonlySet<Decision["type"]> = new Set(["subplan_spawn", "subplan_parallel_spawn"]);

interface Changes {
  readonly files: readonly (FileHunks & { readonly file: FileChange })[];
  readonly unknown?: string;
}

/** What was kept when the plan offered its changes, else what the trees of its copy say. */
async function changesBy(deps: ExplanationDeps, plan: Plan, decision: Decision): Promise<Changes> {
  const { decisionId } = decision;
  const kept = plan.effects?.find((effect) => effect.decisionId === decisionId);
  // Of one that stands, what was kept before the plan was taken back no longer holds.
  if (kept !== undefined && (plan.changeset !== undefined || !stands(decision))) {
    const stored = await Promise.all(kept.digests.map((digest) => deps.changesets.get(digest)));
    return filesIn(stored.flatMap((part) => part ?? []));
  }
  const rows = rowsOf(plan, decisionId);
  if (rows.length === 0) return { files: [] };
  if (plan.sandbox === undefined || plan.sandbox.disposed === true)
    return { files: [], unknown: "the plan's copy is gone, and what each step changed was not kept" };
  if (!isHere(plan, deps.host))
    return { files: [], unknown: "the plan's files are on another host; ask there" };
  try {
    const sandbox = await deps.workspace.open(plan.planId, plan.project.path, plan.sandbox);
    const parts = [];
    for (const { from = sandbox.baseTree, to } of rows) {
      const part = await sandbox.compare(from, to);
      parts.push({ changeset: part.changeset, patch: await part.patch() });
    }
    return filesIn(parts);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { files: [], unknown: error.message };
  }
}

/** Less than of a diff: who wants all of it asks for that. */
const EXPLAINED: HunkLimits = { file: 16 * 1024, total: 128 * 1024 };

function filesIn(parts: readonly { readonly changeset: Changeset; readonly patch: string }[]): Changes {
  return {
    files: parts.flatMap(({ changeset, patch }) => {
      const told = hunksOf(changeset.files, patch, EXPLAINED);
      return changeset.files.map((file, index) => {
        const { hunks = [], truncated = false } = told[index] ?? {};
        return { file, hunks, truncated: truncated || file.leftOut === true };
      });
    }),
  };
}

function pathsOf({ files }: Changeset): ReadonlySet<string> {
  return new Set(
    files.flatMap(({ path, previousPath }) => [path, ...(previousPath === undefined ? [] : [previousPath])]),
  );
}

/** Entries of the log that tell of the decision, and of steps while they hung on it. */
async function eventsOf(
  store: Pick<TaskStore, "events">,
  planId: string,
  decisionId: string,
): Promise<{ readonly events: readonly LoggedEvent[]; readonly truncated: boolean }> {
  const events: LoggedEvent[] = [];
  const steps = new Set<string>();
  let looked = 0;
  for (
    let page = await store.events(planId, 0);
    page.length > 0;
    page = await store.events(planId, page.at(-1)?.seq ?? 0)
  ) {
    looked += page.length;
    for (const logged of page) {
      const { event, key } = logged;
      if (event.type !== "status" || event.domain === undefined) continue;
      const { data = {} } = event.domain;
      const step = STEP_KEY.exec(key)?.[0];
      const linked = data["decisions"];
      if (step !== undefined && Array.isArray(linked) && linked.includes(decisionId)) steps.add(step);
      if (data["decision_id"] !== decisionId && (step === undefined || !steps.has(step))) continue;
      if (events.length === MOST_EVENTS) return { events, truncated: true };
      events.push(logged);
    }
    if (looked >= MOST_LOOKED_THROUGH) return { events, truncated: true };
  }
  return { events, truncated: false };
}

/** What entries about one run of a step begin with. */
const STEP_KEY = /^a\d+:step:\d+:/;
