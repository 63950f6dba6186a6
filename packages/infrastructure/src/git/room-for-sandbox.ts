import { statfs } from "node:fs/promises";
import { WorkspaceError } from "@cleveragents/application";

/** Where a sandbox is to be made, and how much it may hold. */
interface Room {
  readonly dataDir: string;
  /** Bytes; undefined for what the disk has. */
  readonly quota: number | undefined;
}

/** Room for directories, indexes and what a block leaves unused, per file. */
const PER_FILE = 512;

/** Refuses before anything is written what cannot be held anyway. Throws QUOTA_EXCEEDED or NO_SPACE with both figures. */
export async function assertRoom(
  room: Room,
  project: { readonly bytes: number; readonly files: number },
): Promise<void> {
  const need = project.bytes + project.files * PER_FILE;
  const size = `the project's ${project.files} files need ${megabytes(need)}`;
  if (room.quota !== undefined && need > room.quota)
    throw new WorkspaceError(
      "QUOTA_EXCEEDED",
      `${size}, and a sandbox may hold ${megabytes(room.quota)}`,
      "let the repository ignore what a plan does not need, or raise CLEVERAGENTS_SANDBOX_QUOTA_MB",
    );
  const { bavail, bsize } = await statfs(room.dataDir);
  const free = bavail * bsize;
  if (need > free)
    throw new WorkspaceError(
      "NO_SPACE",
      `${size}, and ${megabytes(free)} are free where the data directory is`,
      "free some space; agents sandbox list and agents sandbox gc say what plans keep",
    );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}
