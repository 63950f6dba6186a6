import { expect, test } from "vitest";
import { filesOfPatch, patched, sidesOf } from "./patch-sides.ts";

const PATCH = `diff --git a/src/a.txt b/src/a.txt
index 1..2 100644
--- a/src/a.txt
+++ b/src/a.txt
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
@@ -8,2 +8,3 @@ seven
 eight
+and a half
 nine
diff --git a/old name b/new name
similarity index 90%
rename from old name
rename to new name
--- a/old name\t
+++ b/new name\t
@@ -1 +1 @@
-x
\\ No newline at end of file
+y
diff --git a/gone b/gone
deleted file mode 100644
index 1..0
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
--- a rule
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/made b/made
new file mode 100644
--- /dev/null
+++ b/made
@@ -0,0 +1,2 @@
+diff --git a/x b/x
+end
diff --git a/logo b/logo
new file mode 100644
GIT binary patch
literal 3
KcmZQ
`;

test("the files of a patch are told with both names, whatever happens to them", () => {
  expect(
    filesOfPatch(PATCH).map(({ oldPath, newPath, binary, hunks }) => [
      oldPath,
      newPath,
      binary,
      hunks.length,
    ]),
  ).toEqual([
    ["src/a.txt", "src/a.txt", false, 2],
    ["old name", "new name", false, 1],
    ["gone", undefined, false, 1],
    ["run.sh", "run.sh", false, 0],
    [undefined, "made", false, 1],
    [undefined, "logo", true, 0],
  ]);
});

test("a whole file becomes what its hunks say, ends of line included", () => {
  const [a, renamed, gone, , made] = filesOfPatch(PATCH);
  const before = "one\ntwo\nthree\n4\n5\n6\nseven\neight\nnine\nten";
  expect(a && patched(before, a)).toBe("one\nTWO\nthree\n4\n5\n6\nseven\neight\nand a half\nnine\nten");
  expect(renamed && patched("x", renamed)).toBe("y\n");
  expect(gone && patched("-- a rule\n", gone)).toBe("");
  expect(made && patched("", made)).toBe("diff --git a/x b/x\nend\n");
});

test("without the file there are the two sides of the hunks", () => {
  const [a, renamed] = filesOfPatch(PATCH);
  expect(a && sidesOf(a)).toEqual({
    before: "one\ntwo\nthree\neight\nnine\n",
    after: "one\nTWO\nthree\neight\nand a half\nnine\n",
  });
  expect(renamed && sidesOf(renamed)).toEqual({ before: "x", after: "y\n" });
});

test("what is only added stands behind the line that its hunk names", () => {
  expect(patched("a\nb\n", { hunks: [{ oldStart: 1, lines: ["+x"] }] })).toBe("a\nx\nb\n");
});
