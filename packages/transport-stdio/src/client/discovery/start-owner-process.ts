import fs from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { dataDirError, fullDiskError, OwnerStartError } from "./owner-start-error.ts";

export interface StartOwnerOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told when the owner ends with an error; one that finds another owner ends without. */
  readonly onFailure: (error: OwnerStartError) => void;
}

export interface StartedOwner {
  /** Resolves when the process is gone, whatever it has come to. */
  readonly ended: Promise<void>;
}

/** The log of owners in a data directory; at this size it is put aside and a new one begun. */
const LOG_BYTES = 5 * 1024 * 1024;

/**
 * Starts an owner that outlives this process: a group of its own, no inherited streams, its words in `owner.log`.
 * Settles when the program runs; rejects with `OwnerStartError` when the directory cannot be used, with the system's own
 * error when the program cannot be started.
 */
export async function startOwnerProcess({
  command,
  args,
  dataDir,
  env,
  onFailure,
}: StartOwnerOptions): Promise<StartedOwner> {
  // Most callers find an owner and never need it.
  const { spawn } = await import("node:child_process");
  const path = join(dataDir, "owner.log");
  const { log, from } = await openLog(dataDir, path).catch(async (error: unknown) => {
    throw dataDirError(dataDir, error) ?? error;
  });
  try {
    const child = spawn(command, args, {
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      env: { ...env },
      cwd: dataDir,
    });
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.once("exit", (code) => {
      if (code !== null && code !== 0)
        void fs.promises.readFile(path, "utf8").then(
          async (text) =>
            onFailure(failureIn(text.slice(from)) ?? (await fullDiskError(dataDir)) ?? unknown()),
          () => onFailure(unknown()),
        );
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    child.unref();
    return { ended };
  } finally {
    await log.close();
  }
}

async function openLog(dataDir: string, path: string) {
  await makeFolder(dataDir);
  const size = (await fs.promises.stat(path).catch(() => undefined))?.size ?? 0;
  if (size > LOG_BYTES) await fs.promises.rename(path, `${path}.1`);
  return { log: await fs.promises.open(path, "a", 0o600), from: size > LOG_BYTES ? 0 : size };
}

/** The program's last `error:` and `hint:` lines. */
function failureIn(log: string): OwnerStartError | undefined {
  const last = (word: string) =>
    log
      .split("\n")
      .findLast((line) => line.startsWith(`${word}: `))
      ?.slice(word.length + 2);
  const error = last("error");
  return error === undefined ? undefined : new OwnerStartError(error, last("hint"));
}

function unknown(): OwnerStartError {
  return new OwnerStartError("the agent could not be started", undefined);
}
