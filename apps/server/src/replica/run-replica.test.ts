import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runReplica } from "./run-replica.ts";

test("a data directory that cannot be used is told in words to a server with a database, too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "replica-"));
  const file = join(folder, "a-file");
  await writeFile(file, "");
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const database = {
    url: "postgresql://nobody@127.0.0.1:1/none",
    poolSize: 6,
    timeoutMs: 1,
    namespace: undefined,
  };
  const options = { dataDir: join(file, "data"), env: {}, logger, pid: 1, uid: 0, database };
  await expect(runReplica(options)).rejects.toMatchObject({
    message: `the data directory ${join(file, "data")} cannot be used: it is not a directory`,
    hint: expect.stringContaining("--data-dir"),
  });
  await rm(folder, { recursive: true });
});
