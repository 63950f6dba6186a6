import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProgramInput } from "../context.ts";
import { FakeCli } from "../testing/fake-cli.ts";
import { DIFF, PLAN_ID } from "../testing/samples.ts";

const BEFORE = "one\ntwo\nthree\n4\n5\n6\n7\n";
const PATCH = `diff --git a/src/a.txt b/src/a.txt
--- a/src/a.txt
+++ b/src/a.txt
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
diff --git a/made.txt b/made.txt
new file mode 100644
--- /dev/null
+++ b/made.txt
@@ -0,0 +1 @@
+made
diff --git a/../../out.txt b/../../out.txt
new file mode 100644
--- /dev/null
+++ b/../../out.txt
@@ -0,0 +1 @@
+out
diff --git a/logo.bin b/logo.bin
new file mode 100644
GIT binary patch
literal 0
`;

let project = "";
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "agents-project-"));
  mkdirSync(join(project, "src"));
  writeFileSync(join(project, "src/a.txt"), BEFORE);
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

interface Opened {
  readonly folders: readonly string[];
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
}

function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]),
  );
}

async function open(tool = "meld", ...flags: string[]) {
  const opened: Opened[] = [];
  const cli = new FakeCli({
    calls: {
      "_cleveragents/plan/diff": {
        ...DIFF,
        patch: PATCH,
        files: [
          {
            ...DIFF.files[0],
            path: "src/a.txt",
            old_sha256: createHash("sha256").update(BEFORE).digest("hex"),
          },
        ],
      },
      "_cleveragents/registry/project/show": { name: "local/app", path: project },
    },
    programs: {
      meld: ({ args = [] }: ProgramInput) => {
        const [before = "", after = ""] = args;
        opened.push({ folders: args, before: filesIn(before), after: filesIn(after) });
        return 1;
      },
    },
  });
  const code = await cli.run("plan", "diff", PLAN_ID, "--tool", tool, ...flags);
  return { code, opened: opened[0], stderr: cli.stderr, stdout: cli.stdout };
}

test("a tool is given the changed files before and after, whole where the project has what the plan began with", async () => {
  const { code, opened, stdout, stderr } = await open();
  expect(opened?.before).toEqual({ "src/a.txt": BEFORE });
  expect(opened?.after).toEqual({ "src/a.txt": BEFORE.replace("two", "TWO"), "made.txt": "made\n" });
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toContain("Not text, and not shown: logo.bin\n");
  expect(opened?.folders.some((folder) => existsSync(folder))).toBe(false);
});

test("of a file that has changed meanwhile there is what the patch has, and that is said", async () => {
  writeFileSync(join(project, "src/a.txt"), "other\n");
  const { opened, stderr } = await open();
  expect(opened?.before).toEqual({ "src/a.txt": "one\ntwo\nthree\n" });
  expect(stderr).toContain("Only what changes, not the whole file: src/a.txt\n");
});

test("a tool that is not there is an error that says what a tool is, and a form of output goes without one", async () => {
  const { code, stderr } = await open("nope");
  expect(code).toBe(1);
  expect(stderr).toContain('error: the tool "nope" cannot be started\nhint: a tool is given two folders');
  expect((await open("meld", "-o", "json")).code).toBe(2);
  expect((await open("meld", "--stat")).code).toBe(2);
});
