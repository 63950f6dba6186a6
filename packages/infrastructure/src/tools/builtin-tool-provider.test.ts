import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Sandbox, type ToolContext, ToolError } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProcessCommandRunner } from "../process/index.ts";
import { BuiltinToolProvider } from "./builtin-tool-provider.ts";

let base: string;
let root: string;
let outside: string;
let tools: BuiltinToolProvider;

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "tools-")));
  root = path.join(base, "root");
  outside = path.join(base, "outside");
  for (const directory of [root, outside, path.join(root, ".git")]) mkdirSync(directory);
  writeFileSync(path.join(outside, "victim"), "untouched");
  tools = new BuiltinToolProvider({ commands: new ProcessCommandRunner({ env: {} }) });
});
afterEach(() => {
  expect(readFileSync(path.join(outside, "victim"), "utf8")).toBe("untouched");
  expect(readdirSync(outside)).toEqual(["victim"]);
  rmSync(base, { recursive: true, force: true });
});

const at = (relative: string): string => path.join(root, relative);
const put = (relative: string, content: string | Buffer): void => {
  mkdirSync(path.dirname(at(relative)), { recursive: true });
  writeFileSync(at(relative), content);
};
const text = (relative: string): string => readFileSync(at(relative), "utf8");
const mode = (relative: string): string => (lstatSync(at(relative)).mode & 0o777).toString(8);

function context(more: Partial<ToolContext> = {}): ToolContext {
  const sandbox = { root, projectRoot: path.join(base, "project") } as Sandbox; // tools take nothing else of it
  return { planId: "plan", sandbox, signal: new AbortController().signal, network: false, ...more };
}
/** As the registry does it: the arguments pass the schema first. */
async function call(name: string, args: JsonObject, more?: Partial<ToolContext>) {
  const descriptor = tools.list().find((tool) => tool.name === `builtin/${name}`)!;
  return await tools.call(descriptor.name, descriptor.input.parse(args), context(more));
}
async function refusal(name: string, args: JsonObject, more?: Partial<ToolContext>): Promise<ToolError> {
  const error: unknown = await call(name, args, more).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ToolError);
  expect((error as ToolError).message).not.toContain(base);
  expect(JSON.stringify((error as ToolError).details)).not.toContain(base);
  return error as ToolError;
}
const reason = async (name: string, args: JsonObject): Promise<string> => (await refusal(name, args)).reason;

describe("builtin tools", () => {
  it("are listed with what they do to the world", () => {
    expect(
      tools.list().map(({ name, readOnly, effect }) => `${name} ${readOnly ? "reads" : "writes"} ${effect}`),
    ).toEqual([
      "builtin/read_file reads none",
      "builtin/write_file writes sandbox",
      "builtin/edit_file writes sandbox",
      "builtin/delete_file writes sandbox",
      "builtin/rename_file writes sandbox",
      "builtin/chmod_file writes sandbox",
      "builtin/symlink writes sandbox",
      "builtin/list_files reads none",
      "builtin/search_files reads none",
      "builtin/shell writes sandbox",
      "builtin/git_status reads none",
      "builtin/git_diff reads none",
      "builtin/git_log reads none",
      "builtin/git_show reads none",
      "builtin/git_blame reads none",
      "builtin/fetch reads none",
      "builtin/ask reads none",
    ]);
  });

  it("an unknown tool is UNKNOWN_TOOL", async () => {
    await expect(tools.call("builtin/nothing", {}, context())).rejects.toMatchObject({
      reason: "UNKNOWN_TOOL",
    });
  });

  it("arguments that do not fit are INVALID_ARGUMENTS, not a crash", async () => {
    await expect(tools.call("builtin/read_file", { file: "x" }, context())).rejects.toMatchObject({
      reason: "INVALID_ARGUMENTS",
      message: expect.stringContaining("path"),
    });
  });

  it("a call after the cancellation does nothing", async () => {
    expect(
      (await refusal("write_file", { path: "x", content: "" }, { signal: AbortSignal.abort() })).reason,
    ).toBe("CANCELLED");
    expect(existsSync(at("x"))).toBe(false);
  });

  it.each([
    ["read_file", {}],
    ["write_file", { content: "x" }],
    ["edit_file", { find: "u", replace: "x" }],
    ["delete_file", {}],
    ["chmod_file", { mode: "755" }],
    ["symlink", { target: "a" }],
    ["list_files", {}],
  ])("%s does not leave the sandbox, and keeps off .git", async (name, args) => {
    symlinkSync(outside, at("out"));
    expect(await reason(name, { ...args, path: "../outside/victim" })).toBe("PATH_ESCAPE");
    expect(await reason(name, { ...args, path: "out/victim" })).toBe("PATH_ESCAPE");
    expect(await reason(name, { ...args, path: path.join(outside, "victim") })).toBe("PATH_ESCAPE");
    expect(await reason(name, { ...args, path: ".git/config" })).toBe("PATH_PROTECTED");
  });
});

describe("read_file", () => {
  it("gives text as it is, byte order mark and line ends included", async () => {
    put("a.txt", "\uFEFFü\r\nb");
    expect(await call("read_file", { path: "a.txt" })).toMatchObject({
      value: { content: "\uFEFFü\r\nb", encoding: "utf8", size: 8 },
      summary: "read a.txt (8 bytes)",
    });
  });

  it("gives binary files as base64", async () => {
    put("bad", Buffer.from([0xff, 0xfe]));
    put("nul", "a\0b");
    expect((await call("read_file", { path: "bad" })).value).toEqual({
      content: "//4=",
      encoding: "base64",
      size: 2,
    });
    expect((await call("read_file", { path: "nul" })).value).toMatchObject({ encoding: "base64" });
  });

  it("takes the project's own path for the file in the sandbox", async () => {
    put("src/a", "sandbox");
    expect((await call("read_file", { path: path.join(base, "project/src/a") })).value).toMatchObject({
      content: "sandbox",
    });
  });

  it("reads 1 MiB and refuses one byte more", async () => {
    put("most", "x".repeat(1024 * 1024));
    put("more", "x".repeat(1024 * 1024 + 1));
    expect((await call("read_file", { path: "most" })).value).toMatchObject({ size: 1024 * 1024 });
    expect(await refusal("read_file", { path: "more" })).toMatchObject({
      reason: "FILE_TOO_LARGE",
      details: { size: 1024 * 1024 + 1, limit: 1024 * 1024 },
    });
  });

  it("says what is wrong with a path", async () => {
    put("dir/file", "");
    expect(await refusal("read_file", { path: "none" })).toMatchObject({
      reason: "FILE_NOT_FOUND",
      message: "none does not exist",
      details: { path: "none" },
    });
    expect(await reason("read_file", { path: "dir" })).toBe("IS_DIRECTORY");
    expect(await reason("read_file", { path: "dir/file/x" })).toBe("NOT_A_DIRECTORY");
    expect(await reason("read_file", { path: "x".repeat(300) })).toBe("NAME_TOO_LONG");
  });

  it("does not wait for a named pipe", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    expect(await reason("read_file", { path: "pipe" })).toBe("NOT_A_FILE");
  });

  it("a name with a line break stays in its line of the message", async () => {
    expect((await refusal("read_file", { path: "a\nb" })).message).toBe('"a\\nb" does not exist');
  });
});

describe("write_file", () => {
  it("makes the file and the directories above it", async () => {
    expect((await call("write_file", { path: "a/b/c.txt", content: "ü" })).value).toEqual({
      path: "a/b/c.txt",
      size: 2,
      created: true,
    });
    expect(text("a/b/c.txt")).toBe("ü");
    expect(mode("a/b/c.txt")).toBe("644");
    expect(readdirSync(at("a/b"))).toEqual(["c.txt"]);
  });

  it("keeps the mode of an existing file, unless one is given", async () => {
    put("run", "old");
    chmodSync(at("run"), 0o755);
    expect((await call("write_file", { path: "run", content: "new" })).value).toMatchObject({
      created: false,
    });
    expect([text("run"), mode("run")]).toEqual(["new", "755"]);
    await call("write_file", { path: "run", content: "new", mode: "644" });
    expect(mode("run")).toBe("644");
  });

  it("makes executables whatever the umask is", async () => {
    await call("write_file", { path: "run", content: "", mode: "755" });
    expect(mode("run")).toBe("755");
  });

  it("decodes base64, and refuses what is none", async () => {
    await call("write_file", { path: "b", content: "AP8Q\n", encoding: "base64" });
    expect([...readFileSync(at("b"))]).toEqual([0, 255, 16]);
    for (const content of ["AP8", "????", "AA=A", "A"])
      expect(await reason("write_file", { path: "c", content, encoding: "base64" })).toBe(
        "INVALID_ARGUMENTS",
      );
    expect(existsSync(at("c"))).toBe(false);
  });

  it("never writes through a link that leads out, to a file that is there or to one that is not", async () => {
    symlinkSync(path.join(outside, "victim"), at("x"));
    symlinkSync(path.join(outside, "new"), at("y"));
    expect(await reason("write_file", { path: "x", content: "hi" })).toBe("PATH_ESCAPE");
    expect(await reason("write_file", { path: "y", content: "hi" })).toBe("PATH_ESCAPE");
  });

  it("writes the target of a link that stays inside, and leaves the link", async () => {
    put("target", "old");
    symlinkSync("target", at("link"));
    await call("write_file", { path: "link", content: "new" });
    expect(text("target")).toBe("new");
    expect(readlinkSync(at("link"))).toBe("target");
  });

  it("does not change a file outside that has a hard link inside", async () => {
    linkSync(path.join(outside, "victim"), at("hard"));
    await call("write_file", { path: "hard", content: "mine" });
    expect(text("hard")).toBe("mine");
  });

  it("refuses directories and what is no file, and leaves nothing behind", async () => {
    mkdirSync(at("dir"));
    execFileSync("mkfifo", [at("pipe")]);
    put("file", "");
    expect(await reason("write_file", { path: "dir", content: "" })).toBe("IS_DIRECTORY");
    expect(await reason("write_file", { path: ".", content: "" })).toBe("IS_DIRECTORY");
    expect(await reason("write_file", { path: "pipe", content: "" })).toBe("NOT_A_FILE");
    expect(await reason("write_file", { path: "file/x", content: "" })).toBe("NOT_A_DIRECTORY");
    expect(await reason("write_file", { path: "x".repeat(300), content: "" })).toBe("NAME_TOO_LONG");
    expect(readdirSync(root).sort()).toEqual([".git", "dir", "file", "pipe"]);
  });

  it("keeps strange names exactly", async () => {
    const names = [
      "ü ñ.txt",
      "end ",
      'a"b',
      "back\\slash",
      "tab\t",
      "line\nbreak",
      "-rf",
      "😀",
      "caf\u00e9",
      "cafe\u0301",
    ];
    for (const name of names) await call("write_file", { path: name, content: name });
    const listed = (await call("list_files", {})).value["entries"] as { path: string }[];
    expect(listed.map((entry) => entry.path)).toEqual([...names].sort());
    for (const name of names)
      expect((await call("read_file", { path: name })).value).toMatchObject({ content: name });
  });

  it.skipIf(process.getuid?.() === 0)(
    "what the host forbids is PERMISSION (root may do everything)",
    async () => {
      mkdirSync(at("locked"), { mode: 0o555 });
      expect(await reason("write_file", { path: "locked/x", content: "" })).toBe("PERMISSION");
    },
  );
});

describe("edit_file", () => {
  it("replaces exactly one place by default, literally", async () => {
    put("a", "costs PRICE");
    expect((await call("edit_file", { path: "a", find: "PRICE", replace: "$& $1 $$" })).value).toEqual({
      path: "a",
      replacements: 1,
    });
    expect(text("a")).toBe("costs $& $1 $$");
  });

  it("refuses what is not there, or more than once, and changes nothing", async () => {
    put("a", "x x");
    expect(await refusal("edit_file", { path: "a", find: "x", replace: "y" })).toMatchObject({
      reason: "EDIT_NOT_UNIQUE",
      details: { count: 2 },
    });
    expect(await reason("edit_file", { path: "a", find: "z", replace: "y" })).toBe("EDIT_NO_MATCH");
    expect(text("a")).toBe("x x");
  });

  it("keeps mode, CRLF and a missing last line break", async () => {
    put("a", "one\r\ntwo\r\nthree");
    chmodSync(at("a"), 0o755);
    await call("edit_file", { path: "a", find: "one\ntwo", replace: "1\n2", occurrences: "all" });
    expect([text("a"), mode("a")]).toEqual(["1\r\n2\r\nthree", "755"]);
  });

  it("refuses binary files and missing ones", async () => {
    put("b", Buffer.from([0xff, 0x61]));
    expect(await reason("edit_file", { path: "b", find: "a", replace: "b" })).toBe("BINARY_FILE");
    expect(await reason("edit_file", { path: "none", find: "a", replace: "b" })).toBe("FILE_NOT_FOUND");
  });
});

describe("delete_file", () => {
  it("removes a link, never its target", async () => {
    symlinkSync(path.join(outside, "victim"), at("file-link"));
    symlinkSync(outside, at("dir-link"));
    expect((await call("delete_file", { path: "file-link" })).value).toEqual({
      path: "file-link",
      type: "link",
    });
    await call("delete_file", { path: "dir-link" });
    expect(readdirSync(root)).toEqual([".git"]);
  });

  it("removes a directory with everything in it, following no link", async () => {
    put("dir/deep/file", "");
    symlinkSync(outside, at("dir/deep/out"));
    expect((await call("delete_file", { path: "dir" })).value).toMatchObject({ type: "directory" });
    expect(existsSync(at("dir"))).toBe(false);
  });

  it("refuses the sandbox itself and what is not there", async () => {
    expect(await reason("delete_file", { path: "." })).toBe("PATH_PROTECTED");
    expect(await reason("delete_file", { path: "none" })).toBe("FILE_NOT_FOUND");
    expect(await reason("delete_file", { path: "none/deeper" })).toBe("FILE_NOT_FOUND");
  });
});

describe("rename_file", () => {
  it("moves files and links, making the directories above the new name", async () => {
    put("a", "content");
    symlinkSync(path.join(outside, "victim"), at("link"));
    await call("rename_file", { from: "a", to: "x/y/b" });
    await call("rename_file", { from: "link", to: "x/link" });
    expect(text("x/y/b")).toBe("content");
    expect(readlinkSync(at("x/link"))).toBe(path.join(outside, "victim"));
  });

  it("does not overwrite", async () => {
    put("a", "a");
    put("b", "b");
    expect(await refusal("rename_file", { from: "a", to: "b" })).toMatchObject({
      reason: "FILE_EXISTS",
      details: { path: "b" },
    });
    expect([text("a"), text("b")]).toEqual(["a", "b"]);
  });

  it("refuses to leave, at either end", async () => {
    put("a", "");
    symlinkSync(outside, at("out"));
    expect(await reason("rename_file", { from: "a", to: "../outside/a" })).toBe("PATH_ESCAPE");
    expect(await reason("rename_file", { from: "a", to: "out/a" })).toBe("PATH_ESCAPE");
    expect(await reason("rename_file", { from: "out/victim", to: "b" })).toBe("PATH_ESCAPE");
    expect(await reason("rename_file", { from: "a", to: ".git/hooks/post-commit" })).toBe("PATH_PROTECTED");
    expect(await reason("rename_file", { from: ".git", to: "b" })).toBe("PATH_PROTECTED");
    expect(await reason("rename_file", { from: ".", to: "b" })).toBe("PATH_PROTECTED");
  });

  it("refuses to move a directory into itself, without making anything", async () => {
    put("dir/file", "");
    expect(await reason("rename_file", { from: "dir", to: "dir/a/b" })).toBe("INVALID_ARGUMENTS");
    expect(readdirSync(at("dir"))).toEqual(["file"]);
  });

  it("makes no directories for something that is not there", async () => {
    expect(await refusal("rename_file", { from: "none", to: "x/y" })).toMatchObject({
      reason: "FILE_NOT_FOUND",
      details: { path: "none" },
    });
    expect(existsSync(at("x"))).toBe(false);
  });
});

describe("chmod_file", () => {
  it("makes a file executable, and takes it back", async () => {
    put("a", "");
    await call("chmod_file", { path: "a", mode: "755" });
    expect(mode("a")).toBe("755");
    await call("chmod_file", { path: "a", mode: "644" });
    expect(mode("a")).toBe("644");
  });

  it("does not lock directories, and does not reach outside", async () => {
    mkdirSync(at("dir"));
    symlinkSync(path.join(outside, "victim"), at("x"));
    const before = statSync(path.join(outside, "victim")).mode;
    expect(await reason("chmod_file", { path: "dir", mode: "644" })).toBe("IS_DIRECTORY");
    expect(await reason("chmod_file", { path: "x", mode: "755" })).toBe("PATH_ESCAPE");
    expect(statSync(path.join(outside, "victim")).mode).toBe(before);
  });
});

describe("symlink", () => {
  it("makes a link, even one that leads out, which nothing can then be written through", async () => {
    await call("symlink", { path: "deep/link", target: path.join(outside, "victim") });
    expect(readlinkSync(at("deep/link"))).toBe(path.join(outside, "victim"));
    expect(await reason("write_file", { path: "deep/link", content: "hi" })).toBe("PATH_ESCAPE");
    expect(await reason("read_file", { path: "deep/link" })).toBe("PATH_ESCAPE");
  });

  it("does not replace what is there", async () => {
    put("a", "a");
    expect(await reason("symlink", { path: "a", target: "b" })).toBe("FILE_EXISTS");
    expect(await reason("symlink", { path: "b", target: "a\0" })).toBe("INVALID_ARGUMENTS");
  });
});

describe("list_files", () => {
  beforeEach(() => {
    put("b/deep/x", "");
    put("a", "");
    symlinkSync(outside, at("c"));
  });

  it("lists a directory in the same order everywhere, without .git", async () => {
    expect((await call("list_files", {})).value).toEqual({
      path: ".",
      entries: [
        { path: "a", type: "file" },
        { path: "b", type: "directory" },
        { path: "c", type: "link" },
      ],
      truncated: false,
    });
  });

  it("goes down when asked, nearest first, and through no link", async () => {
    const { value } = await call("list_files", { recursive: true });
    expect((value["entries"] as { path: string }[]).map((entry) => entry.path)).toEqual([
      "a",
      "b",
      "c",
      "b/deep",
      "b/deep/x",
    ]);
  });

  it("says when there is more", async () => {
    expect((await call("list_files", { path: "b", recursive: true, limit: 1 })).value).toEqual({
      path: "b",
      entries: [{ path: "b/deep", type: "directory" }],
      truncated: true,
    });
  });

  it("a file is NOT_A_DIRECTORY", async () => {
    expect(await reason("list_files", { path: "a" })).toBe("NOT_A_DIRECTORY");
    expect(await reason("list_files", { path: "none" })).toBe("FILE_NOT_FOUND");
  });
});
