import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { checkProjections } from "../src/sqlite/index.ts";
import { logOf, open, plan, temporaryDirectory } from "./sqlite-fixtures.ts";

const worker = fileURLToPath(new URL("bad-days-contender.ts", import.meta.url));

// The owner's lock keeps a second process out; a tool of somebody's may open the file all the same.
it("two processes that write one task at once lose nothing and fail nothing", {
  timeout: 120_000,
}, async () => {
  using t = temporaryDirectory();
  const database = await open(t.path);
  await database.tasks.commit(plan("t"));
  await database.close();
  const run = (name: string) =>
    promisify(execFile)(process.execPath, ["--conditions=@cleveragents/source", worker, t.path, name, "300"]);
  await Promise.all([run("a"), run("b")]);
  const after = await open(t.path);
  const log = await logOf(after.tasks, "t");
  expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 600 }, (_, i) => i + 1));
  await after.close();
  expect(checkProjections(t.path)).toEqual([]);
});
