import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectInspection } from "@cleveragents/application";
import { isAbsence } from "./workspace-failure.ts";

/** What the project's repository stood at when a plan's copy of it was made. */
export interface RepositoryNote {
  /** Commit id; absent in a repository without commits. */
  readonly head?: string;
  readonly branch?: string;
}

const placeOfNote = (directory: string): string => join(directory, "repository");

/** Notes for a copy of a repository, in the plan's own directory, what commands will find as `.git`. */
export async function noteRepository(directory: string, inspection: ProjectInspection): Promise<void> {
  if (inspection.kind !== "git") return;
  const { head, branch } = inspection;
  await writeFile(placeOfNote(directory), JSON.stringify({ head, branch }));
}

/** For a copy that is made from another plan's. */
export async function copyRepositoryNote(from: string, to: string): Promise<void> {
  await copyFile(placeOfNote(from), placeOfNote(to)).catch((error: unknown) => {
    if (!isAbsence(error)) throw error;
  });
}

/** Undefined for a copy of a plain folder. */
export async function readRepositoryNote(directory: string): Promise<RepositoryNote | undefined> {
  const text = await readFile(placeOfNote(directory), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const note = JSON.parse(text) as RepositoryNote; // written above, where no command of a plan can write
  return {
    ...(/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(note.head ?? "") ? { head: note.head as string } : {}),
    ...(isPlainBranch(note.branch) ? { branch: note.branch } : {}),
  };
}

/** One that can be written as a file below `refs/heads`; with any other the commit is checked out by itself. */
function isPlainBranch(branch: string | undefined): branch is string {
  return (
    branch !== undefined &&
    branch.length < 200 &&
    branch.split("/").every((part) => /^[\w@+=#%-][\w@+=#%.-]*$/.test(part) && !part.endsWith(".lock")) &&
    !branch.includes("..") &&
    !branch.includes("@{") &&
    !branch.endsWith(".")
  );
}
