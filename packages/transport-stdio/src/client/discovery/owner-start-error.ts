import fs from "node:fs";

/** An owner that could not begin, with what it said: the data directory is unusable, the database newer, and so on. */
export class OwnerStartError extends Error {
  override readonly name = "OwnerStartError";
  readonly hint: string | undefined;
  constructor(message: string, hint: string | undefined, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

const CHOOSE = "or choose another data directory with CLEVERAGENTS_DATA_DIR";
const OURS = ["this user may not write it", `make it yours (chown, chmod u+rwx), ${CHOOSE}`] as const;
const FULL = ["its disk is full", `free some space, ${CHOOSE}`] as const;
const NO_DIRECTORY = ["it is not a directory", `move away what is there, ${CHOOSE}`] as const;

const BY_CODE: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  EACCES: OURS,
  EPERM: OURS,
  ENOSPC: FULL,
  EDQUOT: FULL,
  ENOTDIR: NO_DIRECTORY,
  EEXIST: NO_DIRECTORY,
  ENOENT: ["nothing can be made there", "choose another data directory with CLEVERAGENTS_DATA_DIR"],
  EROFS: ["its file system is mounted read-only", `mount it for writing, ${CHOOSE}`],
};

/** What the operating system refused in a data directory, in words; undefined for what is not the directory's fault. */
export function dataDirError(dataDir: string, error: unknown): OwnerStartError | undefined {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known === undefined) return undefined;
  const message = `the data directory ${dataDir} cannot be used: ${known[0]}`;
  return new OwnerStartError(message, known[1], { cause: error });
}

/** Of a directory on a full disk, where an owner had no place for its last words. */
export async function fullDiskError(dataDir: string): Promise<OwnerStartError | undefined> {
  const { bavail } = await fs.promises.statfs(dataDir).catch(() => ({ bavail: undefined }));
  return bavail === 0
    ? new OwnerStartError(`the data directory ${dataDir} cannot be used: ${FULL[0]}`, FULL[1])
    : undefined;
}
