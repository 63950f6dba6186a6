import { ToolError } from "@cleveragents/application";
import { describe, expect, it } from "vitest";
import { onFile } from "./file-failure.ts";

function failing(code: string): Promise<unknown> {
  const error = Object.assign(new Error(`${code}: something, open '/host/secret/a'`), {
    code,
    syscall: "open",
    path: "/host/secret/a",
  });
  return onFile("src/a", () => Promise.reject(error)).catch((failure: unknown) => failure);
}

describe("onFile", () => {
  it.each([
    ["ENOENT", "FILE_NOT_FOUND"],
    ["EISDIR", "IS_DIRECTORY"],
    ["ENOTDIR", "NOT_A_DIRECTORY"],
    ["EACCES", "PERMISSION"],
    ["EPERM", "PERMISSION"],
    ["EROFS", "PERMISSION"],
    ["ENOSPC", "NO_SPACE"],
    ["EDQUOT", "NO_SPACE"],
    ["EEXIST", "FILE_EXISTS"],
    ["ENAMETOOLONG", "NAME_TOO_LONG"],
    ["ELOOP", "PATH_ESCAPE"],
    ["EIO", "IO_FAILURE"],
  ])("%s is %s, told without a host path", async (code, reason) => {
    const failure = await failing(code);
    expect(failure).toBeInstanceOf(ToolError);
    expect(failure).toMatchObject({
      reason,
      message: expect.stringMatching(/^src\/a /),
      details: { path: "src/a", code },
    });
    expect((failure as ToolError).message).not.toContain("/host");
  });

  it("lets refusals and bugs through as they are", async () => {
    const refusal = new ToolError("ANY", "any");
    await expect(onFile("a", () => Promise.reject(refusal))).rejects.toBe(refusal);
    const bug = new TypeError("bug");
    await expect(onFile("a", () => Promise.reject(bug))).rejects.toBe(bug);
  });
});
