import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { FailPoint, Sandbox } from "@cleveragents/application";
import { expect, test } from "vitest";
import { type Fixture, fixture, treeOf, userEnv, write } from "./git-fixtures.ts";

const FILES = {
  "a.txt": "a\n",
  "dir/b.txt": "b\n",
  "dir/c.txt": "c\n",
  file: "becomes a directory\n",
  "gone/deep/x.txt": "x\n",
  "run.sh": "#!/bin/sh\n",
  "typed.txt": "becomes a link\n",
  "bystander.txt": "stays\n",
};

class Crash extends Error {}

/** One change of each sort. */
async function changed(it: Fixture): Promise<Sandbox> {
  const sandbox = await it.create();
  const at = (path: string) => join(sandbox.root, path);
  for (const path of ["dir", "gone", "file", "typed.txt"]) rmSync(at(path), { recursive: true });
  write(sandbox.root, {
    "a.txt": "new a\n",
    dir: "a file now\n",
    "file/inner/y.txt": "y\n",
    "new/z.bin": Buffer.from([0, 1]),
  });
  chmodSync(at("run.sh"), 0o755);
  symlinkSync("a.txt", at("typed.txt"));
  return sandbox;
}

/** `a.txt` in the apply's words: "replaced a.txt". */
const spell: (...passed: Parameters<FailPoint>) => string = (name, of) =>
  [name.replace("workspace.apply.", ""), ...(of === undefined ? [] : [of])].join(" ");

/** When each sort of point is passed for the first and for the last time, counted from 0. */
async function pointsOf(): Promise<ReadonlyMap<number, string>> {
  await using it = fixture({ git: false, files: FILES });
  const points: string[] = [];
  const sorts: string[] = [];
  const failPoint: FailPoint = (name, of) => {
    points.push(spell(name, of));
    sorts.push(name);
  };
  await it.apply(await changed(it), it.again({ failPoint }));
  const ends = [...new Set(sorts)].flatMap((sort) => [sorts.indexOf(sort), sorts.lastIndexOf(sort)]);
  return new Map([...new Set(ends)].sort((a, b) => a - b).map((at) => [at, points[at] ?? ""]));
}

function leftovers(it: Fixture): string[] {
  const journals = readdirSync(join(it.dataDir, "journal")).filter((name) => name.startsWith("apply-"));
  return [...journals, ...Object.keys(treeOf(it.project)).filter((path) => path.includes(".cleveragents-"))];
}

test("cut off at any point, the tree is entirely old or entirely new after recovery", async () => {
  const points = await pointsOf();
  expect(points.size).toBeGreaterThan(12);
  await using it = fixture({ git: false, files: FILES });
  const old = treeOf(it.project);
  const sandbox = await changed(it);
  const fresh = treeOf(sandbox.root);
  const { to: toTree, digest } = await sandbox.compare();
  const outcomes = new Set<string>();
  for (const [at, point] of points) {
    let passed = 0;
    const failPoint = () => {
      if (passed++ === at) throw new Crash();
    };
    const applied = it.again({ failPoint }).apply(sandbox, { planId: "PLAN", digest, toTree });
    await expect(applied).rejects.toThrow(Crash);
    const [recovered] = await it.again().recover();
    const tree = treeOf(it.project);
    const isNew = tree["a.txt"] === fresh["a.txt"];
    expect(tree, `after a crash at ${point}`).toEqual(isNew ? fresh : old);
    if (recovered !== undefined)
      expect(recovered).toEqual({
        planId: "PLAN",
        projectRoot: it.project,
        outcome: isNew ? "rolled-forward" : "rolled-back",
      });
    outcomes.add(recovered?.outcome ?? (isNew ? "done" : "not begun"));
    expect(leftovers(it)).toEqual([]);
    expect(await it.again().recover()).toEqual([]);
    reset(it);
  }
  expect([...outcomes].sort()).toEqual(["done", "not begun", "rolled-back", "rolled-forward"]);
}, 120_000);

function reset(it: Fixture): void {
  rmSync(join(it.dataDir, "journal/done"), { recursive: true, force: true });
  for (const name of readdirSync(it.project)) rmSync(join(it.project, name), { recursive: true });
  write(it.project, FILES);
}

// Each point is passed above; here it is a process that ends, and at each of them in git-apply.soak.ts.
for (const point of ["staged"])
  test(`a process that is killed at "${point}" leaves a tree that recovery completes or takes back`, async () => {
    await using it = fixture({ git: false, files: FILES });
    const old = treeOf(it.project);
    const sandbox = await changed(it);
    const { to, digest } = await sandbox.compare();
    const args = ["--conditions=@cleveragents/source", join(import.meta.dirname, "git-apply-worker.ts")];
    args.push(it.dataDir, it.project, JSON.stringify(sandbox.state), to, digest, point);
    const died = spawnSync(process.execPath, args, { env: userEnv(it.base), encoding: "utf8" });
    expect(died.signal, died.stderr).toBe("SIGKILL");
    const [recovered] = await it.again().recover();
    const forward = point !== "journaled" && point !== "staged";
    expect(recovered?.outcome).toBe(forward ? "rolled-forward" : "rolled-back");
    expect(treeOf(it.project)).toEqual(forward ? treeOf(sandbox.root) : old);
    expect(leftovers(it)).toEqual([]);
  });

async function cutOffAt(it: Fixture, sandbox: Sandbox, point: string): Promise<void> {
  const failPoint: FailPoint = (...passed) => {
    if (spell(...passed) === point) throw new Crash();
  };
  await expect(it.apply(sandbox, it.again({ failPoint }))).rejects.toThrow(Crash);
}

test("a file that the user changed after the crash is left, with everything else", async () => {
  await using it = fixture({ git: false, files: FILES });
  const sandbox = await changed(it);
  await cutOffAt(it, sandbox, "replaced a.txt");
  write(it.project, { "run.sh": "edited since\n" });
  const before = treeOf(it.project);
  const [recovered] = await it.again().recover();
  expect(recovered?.outcome).toBe("left");
  const after = treeOf(it.project);
  for (const path of Object.keys(after)) expect(after[path]).toBe(before[path]);
  expect(leftovers(it)).toEqual([]);
  expect(readdirSync(join(it.dataDir, "journal/left"))).toHaveLength(1);
  expect(await it.again().recover()).toEqual([]);
});

test("cut off when everything was written, the apply has ended, and what the user changed since stays", async () => {
  await using it = fixture({ git: false, files: FILES });
  const sandbox = await changed(it);
  await cutOffAt(it, sandbox, "carried-out");
  write(it.project, { "a.txt": "edited since\n" });
  expect(await it.again().recover()).toMatchObject([{ outcome: "rolled-forward" }]);
  expect(leftovers(it)).toEqual([]);
  expect(await it.apply(sandbox, it.again())).toEqual({ written: 6, deleted: 4 });
  expect(treeOf(it.project)).toEqual({
    ...treeOf(sandbox.root),
    "a.txt": `644 ${Buffer.from("edited since\n").toString("base64")}`,
  });
});

test("a single file that was in place when the process died, and that the user changed since, was applied", async () => {
  await using it = fixture({ git: false, files: FILES });
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "new a\n" });
  await cutOffAt(it, sandbox, "replaced a.txt");
  rmSync(join(it.project, "a.txt"));
  write(it.project, { "a.txt": "edited since\n" });
  expect(await it.again().recover()).toMatchObject([{ outcome: "rolled-forward" }]);
  expect(leftovers(it)).toEqual([]);
  expect(await it.apply(sandbox, it.again())).toEqual({ written: 1, deleted: 0 });
  expect(readFileSync(join(it.project, "a.txt"), "utf8")).toBe("edited since\n");
});

test("a staged content that the user removed is no sign that the apply had ended", async () => {
  await using it = fixture({ git: false, files: FILES });
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "new a\n" });
  await cutOffAt(it, sandbox, "decided");
  for (const name of readdirSync(it.project))
    if (name.startsWith(".cleveragents-")) rmSync(join(it.project, name));
  write(it.project, { "a.txt": "edited since\n" });
  expect(await it.again().recover()).toMatchObject([{ outcome: "left" }]);
  await expect(it.apply(sandbox, it.again())).rejects.toMatchObject({ name: "BaseDriftError" });
});

test("what putting back had begun to write is removed where recovery leaves everything as it is", async () => {
  await using it = fixture({ git: false, files: FILES });
  const sandbox = await changed(it);
  await cutOffAt(it, sandbox, "replaced a.txt");
  const [journal = ""] = readdirSync(join(it.dataDir, "journal")).filter((name) => name.startsWith("apply-"));
  const [saved = ""] = readdirSync(join(it.dataDir, "journal", journal, "old"));
  write(it.project, { "run.sh": "edited since\n", [`.cleveragents-restore-${saved}`]: "half" });
  expect(await it.again().recover()).toMatchObject([{ outcome: "left" }]);
  expect(leftovers(it)).toEqual([]);
});

test("when a staged content is lost, everything goes back", async () => {
  await using it = fixture({ git: false, files: FILES });
  const old = treeOf(it.project);
  const sandbox = await changed(it);
  await cutOffAt(it, sandbox, "replaced a.txt");
  for (const name of readdirSync(it.project))
    if (name.startsWith(".cleveragents-apply-")) rmSync(join(it.project, name));
  const [recovered] = await it.again().recover();
  expect(recovered?.outcome).toBe("rolled-back");
  expect(treeOf(it.project)).toEqual(old);
});

test("a file that changes while the change is being written makes it drift, and the rest goes back", async () => {
  await using it = fixture({ git: false, files: FILES });
  const sandbox = await changed(it);
  const failPoint: FailPoint = (...passed) => {
    if (spell(...passed) === "replaced a.txt") writeFileSync(join(it.project, "run.sh"), "just now\n");
  };
  await expect(it.apply(sandbox, it.again({ failPoint }))).rejects.toMatchObject({ name: "BaseDriftError" });
  expect(readFileSync(join(it.project, "a.txt"), "utf8")).toBe("a\n");
  expect(readFileSync(join(it.project, "run.sh"), "utf8")).toBe("just now\n");
  expect(readFileSync(join(it.project, "gone/deep/x.txt"), "utf8")).toBe("x\n");
  expect(existsSync(join(it.project, "new"))).toBe(false);
  expect(leftovers(it)).toEqual([]);
});

test("a file that appears where a directory is needed makes it drift, and the rest goes back", async () => {
  await using it = fixture({ git: false, files: FILES });
  const sandbox = await changed(it);
  const failPoint: FailPoint = (...passed) => {
    if (spell(...passed) === "replaced a.txt") writeFileSync(join(it.project, "new"), "just now\n");
  };
  await expect(it.apply(sandbox, it.again({ failPoint }))).rejects.toMatchObject({
    name: "BaseDriftError",
    files: [{ path: "new" }],
  });
  expect(readFileSync(join(it.project, "a.txt"), "utf8")).toBe("a\n");
  expect(readFileSync(join(it.project, "new"), "utf8")).toBe("just now\n");
  expect(leftovers(it)).toEqual([]);
});

test("cut off while it was going back, recovery ends with the old tree", async () => {
  await using it = fixture({ git: false, files: FILES });
  const old = treeOf(it.project);
  const sandbox = await changed(it);
  const failPoint: FailPoint = (...passed) => {
    if (spell(...passed) === "replaced a.txt") renameSync(join(it.project, "run.sh"), join(it.base, "aside"));
    if (spell(...passed) !== "reverting") return;
    renameSync(join(it.base, "aside"), join(it.project, "run.sh"));
    throw new Crash();
  };
  await expect(it.apply(sandbox, it.again({ failPoint }))).rejects.toThrow(Crash);
  expect(await it.again().recover()).toMatchObject([{ outcome: "rolled-back" }]);
  expect(treeOf(it.project)).toEqual(old);
});

test("the lock of a dead process is taken over, that of a living one is waited for", async () => {
  await using it = fixture({ git: false, files: FILES });
  const sandbox = await changed(it);
  await cutOffAt(it, sandbox, "locked");
  const { createHash } = await import("node:crypto");
  const locks = join(it.dataDir, "journal/locks");
  const lock = join(locks, `${createHash("sha256").update(it.project).digest("hex").slice(0, 32)}.lock`);
  writeFileSync(lock, JSON.stringify({ pid: process.pid, start: "another start", token: "x" }));
  let held = "";
  const failPoint: FailPoint = (...passed) => {
    if (spell(...passed) === "decided") held = readFileSync(lock, "utf8");
  };
  const both = await Promise.all([it.apply(sandbox, it.again({ failPoint })), it.apply(sandbox)]);
  expect(both[0]).toEqual(both[1]);
  expect(held).not.toContain("another start");
  expect(readdirSync(locks)).toEqual([]);
});

test("permissions beyond the executable bit are kept, and empty directories of the user's too", async () => {
  await using it = fixture({ git: false, files: FILES });
  chmodSync(join(it.project, "a.txt"), 0o600);
  mkdirSync(join(it.project, "empty"));
  await it.apply(await changed(it));
  const { statSync } = await import("node:fs");
  expect(statSync(join(it.project, "a.txt")).mode & 0o777).toBe(0o600);
  expect(existsSync(join(it.project, "empty"))).toBe(true);
  expect(existsSync(join(it.project, "gone"))).toBe(false);
});
