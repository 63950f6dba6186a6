import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { confine } from "./confine.ts";
import { inDirectory, openConfined } from "./open-confined.ts";
import { writeAtomically } from "./write-atomically.ts";

let base: string;
let sandbox: { root: string; projectRoot: string };
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "open-")));
  sandbox = { root: path.join(base, "root"), projectRoot: "/nowhere" };
  for (const directory of ["root/dir", "outside", "root/.git"])
    mkdirSync(path.join(base, directory), { recursive: true });
  for (const file of ["root/dir/f", "outside/f", "root/.git/f"]) writeFileSync(path.join(base, file), file);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** What a command that runs beside a file tool may do between the check of a path and its use. */
function swap(relative: string, target: string): void {
  renameSync(path.join(sandbox.root, relative), path.join(sandbox.root, `${relative}-before`));
  symlinkSync(target, path.join(sandbox.root, relative));
}

describe("what changes between check and use", () => {
  it("a file that became a link is not opened", async () => {
    const place = await confine(sandbox, "dir/f", "read");
    swap("dir/f", path.join(base, "outside/f"));
    await expect(openConfined(place)).rejects.toMatchObject({ reason: "PATH_ESCAPE" });
  });

  it.runIf(process.platform === "linux")(
    "a directory that became a link out is noticed, where /proc tells what was opened",
    async () => {
      const place = await confine(sandbox, "dir/f", "write");
      swap("dir", path.join(base, "outside"));
      await expect(openConfined(place)).rejects.toMatchObject({ reason: "PATH_ESCAPE" });
      await expect(writeAtomically(place, Buffer.from("new"))).rejects.toMatchObject({ name: "ToolError" });
      expect(readFileSync(path.join(base, "outside/f"), "utf8")).toBe("outside/f");
    },
  );

  it.runIf(process.platform === "linux")("nor does a directory that became a link to .git", async () => {
    const place = await confine(sandbox, "dir/f", "read");
    swap("dir", ".git");
    await expect(openConfined(place)).rejects.toMatchObject({ reason: "PATH_PROTECTED" });
  });

  it.runIf(process.platform === "linux")(
    "an operation in an open directory reaches that directory, whatever its path means now",
    async () => {
      const place = await confine(sandbox, "dir/new", "write");
      await inDirectory(place, async ({ target }) => {
        swap("dir", path.join(base, "outside"));
        await writeFile(target, "content");
      });
      expect(readFileSync(path.join(sandbox.root, "dir-before/new"), "utf8")).toBe("content");
    },
  );
});
