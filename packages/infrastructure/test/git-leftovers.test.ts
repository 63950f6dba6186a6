import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FailPointName } from "@cleveragents/application";
import { expect, test } from "vitest";
import { type Fixture, fixture, never, treeOf, userEnv, write } from "./git-fixtures.ts";

const DAY = 24 * 60 * 60 * 1000;

/** A process that makes or releases a sandbox and kills itself on the way. */
function killedAt(it: Fixture, what: "create" | "release", point: FailPointName): void {
  const args = ["--conditions=@cleveragents/source", join(import.meta.dirname, "git-leftovers-worker.ts")];
  const died = spawnSync(process.execPath, [...args, it.dataDir, it.project, what, point], {
    env: userEnv(it.base),
    encoding: "utf8",
  });
  expect(died.signal, died.stderr).toBe("SIGKILL");
}

function storeOf(it: Fixture): string {
  const stores = join(it.dataDir, "stores");
  // Killed early, a process leaves none.
  const names = existsSync(stores) ? readdirSync(stores) : [];
  return join(stores, names.find((name) => name.endsWith(".git")) ?? "none");
}

function isClean(it: Fixture): void {
  expect(readdirSync(join(it.dataDir, "sandboxes"))).toEqual([]);
  const refs = join(storeOf(it), "refs", "cleveragents");
  expect(existsSync(refs) ? readdirSync(refs) : []).toEqual([]);
}

for (const point of [
  "workspace.create.begun",
  "workspace.create.recorded",
  "workspace.create.filled",
] as const)
  test(`a sandbox whose making was killed at ${point} is found, and goes at the next start`, async () => {
    await using it = fixture({ git: false });
    killedAt(it, "create", point);
    expect(await it.workspace.holdings()).toEqual(["PLAN"]);
    expect(await it.workspace.recover()).toEqual([]);
    expect(await it.workspace.holdings()).toEqual([]);
    isClean(it);
  });

test("a sandbox whose making was killed is released without a restart, and can be made anew", async () => {
  await using it = fixture({ git: false });
  killedAt(it, "create", "workspace.create.filled");
  expect(await it.workspace.release("PLAN")).toBe(true);
  isClean(it);
  await it.create();
  expect(await it.workspace.holdings()).toEqual(["PLAN"]);
});

test("a removal that was killed half way is found and finished", async () => {
  await using it = fixture({ git: false });
  killedAt(it, "release", "workspace.dispose.removed");
  expect(readdirSync(join(it.dataDir, "sandboxes"))).toEqual([]);
  expect(await it.workspace.holdings()).toEqual(["PLAN"]);
  expect(await it.workspace.release("PLAN")).toBe(true);
  expect(await it.workspace.holdings()).toEqual([]);
  isClean(it);
});

test("a directory that could not be removed entirely is no sandbox any more, and is removed later", async () => {
  await using it = fixture({ git: false });
  const gone = join(it.dataDir, "sandboxes", ".gone-PLAN-0123456789ab", "tree");
  mkdirSync(gone, { recursive: true });
  expect(await it.workspace.holdings()).toEqual(["PLAN"]);
  await it.create();
  await it.workspace.tidy();
  expect(readdirSync(join(it.dataDir, "sandboxes"))).toEqual(["PLAN"]);
});

test("a sandbox that is being made is nobody else's to remove", async () => {
  await using it = fixture({ git: false });
  const released: Promise<boolean>[] = [];
  const maker = it.again({
    failPoint: (name) => {
      if (name === "workspace.create.begun") released.push(it.workspace.release("PLAN"));
    },
  });
  const sandbox = await maker.create("PLAN", it.project, never);
  expect(await Promise.all(released)).toEqual([false]);
  expect(existsSync(join(sandbox.root, "a.txt"))).toBe(true);
  expect(await it.workspace.release("PLAN")).toBe(true);
});

test("contents that no plan needs go after a day, those that one needs stay", async () => {
  await using it = fixture({ git: false, files: { "a.txt": "shared\n" } });
  const kept = await it.create("KEPT");
  const gone = await it.create("GONE");
  write(gone.root, { "only-here.txt": "of the plan that is over\n" });
  const tree = await gone.checkpoint("one");
  const inStore = async () =>
    (await it.again().open("KEPT", it.project, kept.state)).compare(kept.baseTree, tree);
  await gone.dispose();
  for (const days of [0, 0.9]) {
    await it.again({ clock: { now: () => days * DAY + 1 } }).tidy();
    await expect(inStore()).resolves.toMatchObject({ to: tree });
  }
  const later = it.again({ clock: { now: () => Date.now() + 2 * DAY } });
  await later.tidy();
  await expect(inStore()).rejects.toMatchObject({ reason: "GIT_FAILED" });
  write(kept.root, { "a.txt": "changed\n" });
  await kept.restore(kept.baseTree);
  expect((await kept.compare()).changeset.files).toEqual([]);
});

test("what a part was made of, what a copy of a copy began on and what was merged stay while their plans are there", async () => {
  await using it = fixture({ git: false, files: { "a.txt": "a\n", "b.txt": "b\n" } });
  const [plan, gone] = [await it.create(), await it.create("GONE")];
  write(plan.root, { "a.txt": "of the plan\n", "b.txt": "of the plan, too\n" });
  const { digest, to: tree } = await plan.compare();
  const part = await it.workspace.select(plan, { planId: "PLAN", digest, only: ["a.txt"] });
  const from = { projectRoot: it.project, state: gone.state, planId: "GONE" };
  write(gone.root, { "c.txt": "of the plan that ends first\n" });
  const base = await gone.checkpoint("one");
  const child = await it.workspace.derive("CHILD", { ...from, tree: base }, never);
  const sides = { base: plan.baseTree, ours: tree, theirs: base };
  const merged = await it.workspace.merge(plan, "PLAN", sides);
  await gone.dispose();
  await it.again({ clock: { now: () => Date.now() + 2 * DAY } }).tidy();
  const target = { projectRoot: it.project, baseTree: part.from };
  const request = { planId: "PLAN", digest: part.digest, toTree: part.to };
  expect(await it.again().apply(target, request)).toEqual({ written: 1, deleted: 0 });
  await child.restore(base);
  expect((await (await it.again().open("CHILD", it.project, child.state)).compare()).changeset.files).toEqual(
    [],
  );
  await plan.restore(merged.tree);
  expect(Object.keys(treeOf(plan.root)).sort()).toEqual(["a.txt", "b.txt", "c.txt"]);
});

test("nothing is thrown away while somebody takes contents into the store", async () => {
  await using it = fixture({ git: true });
  await (await it.create("GONE")).dispose();
  const later = it.again({ clock: { now: () => Date.now() + 2 * DAY } });
  const making = it.again({ git: slowGit(it) }).create("PLAN", it.project, never);
  while (!existsSync(join(storeOf(it), "makers", "PLAN"))) await delay(2);
  await later.tidy();
  await making;
  expect(existsSync(join(storeOf(it), "released"))).toBe(true);
  await later.tidy();
  expect(existsSync(join(storeOf(it), "released"))).toBe(false);
});

/** Takes its time, so that others have theirs. */
function slowGit(it: Fixture): string {
  const path = join(it.base, "slow-git");
  writeFileSync(path, '#!/bin/sh\nsleep 0.2\nexec git "$@"\n', { mode: 0o755 });
  return path;
}

test("temporary files of processes that are gone are removed, fresh ones and all else stay", async () => {
  await using it = fixture({ git: false });
  await it.create();
  const store = storeOf(it);
  const locks = join(it.dataDir, "journal", "locks");
  const half = `${store}.0123456789ab`;
  mkdirSync(join(half, "objects"), { recursive: true });
  const stale = [join(store, "project-index.0123456789ab"), join(locks, "x.lock.0123456789abcdef")];
  const fresh = [join(store, "project-index.ba9876543210"), join(locks, "y.lock.0123456789abcdef")];
  for (const file of [...stale, ...fresh]) writeFileSync(file, "{}");
  for (const path of [half, ...stale]) utimesSync(path, 1, 1);
  await it.again({ clock: { now: () => Date.now() } }).tidy();
  expect([half, ...stale].filter((path) => existsSync(path))).toEqual([]);
  expect(fresh.filter((path) => existsSync(path))).toEqual(fresh);
  expect(await it.workspace.holdings()).toEqual(["PLAN"]);
  rmSync(join(it.dataDir, "sandboxes"), { recursive: true });
});
