import { randomBytes } from "node:crypto";
import type { AppliedFiles, RecoveredApply } from "@cleveragents/application";
import { BaseDriftError } from "@cleveragents/domain";
import { ChangedMeanwhileError, carryOut, matchesJournal, syncParents, takeBack } from "./apply-commit.ts";
import { ApplyJournal } from "./apply-journal.ts";
import { discardStaged, planEntries, StagingSink, saveOldContents } from "./apply-staging.ts";
import type { ProjectStore } from "./project-store.ts";
import { driftOf, type Surveyed, survey, type TouchedPath } from "./touched-paths.ts";
import { storageFailure } from "./workspace-failure.ts";

/** Called at each named point of an apply. If it throws, the apply stops there as a killed process would. */
export type FailPoint = (name: string) => void;

class CutOff extends Error {}

function cutter(failPoint: FailPoint | undefined): (name: string) => void {
  return (name) => {
    try {
      failPoint?.(name);
    } catch (cause) {
      throw new CutOff(name, { cause });
    }
  };
}

interface ApplyWork {
  readonly planId: string;
  readonly projectRoot: string;
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
  const { planId, projectRoot } = work;
  const at = cutter(failPoint);
  const text = {
    version: 1,
    planId,
    projectRoot,
    phase: "preparing",
    ...(await planEntries(projectRoot, work.surveyed)),
  } as const;
  try {
    at("before the journal");
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
      at("reverting");
      if (await takeBack(journal, at)) await giveUp(journal);
      else await journal.setAside(journals);
      throw error instanceof ChangedMeanwhileError ? await driftAt(work, error.path) : error;
    }
    at("carried out");
    await journal.close();
    at("journal removed");
  } catch (error) {
    throw error instanceof CutOff ? error.cause : storageFailure(error);
  }
  return {
    written: text.entries.filter((entry) => entry.after !== null).length,
    deleted: text.entries.filter((entry) => entry.after === null).length,
  };
}

async function prepare(
  store: ProjectStore,
  journal: ApplyJournal,
  work: ApplyWork,
  at: FailPoint,
): Promise<void> {
  const { entries, projectRoot } = journal.text;
  at("journal written");
  await saveOldContents(journal, (path) => new ChangedMeanwhileError(path)).catch(async (error: unknown) => {
    throw error instanceof ChangedMeanwhileError ? await driftAt(work, error.path) : error;
  });
  at("old contents saved");
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
          at("new content staged");
        },
      },
    );
  } finally {
    await sink.close();
  }
  await syncParents(projectRoot, entries);
  at("all staged");
  await journal.enter("committed");
  at("committed");
}

async function giveUp(journal: ApplyJournal): Promise<void> {
  await discardStaged(journal.text.projectRoot, journal.text.entries);
  await journal.close();
}

async function driftAt(work: ApplyWork, path: string): Promise<Error> {
  const touched: TouchedPath[] = work.surveyed.map(({ path, before, after }) => ({ path, before, after }));
  const files = await driftOf(work.projectRoot, await survey(work.projectRoot, touched));
  const expected = touched.find((item) => item.path === path)?.before?.sha256 ?? null;
  return new BaseDriftError(work.planId, files.length > 0 ? files : [{ path, expected, found: null }]);
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
  if (!(await matchesJournal(journal))) {
    await discardStaged(projectRoot, entries);
    return { outcome: "left", kept: await journal.setAside(journals) };
  }
  if (phase === "committed") {
    try {
      await carryOut(journal, ignore);
      await journal.close();
      return { outcome: "rolled-forward" };
    } catch {
      // A staged content is gone, or the disk refuses: then everything goes back.
      await journal.enter("reverting");
    }
  }
  if (!(await takeBack(journal, ignore))) return { outcome: "left", kept: await journal.setAside(journals) };
  await giveUp(journal);
  return { outcome: "rolled-back" };
}
