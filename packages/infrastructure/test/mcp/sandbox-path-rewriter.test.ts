import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { PathTraversalError, SandboxPathRewriter } from "../../src/mcp/sandbox-path-rewriter.ts";

const sandboxRoot = realpathSync(mkdtempSync(path.join(tmpdir(), "rewriter-")));
afterAll(() => rmSync(sandboxRoot, { recursive: true, force: true }));
const rewriter = new SandboxPathRewriter({ sandboxRoot, hostRoot: "/home/user/project" });

test("whole paths in arguments are the sandbox's, wherever they stand", () => {
  expect(
    rewriter.rewriteArgs({
      path: "/home/user/project/a.ts",
      root: "/home/user/project",
      list: ["/home/user/project/b", { uri: "file:///home/user/project/c%20d" }],
      already: `${sandboxRoot}/x`,
      count: 3,
    }),
  ).toEqual({
    path: `${sandboxRoot}/a.ts`,
    root: sandboxRoot,
    list: [`${sandboxRoot}/b`, { uri: `file://${sandboxRoot}/c%20d` }],
    already: `${sandboxRoot}/x`,
    count: 3,
  });
});

test.each([
  "see /home/user/project/a.ts for more",
  "/home/user/projects/other",
  "/api/v1/things",
  "a/b.ts",
  "a/../b.ts",
  "import x from '../x';",
  "line\n/home/user/project/a.ts",
])("%j is no path of the project as a whole, and stays", (text) => {
  expect(rewriter.rewriteArgs({ text })).toEqual({ text });
});

test.each([
  "/home/user/project/../../../etc/passwd",
  "/home/user/project/a/../../x",
  "../../etc/passwd",
  "a/../../x",
  "file:///home/user/project/../x",
])("%s leads out of the project and is refused", (text) => {
  const uri = text.startsWith("file:");
  // A URL is made plain when it is read: what is left of it lies elsewhere and is nobody's to turn.
  if (uri) expect(rewriter.rewriteArgs({ text })).toEqual({ text });
  else expect(() => rewriter.rewriteArgs({ text })).toThrow(PathTraversalError);
});

test("a link in the sandbox leads nobody out of it", () => {
  symlinkSync("/etc", path.join(sandboxRoot, "link"));
  expect(() => rewriter.rewriteArgs({ path: "/home/user/project/link/passwd" })).toThrow(PathTraversalError);
  expect(() => rewriter.rewriteArgs({ path: "/home/user/project/link" })).toThrow(PathTraversalError);
});

test("in results the project's own paths are spoken of again, line by line", () => {
  expect(
    rewriter.rewriteResult({
      content: [{ type: "text", text: `${sandboxRoot}/a.ts\n${sandboxRoot}/b\nnot ${sandboxRoot}/c` }],
      uri: `file://${sandboxRoot}/d`,
    }),
  ).toEqual({
    content: [{ type: "text", text: `/home/user/project/a.ts\n/home/user/project/b\nnot ${sandboxRoot}/c` }],
    uri: "file:///home/user/project/d",
  });
});
