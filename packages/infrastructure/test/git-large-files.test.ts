import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SandboxProgress } from "@cleveragents/application";
import { expect, test } from "vitest";
import { fixture } from "./git-fixtures.ts";

const LARGE = 70 * 1024 * 1024;

test("a large file is stored as it is, and whoever waits for a checkpoint or a comparison is told how large it is", async () => {
  await using it = fixture({ git: true, files: { "a.txt": "one\n" } });
  const sandbox = await it.create();
  const file = join(sandbox.root, "large.bin");
  writeFileSync(file, "");
  truncateSync(file, LARGE);
  const told: SandboxProgress[] = [];
  const tell = (progress: SandboxProgress) => void told.push(progress);

  await sandbox.checkpoint("large", tell);
  expect(told.at(-1)).toEqual({ stage: "comparing", files: 1, bytes: LARGE });
  expect(Math.max(...packsIn(join(it.dataDir, "stores")))).toBeGreaterThan(LARGE);

  const { changeset } = await sandbox.compare(undefined, undefined, tell);
  expect(changeset.files).toMatchObject([{ path: "large.bin", op: "create", after: { size: LARGE } }]);
  expect(told.at(-1)).toEqual({ stage: "comparing", files: 1, bytes: LARGE });

  rmSync(file);
  expect((await sandbox.compare()).changeset.files).toEqual([]);
});

function packsIn(stores: string): number[] {
  return readdirSync(stores, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".pack"))
    .map((name) => statSync(join(stores, name)).size);
}
