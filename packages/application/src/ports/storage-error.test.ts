import { expect, test } from "vitest";
import { storageErrorIn } from "./storage-error.ts";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: /home/anna/.cleveragents/x`), { code });
}

test.each([
  ["ENOSPC", "NO_SPACE"],
  ["EDQUOT", "NO_SPACE"],
  ["EMFILE", "TOO_MANY_OPEN_FILES"],
  ["ENFILE", "TOO_MANY_OPEN_FILES"],
  ["EROFS", "READ_ONLY"],
  ["EAGAIN", "TOO_MANY_PROCESSES"],
  ["EACCES", "NO_PERMISSION"],
  ["EPERM", "NO_PERMISSION"],
  ["EIO", "DISK_FAILED"],
])("%s is %s, also as a cause, without the path", (code, reason) => {
  const found = storageErrorIn(new Error("outer", { cause: systemError(code) }));
  expect(found).toMatchObject({ reason });
  expect(`${found?.summary} ${found?.advice}`).not.toContain("/home");
});

test("other errors are none of storage", () => {
  expect(storageErrorIn(systemError("ENOENT"))).toBeUndefined();
  expect(storageErrorIn(systemError("toString"))).toBeUndefined();
  expect(storageErrorIn("ENOSPC")).toBeUndefined();
  const circular = new Error("a");
  circular.cause = circular;
  expect(storageErrorIn(circular)).toBeUndefined();
});
