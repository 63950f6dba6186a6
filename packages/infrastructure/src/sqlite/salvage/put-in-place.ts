import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What belongs to a database file; the file itself last, so that it is there for as long as anything of it is. */
const SUFFIXES = ["-wal", "-shm", "-journal", ""];

/** A file that is being made of what was saved, and is worth nothing if that was cut off. */
export function draftOf(path: string): string {
  return `${path}.rebuilding`;
}

/** `20270115T080000Z`, and a number where that is taken. */
export function stampFor(path: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  for (let n = 1; ; n++) {
    const unique = n === 1 ? stamp : `${stamp}-${n}`;
    if (!existsSync(asideOf(path, unique)) && !existsSync(asideOf(path, unique, ".json"))) return unique;
  }
}

/** Where a damaged file is kept; `.json` beside it says what was lost. */
export function asideOf(path: string, stamp: string, suffix = ""): string {
  return `${path}.damaged-${stamp}${suffix}`;
}

/** Moves a damaged file and what belongs to it aside. */
export function setAside(path: string, stamp: string): void {
  for (const suffix of SUFFIXES)
    if (existsSync(path + suffix)) renameSync(path + suffix, asideOf(path, stamp, suffix));
  syncDirectory(dirname(path));
}

/** The new file in the place of the damaged one. From its first step on it is finished by the next start, if need be. */
export function putInPlace(path: string, stamp: string): void {
  syncFile(draftOf(path));
  renameSync(draftOf(path), readyOf(path, stamp));
  syncDirectory(dirname(path));
  finish(path, stamp);
}

/** Finishes what a killed process had begun; called before anything is opened. */
export function finishPutInPlace(path: string): void {
  const prefix = `${basename(path)}.rebuilt-`;
  for (const suffix of SUFFIXES) rmSync(draftOf(path) + suffix, { force: true });
  for (const name of namesIn(dirname(path)))
    if (name.startsWith(prefix)) finish(path, name.slice(prefix.length));
}

function finish(path: string, stamp: string): void {
  setAside(path, stamp);
  renameSync(readyOf(path, stamp), path);
  syncDirectory(dirname(path));
}

function readyOf(path: string, stamp: string): string {
  return join(dirname(path), `${basename(path)}.rebuilt-${stamp}`);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // told better by whoever looks at the file itself
  }
}

function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
