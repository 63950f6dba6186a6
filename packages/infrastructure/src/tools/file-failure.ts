import { ToolError } from "@cleveragents/application";

const FAILURES: Readonly<Record<string, readonly [reason: string, what: string]>> = {
  ENOENT: ["FILE_NOT_FOUND", "does not exist"],
  EISDIR: ["IS_DIRECTORY", "is a directory"],
  ENOTDIR: ["NOT_A_DIRECTORY", "would need a directory where there is none"],
  EACCES: ["PERMISSION", "may not be accessed"],
  EPERM: ["PERMISSION", "may not be changed"],
  EROFS: ["PERMISSION", "is on a read-only file system"],
  ENOSPC: ["NO_SPACE", "cannot be written: the disk is full"],
  EDQUOT: ["NO_SPACE", "cannot be written: the quota is used up"],
  EMFILE: ["TOO_MANY_OPEN_FILES", "cannot be opened: too many files are open"],
  ENFILE: ["TOO_MANY_OPEN_FILES", "cannot be opened: too many files are open"],
  EEXIST: ["FILE_EXISTS", "is there already"],
  ENOTEMPTY: ["FILE_EXISTS", "is a directory that is not empty"],
  ENAMETOOLONG: ["NAME_TOO_LONG", "has a name that is too long"],
  EFBIG: ["FILE_TOO_LARGE", "is too large for the file system"],
  // With O_NOFOLLOW: the file became a link after its path had been checked.
  ELOOP: ["PATH_ESCAPE", "was replaced by a link"],
};

/** A path for a message: as it is, unless it could be mistaken for more than one line. */
export function shownPath(relative: string): string {
  return /\p{Cc}/u.test(relative) ? JSON.stringify(relative) : relative;
}

/** A refusal that names the path as the plan knows it. */
export function refuse(
  reason: string,
  relative: string,
  what: string,
  details: ConstructorParameters<typeof ToolError>[2] = {},
): ToolError {
  return new ToolError(reason, `${shownPath(relative)} ${what}`, { path: relative, ...details });
}

/** Runs file operations on one path; what the operating system refuses becomes a {@link ToolError} without host paths. */
export async function onFile<T>(relative: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof ToolError || code === undefined || syscall === undefined) throw error;
    const [reason, what] = FAILURES[code] ?? ["IO_FAILURE", `failed (${code})`];
    throw new ToolError(reason, `${shownPath(relative)} ${what}`, { path: relative, code }, { cause: error });
  }
}
