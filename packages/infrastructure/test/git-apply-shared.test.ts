import { rmSync } from "node:fs";
import { join } from "node:path";
import type { RecoveredApply, Sandbox } from "@cleveragents/application";
import { expect, test } from "vitest";
import { type Fixture, fixture, treeOf, write } from "./git-fixtures.ts";

const FILES = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" };

async function changed(it: Fixture): Promise<Sandbox> {
  const sandbox = await it.create();
  write(sandbox.root, { "a.txt": "new a\n", "b.txt": "new b\n" });
  rmSync(join(sandbox.root, "c.txt"));
  return sandbox;
}

test("what recovers while another one applies leaves that apply alone, wherever it is", async () => {
  await using it = fixture({ git: false, files: FILES });
  const sandbox = await changed(it);
  const fresh = treeOf(sandbox.root);
  // Each recovery begins at one moment of the apply, and waits for its lock or sees nothing.
  const recoveries: Promise<readonly RecoveredApply[]>[] = [];
  const slow = it.again({ failPoint: () => void recoveries.push(it.again().recover()) });
  await expect(it.apply(sandbox, slow)).resolves.toEqual({ written: 2, deleted: 1 });
  expect(recoveries.length).toBeGreaterThan(5);
  for (const recovery of recoveries) expect(await recovery).toEqual([]);
  expect(treeOf(it.project)).toEqual(fresh);
});

test("whoever takes an apply over settles what its predecessor had begun, without a restart", async () => {
  for (const at of ["staged", "decided", "replaced"]) {
    await using it = fixture({ git: false, files: FILES });
    const sandbox = await changed(it);
    const failPoint = (name: string) => {
      if (name === `workspace.apply.${at}`) throw new Error("killed");
    };
    await expect(it.apply(sandbox, it.again({ failPoint }))).rejects.toThrow("killed");
    await it.apply(sandbox, it.again());
    expect(treeOf(it.project), `killed when ${at}`).toEqual(treeOf(sandbox.root));
    expect(await it.again().recover()).toEqual([]);
  }
});
