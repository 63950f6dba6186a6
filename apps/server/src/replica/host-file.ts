import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync, renameSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** What the processes that share a data directory agree upon. Only read and written under the directory's lock. */
export interface HostFile {
  readonly version: 1;
  /** Name of this directory's host among those of the database: its plans are carried out here, and it never changes. */
  readonly host: string;
  /** Where process ids mean the same. */
  readonly machine: string;
  /** Credential of the local user over HTTP, at whichever process. */
  readonly token: string;
}

export const hostFileOf = (dataDir: string): string => join(dataDir, "host.json");

/** Undefined where there is none. Throws if it cannot be understood: its plans would go to a host of another name. */
export function readHostFile(dataDir: string): HostFile | undefined {
  let text: string;
  try {
    text = readFileSync(hostFileOf(dataDir), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const { version, host, machine, token } = JSON.parse(text) as Partial<HostFile>; // each is checked on the next line
  if (version !== 1 || !host || !machine || !token)
    throw new Error(`${hostFileOf(dataDir)} was not written by this version`);
  return { version, host, machine, token };
}

export function writeHostFile(dataDir: string, file: HostFile): void {
  const draft = `${hostFileOf(dataDir)}.${randomBytes(6).toString("hex")}.tmp`;
  writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, hostFileOf(dataDir));
}

export const newHostName = (): string => `${hostname()}-${randomBytes(4).toString("hex")}`;
export const newToken = (): string => randomBytes(32).toString("base64url");

/** Tells this machine's, or this container's, process ids from those of another that sees the same directory. */
export function machineOf(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
