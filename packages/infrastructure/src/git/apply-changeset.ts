import { randomBytes } from "node:crypto";
import {
  type AppliedFiles,
  type FailPoint,
  type RecoveredApply,
  WITH_FAIL_POINTS,
} from "@cleveragents/application";
import { BaseDriftError } from "@cleveragents/domain";
import {
  ChangedMeanwhileError,
  carryOut,
  discardRestored,
  matchesJournal,
  pruneEmpty,
  syncParents,
  takeBack,
  wasCarriedOut,
} from "./apply-commit.ts";
import { ApplyJournal, type JournalEntry } from "./apply-journal.ts";
import {
  discardStaged,
  isWitnessed,
  leaveWitness,
  planEntries,
  StagingSink,
  saveOldContents,
} from "./apply-staging.ts";
import { FinishedApplies } from "./finished-applies.ts";
import { shownPath } from "./native-paths.ts";
import type { ProjectStore } from "./project-store.ts";
import { driftOf, type Surveyed, survey, type TouchedPath } from "./touched-paths.ts";
import { storageFailure } from "./workspace-failure.ts";

/** What a fail point threw: the apply stops there as a killed process would. */
class CutOff extends Error {}

function cutter(failPoint: FailPoint | undefined): FailPoint {
  return (name, of) => {
    try {
      failPoint?.(name, of);
    } catch (cause) {
      throw new CutOff(name, { cause });
    }
  };
}

interface ApplyWork {
  readonly planId: string;
  readonly projectRoot: string;
  readonly digest: string;
  readonly surveyed: readonly Surveyed[];
  /** Object ids of the new contents by path. */
  readonly objects: ReadonlyMap<string, string>;
}

/** Writes a changeset that has been checked. Whatever goes wrong, the tree is entirely old or entirely new afterwards. */
export async function applyChangeset(
  store: ProjectStore,
  journals: string,
  work: ApplyWork,
  failPoint?: FailPoint,
): Promise<AppliedFiles> {
  const { planId, projectRoot, digest } = work;
  const at = cutter(failPoint);
  const text = {
    version: 1,
    planId,
    projectRoot,
    digest,
    phase: "preparing",
    ...(await planEntries(projectRoot, work.surveyed)),
  } as const;
  try {
    if (WITH_FAIL_POINTS) at("workspace.apply.locked");
    const journal = await ApplyJournal.begin(
      journals,
      `apply-${planId}-${randomBytes(4).toString("hex")}`,
      text,
    );
    try {
      await prepare(store, journal, work, at);
    } catch (error) {
      if (!(error instanceof CutOff)) await giveUp(journal);
      throw error;
    }
    try {
      await carryOut(journal, at);
    } catch (error) {
      if (error instanceof CutOff) throw error;
      await journal.enter("reverting");
      if (WITH_FAIL_POINTS) at("workspace.apply.reverting");
      if (await takeBack(journal, at)) await giveUp(journal);
      else await setAside(journal, journals);
      throw error instanceof ChangedMeanwhileError ? await driftAt(work, error.path) : error;
    }
    if (WITH_FAIL_POINTS) at("workspace.apply.carried-out");
    await rememberEnd(journal, journals);
    await giveUp(journal);
    if (WITH_FAIL_POINTS) at("workspace.apply.closed");
  } catch (error) {
    throw error instanceof CutOff ? error.cause : storageFailure(error);
  }
  return filesOf(text.entries);
}

function filesOf(entries: readonly JournalEntry[]): AppliedFiles {
  const written = entries.filter((entry) => entry.after !== null).length;
  return { written, deleted: entries.length - written };
}

async function rememberEnd({ text }: ApplyJournal, journals: string): Promise<void> {
  const { planId, projectRoot, digest, entries } = text;
  await new FinishedApplies(journals).remember(planId, { projectRoot, digest, files: filesOf(entries) });
}

async function prepare(
  store: ProjectStore,
  journal: ApplyJournal,
  work: ApplyWork,
  at: FailPoint,
): Promise<void> {
  const { entries, projectRoot } = journal.text;
  if (WITH_FAIL_POINTS) at("workspace.apply.journaled");
  await saveOldContents(journal, (path) => new ChangedMeanwhileError(path)).catch(async (error: unknown) => {
    throw error instanceof ChangedMeanwhileError ? await driftAt(work, error.path) : error;
  });
  if (WITH_FAIL_POINTS) at("workspace.apply.saved");
  const writes = entries.filter((entry) => entry.after !== null);
  const sink = new StagingSink(projectRoot, writes);
  try {
    await store.streamBlobs(
      writes.map((entry) => work.objects.get(entry.path) ?? ""),
      {
        begin: () => sink.begin(),
        chunk: (bytes) => sink.chunk(bytes),
        end: async () => {
          await sink.end();
          if (WITH_FAIL_POINTS) at("workspace.apply.staged-one");
        },
      },
    );
  } finally {
    await sink.close();
  }
  await leaveWitness(projectRoot, entries);
  await syncParents(projectRoot, entries);
  if (WITH_FAIL_POINTS) at("workspace.apply.staged");
  await journal.enter("committed");
  if (WITH_FAIL_POINTS) at("workspace.apply.decided");
}

/** Nothing of it is to be done any more. */
async function giveUp(journal: ApplyJournal): Promise<void> {
  await discardStaged(journal.text.projectRoot, journal.text.entries);
  await journal.close();
}

/** What could not go back stays for a person to look at; what was only to come does not stay in their way. */
async function setAside(journal: ApplyJournal, journals: string): Promise<string> {
  await discardStaged(journal.text.projectRoot, journal.text.entries);
  return await journal.setAside(journals);
}

async function driftAt(work: ApplyWork, path: string): Promise<Error> {
  const touched: TouchedPath[] = work.surveyed.map(({ path, before, after }) => ({ path, before, after }));
  const files = await driftOf(work.projectRoot, await survey(work.projectRoot, touched));
  const expected = touched.find((item) => item.path === path)?.before?.sha256 ?? null;
  return new BaseDriftError(
    work.planId,
    files.length > 0 ? files : [{ path: shownPath(path), expected, found: null }],
  );
}

/** Whether everything was written before the process died: what differs now was changed since. */
async function hasEnded(journal: ApplyJournal, journals: string): Promise<boolean> {
  const { planId, projectRoot, digest } = journal.text;
  const done = await new FinishedApplies(journals).find(planId, { projectRoot, digest });
  if (done !== null) return true;
  return (await isWitnessed(projectRoot, journal.text.entries)) || (await wasCarriedOut(journal));
}

/** Finishes or takes back one apply that was cut off. */
export async function recoverApply(
  journal: ApplyJournal,
  journals: string,
): Promise<{ outcome: RecoveredApply["outcome"]; kept?: string }> {
  const { phase, projectRoot, entries } = journal.text;
  const ignore = () => {};
  if (phase === "preparing") {
    await giveUp(journal);
    return { outcome: "rolled-back" };
  }
  if (phase === "committed" && (await hasEnded(journal, journals))) {
    await pruneEmpty(journal);
    await rememberEnd(journal, journals);
    await giveUp(journal);
    return { outcome: "rolled-forward" };
  }
  if (!(await matchesJournal(journal))) {
    await discardStaged(projectRoot, entries);
    await discardRestored(journal);
    return { outcome: "left", kept: await journal.setAside(journals) };
  }
  if (phase === "committed") {
    try {
      await carryOut(journal, ignore);
      await rememberEnd(journal, journals);
      await giveUp(journal);
      return { outcome: "rolled-forward" };
    } catch {
      // A staged content is gone, or the disk refuses: then everything goes back.
      await journal.enter("reverting");
    }
  }
  if (!(await takeBack(journal, ignore))) return { outcome: "left", kept: await setAside(journal, journals) };
  await giveUp(journal);
  return { outcome: "rolled-back" };
}
