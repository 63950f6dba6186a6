import { randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, rmdir, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { CommandNotStartedError, type CommandRequest } from "@cleveragents/application";
import { DEPENDENCY_FOLDERS, dependencyFolders } from "../bubblewrap/dependency-folders.ts";
import { noteBrought } from "../git/brought-folders.ts";
import { copyFolder, type FolderContent, listFolder, sharesBlocks } from "./copy-folder.ts";

/** What is copied at most where copies take room of their own. */
export const COPIED_AT_MOST = 2_000_000_000;
/** Of the disk that stays free. */
const SPARE = 256 * 1024 * 1024;

type Request = Pick<CommandRequest, "root" | "projectRoot" | "dependencies" | "signal" | "onPreparing">;

/**
 * Copies of the user's ignored dependency folders in a plan's copy of the project, for commands that cannot be shown them
 * by an overlay. They are never links to the user's files. Once there they are the plan's own; nothing of them is a
 * change that the plan makes.
 */
export class DependencyCopies {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #atMost: number;

  constructor(deps: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly atMost?: number | undefined;
  }) {
    this.#env = deps.env;
    this.#atMost = deps.atMost ?? COPIED_AT_MOST;
  }

  /**
   * Makes those that are missing. `moved`: the command sees the copy where it lies, and not at the project's place.
   * Throws `CommandNotStartedError` for folders that are too large, or for which there is no room.
   */
  async prepare(request: Request, moved: boolean): Promise<void> {
    const { root, projectRoot } = request;
    const names = request.dependencies ?? DEPENDENCY_FOLDERS;
    if (names.length === 0 || root === projectRoot) return;
    const folders = await dependencyFolders(projectRoot, names, this.#env);
    const missing: string[] = [];
    for (const folder of folders) if (await hasRoom(root, folder)) missing.push(folder);
    if (missing.length === 0) return;
    const directory = path.dirname(root);
    for (const name of await readdir(directory))
      if (name.startsWith("copying.")) await rm(path.join(directory, name), { recursive: true, force: true });
    await noteBrought(directory, missing).catch((error: unknown) => {
      throw notCopied(missing.join(", "), error);
    });
    let left = this.#atMost;
    for (const folder of missing) left -= await this.#bring(request, folder, left, moved);
  }

  /** Answers how many bytes of its own the copy has. */
  async #bring(request: Request, folder: string, left: number, moved: boolean): Promise<number> {
    const { root, projectRoot, signal, onPreparing } = request;
    const from = path.join(projectRoot, folder);
    const fresh = path.join(path.dirname(root), `copying.${randomBytes(6).toString("hex")}`);
    try {
      const shared = await this.#shares(from, fresh, signal);
      const content = await listFolder(from, shared ? Number.POSITIVE_INFINITY : left, signal);
      if (content === undefined) throw tooLarge(folder, this.#atMost);
      if (!shared) await assertRoomFor(folder, content, path.dirname(root));
      onPreparing?.({ files: content.files.length, bytes: content.bytes });
      await copyFolder(from, fresh, content, {
        moved: moved ? { from: projectRoot, to: root } : undefined,
        signal,
      });
      if (moved) await moveScripts(fresh, projectRoot, root);
      await place(fresh, path.join(root, folder));
      return shared ? 0 : content.bytes;
    } catch (error) {
      if (signal.aborted) throw new CommandNotStartedError("it was cancelled before it was started");
      throw notCopied(folder, error);
    } finally {
      onPreparing?.();
      await rm(fresh, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  async #shares(from: string, fresh: string, signal: AbortSignal): Promise<boolean> {
    const file = await firstFile(from, signal);
    if (file === undefined) return true;
    return await sharesBlocks(file, fresh, (probe) => rm(probe, { force: true }));
  }
}

async function firstFile(folder: string, signal: AbortSignal): Promise<string | undefined> {
  signal.throwIfAborted();
  const entries = await readdir(folder, { withFileTypes: true });
  const file = entries.find((entry) => entry.isFile());
  if (file !== undefined) return path.join(folder, file.name);
  for (const entry of entries) {
    const found = entry.isDirectory() ? await firstFile(path.join(folder, entry.name), signal) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether nothing is at its place in the copy, and everything on the way to it is a directory. */
async function hasRoom(root: string, folder: string): Promise<boolean> {
  const parts = folder.split(path.sep);
  let at = root;
  for (const [index, part] of parts.entries()) {
    at = path.join(at, part);
    const found = await lstat(at).catch(() => undefined);
    if (index === parts.length - 1)
      return found === undefined || (found.isDirectory() && (await readdir(at)).length === 0);
    if (found?.isDirectory() !== true) return false;
  }
  return false;
}

async function assertRoomFor(folder: string, { bytes }: FolderContent, directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bytes + SPARE <= bavail * bsize) return;
  throw new CommandNotStartedError(
    `there is no room for a copy of ${folder} (${megabytes(bytes)}); free some, or ${OTHERWISE}`,
  );
}

async function place(fresh: string, at: string): Promise<void> {
  await rmdir(at).catch(() => undefined);
  await mkdir(path.dirname(at), { recursive: true });
  await rename(fresh, at);
}

/** Programs of a virtual environment of Python's name its interpreter by its place. */
async function moveScripts(folder: string, from: string, to: string): Promise<void> {
  const bin = path.join(folder, "bin");
  if ((await lstat(path.join(folder, "pyvenv.cfg")).catch(() => undefined)) === undefined) return;
  for (const entry of await readdir(bin, { withFileTypes: true }).catch(() => [])) {
    const file = path.join(bin, entry.name);
    if (!entry.isFile() || (await lstat(file)).size > 65_536) continue;
    const text = await readFile(file, "latin1");
    if (text.includes("\0") || !text.includes(`${from}/`)) continue;
    await writeFile(file, text.replaceAll(`${from}/`, `${to}/`), "latin1");
  }
}

const OTHERWISE =
  "say in the step or its action which folders it needs (`dependencies: []` for none) and install them in a step";

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

function tooLarge(folder: string, atMost: number): CommandNotStartedError {
  return new CommandNotStartedError(
    `${folder} cannot be shown to commands here but by a copy, and is larger than the ${megabytes(atMost)} that are copied (CLEVERAGENTS_DEPENDENCY_COPY_MB); raise that, or ${OTHERWISE}`,
  );
}

function notCopied(folder: string, error: unknown): CommandNotStartedError {
  if (error instanceof CommandNotStartedError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const why =
    code === "ENOSPC" || code === "EDQUOT"
      ? "the disk is full"
      : code === "EACCES" || code === "EPERM"
        ? "not all of it can be read"
        : (code ?? "it was changed meanwhile");
  return new CommandNotStartedError(`${folder} could not be copied: ${why}; or ${OTHERWISE}`, {
    cause: error,
  });
}
