import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ComparedTrees, Sandbox } from "@cleveragents/application";
import fc from "fast-check";
import { expect } from "vitest";
import { edit, edits, TREE } from "./git-apply-trees.ts";
import { type Fixture, fixture, git, userState, write } from "./git-fixtures.ts";

/** The tree that the user's own git makes of a directory, in a repository of its own. */
function treeOfGit(it: Fixture, root: string): string {
  const look = [`--git-dir=${join(it.base, "look.git")}`, `--work-tree=${root}`];
  git(it.base, "init", "-q", "--bare", "look.git");
  git(root, ...look, "add", "-A", "-f", ".");
  return git(root, ...look, "write-tree").trim();
}

function kept(it: Fixture): unknown {
  const { files: _, status: __, ...state } = userState(it.project);
  return state;
}

async function applyTo(it: Fixture, change: ComparedTrees, planId: string): Promise<void> {
  const target = { projectRoot: it.project, baseTree: change.from };
  await it.workspace.apply(target, { planId, digest: change.digest, toTree: change.to });
}

/** False where the changes hold a link that is refused; then nothing was written. */
async function applied(it: Fixture, sandbox: Sandbox): Promise<boolean> {
  const before = treeOfGit(it, it.project);
  const refused = await it.apply(sandbox).then(
    () => null,
    (error: unknown) => error,
  );
  if (refused === null) return true;
  expect(refused).toMatchObject({ name: "ChangesetRefusedError" });
  expect(treeOfGit(it, it.project)).toBe(before);
  return false;
}

/** Apply gives exactly the new tree, and undo exactly the old one. */
export async function applyAndUndo(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(edits, async (some) => {
      await using it = fixture({ git: true, files: TREE });
      const [old, state] = [treeOfGit(it, it.project), kept(it)];
      const sandbox = await it.create();
      edit(sandbox.root, some);
      const wanted = treeOfGit(it, sandbox.root);
      if (!(await applied(it, sandbox))) return;
      expect(treeOfGit(it, it.project)).toBe(wanted);
      const undo = await it.workspace.undo("PLAN", it.project);
      if (wanted !== old) await applyTo(it, undo as ComparedTrees, "UNDO");
      expect(treeOfGit(it, it.project)).toBe(old);
      expect(kept(it)).toEqual(state);
    }),
    { numRuns },
  );
}

/** Applying a part and then the rest equals applying all. */
export async function partAndRest(numRuns: number): Promise<void> {
  const globs = fc.subarray(["a.txt", "b", "*", "**/c.txt", "run", "new/**"], { minLength: 1, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(edits, globs, fc.boolean(), async (some, chosen, asOnly) => {
      await using it = fixture({ git: true, files: TREE });
      const sandbox = await it.create();
      edit(sandbox.root, some);
      const wanted = treeOfGit(it, sandbox.root);
      const { digest } = await sandbox.compare();
      try {
        const selection = asOnly ? { only: chosen } : { exclude: chosen };
        const part = await it.workspace.select(sandbox, { planId: "PLAN", digest, ...selection });
        await applyTo(it, part, "PLAN");
        if (part.leftOut !== undefined) await applyTo(it, part.leftOut, "REST");
      } catch (error) {
        expect(["SelectionError", "ChangesetRefusedError"]).toContain((error as Error).name);
        return;
      }
      expect(treeOfGit(it, it.project)).toBe(wanted);
    }),
    { numRuns },
  );
}

/** A merge of edits that do not overlap equals both of them. */
export async function mergeOfBoth(numRuns: number): Promise<void> {
  const line = fc.constantFrom("", "changed\n", "one\ntwo\n");
  const changes = fc.dictionary(fc.constantFrom("0", "1", "2", "3"), line, { minKeys: 1 });
  const lines = TREE["a.txt"].split(/(?<=\n)/);
  const made = (by: Readonly<Record<string, string>>) => lines.map((text, n) => by[n] ?? text).join("");
  const shifted = (by: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(by).map(([n, text]) => [Number(n) + 8, text]));
  await fc.assert(
    fc.asyncProperty(changes, changes, async (plans, users) => {
      await using it = fixture({ git: true, files: TREE });
      const sandbox = await it.create();
      write(sandbox.root, { "a.txt": made(plans), "plan.txt": "p\n" });
      write(it.project, { "a.txt": made(shifted(users)), keep: "mine\n" });
      const { digest } = await sandbox.compare();
      const merged = await it.workspace.select(sandbox, { planId: "PLAN", digest, rebase: true });
      await applyTo(it, merged, "PLAN");
      const read = (path: string) => readFileSync(join(it.project, path), "utf8");
      expect(read("a.txt")).toBe(made({ ...plans, ...shifted(users) }));
      expect([read("plan.txt"), read("keep")]).toEqual(["p\n", "mine\n"]);
    }),
    { numRuns },
  );
}
