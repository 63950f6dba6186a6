import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryDirectory } from "./sqlite-fixtures.ts";

const worker = fileURLToPath(new URL("bad-days-handles-worker.ts", import.meta.url));

it("without file handles git, commands and SQLite fail with a reason, and work again when there are some", {
  timeout: 120_000,
}, async () => {
  using t = temporaryDirectory();
  const project = join(t.directory, "project");
  mkdirSync(project);
  writeFileSync(join(project, "a.txt"), "a\n");
  const child = spawn(
    "/bin/sh",
    [
      "-c",
      'ulimit -n 120 && exec "$@"',
      "sh",
      process.execPath,
      "--conditions=@cleveragents/source",
      worker,
      t.directory,
      project,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let out = "";
  let errors = "";
  child.stdout.on("data", (bytes: Buffer) => {
    out += bytes.toString();
  });
  child.stderr.on("data", (bytes: Buffer) => {
    errors += bytes.toString();
  });
  const [code] = await once(child, "close");
  expect(code, errors).toBe(0);
  expect(JSON.parse(out)).toEqual({
    without: {
      inspect: "TOO_MANY_OPEN_FILES",
      command: "the command /bin/sh was not started: too many files are open",
      open: "TOO_MANY_OPEN_FILES",
      // What is open already goes on.
      commit: "done",
    },
    again: { inspect: "done", command: "done", open: "done", commit: "done" },
  });
});
