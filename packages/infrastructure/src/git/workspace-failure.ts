import { WorkspaceError } from "@cleveragents/application";

const SPACE_HINT = "free some space (or quota) where the data directory and the project are, then try again";

/** What a failed git call means to the user. git speaks English here: LC_ALL is C. */
export function gitFailure(args: readonly string[], code: number, stderr: string): WorkspaceError {
  const text = stderr.trim();
  if (/No space left on device|Out of diskspace|Disk quota exceeded/.test(text))
    return new WorkspaceError("NO_SPACE", "the disk is full", SPACE_HINT);
  // Where git could open a file and not fill it, it does not say why.
  if (/^(error|fatal): (unable to write file|failed to write|write error)/m.test(text))
    return new WorkspaceError(
      "NO_SPACE",
      "a file could not be written: the disk is probably full",
      SPACE_HINT,
    );
  if (/dubious ownership/.test(text))
    return new WorkspaceError(
      "DUBIOUS_OWNERSHIP",
      text.split("\n")[0] ?? text,
      "make the folder yours, or run as its owner",
    );
  const command = args.find((arg) => /^[a-z][a-z-]+$/.test(arg)) ?? "command";
  return new WorkspaceError("GIT_FAILED", `git ${command} ended with ${code}: ${text.slice(0, 2000)}`);
}

/** Turns a full disk into NO_SPACE and passes everything else on as it is. */
export function storageFailure(error: unknown): unknown {
  const code = errorCode(error);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new WorkspaceError("NO_SPACE", "the disk is full", SPACE_HINT, { cause: error });
  return error;
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** There is nothing under that name: not even a dangling link. */
export function isAbsence(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}
