import { expect, test } from "vitest";
import { refusalBehind } from "./make-folder.ts";

const failure = (code: string) => Object.assign(new Error(code), { code });
const missing = failure("ENOENT");

test("a data directory that cannot be made on a read-only file system is refused for that", async () => {
  const asked: string[] = [];
  const readOnly = failure("EROFS");
  const writable = async (folder: string) => {
    asked.push(folder);
    throw folder === "/srv" ? readOnly : missing;
  };
  expect(await refusalBehind(missing, "/srv/agents/data", writable)).toBe(readOnly);
  expect(asked).toEqual(["/srv/agents", "/srv"]);
});

test("what the system says itself, and what cannot be told apart, stays as it is", async () => {
  const full = failure("ENOSPC");
  expect(await refusalBehind(full, "/srv/data", () => Promise.reject(failure("EROFS")))).toBe(full);
  expect(await refusalBehind(missing, "/srv/data", async () => undefined)).toBe(missing);
});
