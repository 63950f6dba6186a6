import type { FileChange } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { hunksOf } from "./patch-hunks.ts";

const file = (path: string, more: Partial<FileChange> = {}): FileChange => ({
  path,
  op: "modify",
  before: null,
  after: null,
  binary: false,
  insertions: 1,
  deletions: 1,
  ...more,
});

const patch = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,3 @@ function one() {
 kept
--- looks like a header
+++ so does this
+diff --git a/x b/x
@@ -9 +10 @@
-old
\\ No newline at end of file
+new\r
\\ No newline at end of file
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/pic b/pic
GIT binary patch
literal 1
Ic$
`;

test("hunks are read by their counts, whatever their lines look like", () => {
  const [a, gone, pic] = hunksOf([file("a.txt"), file("gone"), file("pic", { binary: true })], patch);
  expect(a).toEqual({
    hunks: [
      {
        old_start: 1,
        old_lines: 2,
        new_start: 1,
        new_lines: 3,
        heading: "function one() {",
        lines: [" kept", "--- looks like a header", "+++ so does this", "+diff --git a/x b/x"],
      },
      {
        old_start: 9,
        old_lines: 1,
        new_start: 10,
        new_lines: 1,
        lines: ["-old", "\\ No newline at end of file", "+new\r", "\\ No newline at end of file"],
      },
    ],
    truncated: false,
  });
  expect(gone?.hunks).toMatchObject([{ old_start: 1, new_lines: 0, lines: ["-x"] }]);
  expect(pic).toEqual({ hunks: [], truncated: false });
});

test("a hunk over the limit of its file or of all is left out whole, and that is said", () => {
  const files = [file("a.txt"), file("gone")];
  const lines = (limits: { file: number; total: number }) =>
    hunksOf(files, patch, limits).map(({ hunks, truncated }) => [hunks.length, truncated]);
  expect(lines({ file: 70, total: 1000 })).toEqual([
    [1, true],
    [1, false],
  ]);
  expect(lines({ file: 70, total: 69 })).toEqual([
    [1, true],
    [0, true],
  ]);
});

test("names with spaces, quotes, other letters and bytes that are no text are found", () => {
  const named = (told: string) => `--- ${told.replace("b/", "a/")}\n+++ ${told}\n@@ -1 +1 @@\n-x\n+y\n`;
  const text = named("b/sp ace\t") + named('"b/\\303\\274\\"q\\ttab"') + named('"b/caf\\351"');
  const files = [file("sp ace"), file('ü"q\ttab'), file('"caf\\351"', { quoted: true })];
  expect(hunksOf(files, text).map(({ hunks }) => hunks.length)).toEqual([1, 1, 1]);
});
