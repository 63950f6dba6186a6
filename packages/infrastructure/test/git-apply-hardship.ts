import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FailPoint, Sandbox } from "@cleveragents/application";
import { expect } from "vitest";
import { type Fixture, fixture, treeOf, userEnv, write } from "./git-fixtures.ts";

const COUNT = 50;
export const FIFTY: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: COUNT }, (_, n) => [`dir${n % 7}/file${n}.txt`, `old ${n}\n`]),
);

/** A change of fifty files, of every sort. */
export async function fiftyChanged(it: Fixture): Promise<Sandbox> {
  const sandbox = await it.create();
  for (const [n, path] of Object.keys(FIFTY).entries()) {
    const at = join(sandbox.root, path);
    if (n % 5 === 0) rmSync(at);
    else if (n % 5 === 1) chmodSync(at, 0o755);
    else if (n % 5 === 2) {
      rmSync(at);
      symlinkSync("elsewhere", at);
    } else if (n % 5 === 3) write(sandbox.root, { [`made/${n}/${n}.txt`]: `made ${n}\n` });
    else write(sandbox.root, { [path]: `new ${n}\n` });
  }
  return sandbox;
}

/** In the worker's words. */
const spell: (...passed: Parameters<FailPoint>) => string = (name, of) =>
  [name.replace("workspace.apply.", ""), of].join(" ").trim();

/** Every step of the apply of the fifty files. */
export async function stepsOf(): Promise<string[]> {
  await using it = fixture({ git: false, files: FIFTY });
  const steps: string[] = [];
  await it.apply(
    await fiftyChanged(it),
    it.again({ failPoint: (...passed) => steps.push(spell(...passed)) }),
  );
  return [...new Set(steps)];
}

/** Kills a process that applies at a step, and looks at what is left after recovery. */
export async function killedAt(step: string): Promise<void> {
  await using it = fixture({ git: false, files: FIFTY });
  const sandbox = await fiftyChanged(it);
  const [old, fresh] = [treeOf(it.project), treeOf(sandbox.root)];
  const { to, digest } = await sandbox.compare();
  const args = ["--conditions=@cleveragents/source", join(import.meta.dirname, "git-apply-worker.ts")];
  args.push(it.dataDir, it.project, JSON.stringify(sandbox.state), to, digest, step);
  const died = spawnSync(process.execPath, args, { env: userEnv(it.base), encoding: "utf8" });
  expect(died.signal, died.stderr).toBe("SIGKILL");
  await it.again().recover();
  const left = treeOf(it.project);
  expect([old, fresh], `killed at ${step}`).toContainEqual(left);
  const journals = readdirSync(join(it.dataDir, "journal")).filter((name) => name.startsWith("apply-"));
  expect(journals).toEqual([]);
  // Whatever it was, the same apply ends it.
  await it.apply(sandbox, it.again());
  expect(treeOf(it.project)).toEqual(fresh);
}

/** Why no disk of a size can be made here; undefined if one can. */
export function whyNoDisk(): string | undefined {
  const at = mkdtempSync(join(tmpdir(), "git-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", at], { stdio: "pipe" });
    execFileSync("umount", [at]);
    return undefined;
  } catch {
    return "tmpfs cannot be mounted here";
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

const BLOCK = 4096;

/** A disk of its own size, in memory; gone at the end of the block, whatever lies on it. */
export class SmallDisk implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "git-disk-"));

  constructor(size: string) {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs", this.path]);
  }

  /** Makes something that makes its folder where temporary files are. */
  holding<T>(make: () => T): T {
    const tmp = process.env["TMPDIR"];
    try {
      process.env["TMPDIR"] = this.path;
      return make();
    } finally {
      if (tmp === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = tmp;
    }
  }

  /** Leaves so many bytes. */
  fill(leave = 0): void {
    const { bavail, bsize } = statfsSync(this.path);
    const block = Buffer.alloc(1024 * 1024);
    const file = openSync(this.#ballast, "a");
    try {
      for (let left = bavail * bsize - leave; left > 0; left -= block.length)
        writeSync(file, block, 0, Math.min(left, block.length));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#ballast, { force: true });
  }

  get #ballast(): string {
    return join(this.path, "ballast");
  }

  [Symbol.dispose](): void {
    execFileSync("umount", ["-l", this.path]);
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Applies with so many blocks free on the disk that holds everything; says whether that was enough. */
export async function appliedWith(blocks: number): Promise<boolean> {
  using disk = new SmallDisk("48m");
  const it = disk.holding(() => fixture({ git: false, files: FIFTY }));
  const sandbox = await fiftyChanged(it);
  const [old, fresh] = [treeOf(it.project), treeOf(sandbox.root)];
  const { to: toTree, digest } = await sandbox.compare();
  disk.fill(blocks * BLOCK);
  const request = { planId: "PLAN", digest, toTree };
  const error = await it
    .again()
    .apply(sandbox, request)
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  if (error !== null) expect(error, String(error)).toMatchObject({ reason: "NO_SPACE" });
  expect(treeOf(it.project), `with ${blocks} blocks`).toEqual(error === null ? fresh : old);
  disk.free();
  await it.again().recover();
  expect([old, fresh]).toContainEqual(treeOf(it.project));
  await it.again().apply(sandbox, request);
  expect(treeOf(it.project)).toEqual(fresh);
  return error === null;
}
