import { expect, test } from "vitest";
import { gitFailure } from "./workspace-failure.ts";

test.each([
  "error: unable to write file x: No space left on device",
  "fatal: sha1 file '/data/scratch-index.lock' write error. Out of diskspace",
  "fatal: write error: Disk quota exceeded",
  "error: unable to write file .git/objects/ab",
])("what git says of a full disk is told as that: %s", (said) => {
  expect(gitFailure(["update-index"], 128, said)).toMatchObject({ reason: "NO_SPACE" });
});

test("what it says of something else is not", () => {
  expect(gitFailure(["update-index"], 128, "fatal: unable to read tree")).toMatchObject({
    reason: "GIT_FAILED",
    message: "git update-index ended with 128: fatal: unable to read tree",
  });
});
