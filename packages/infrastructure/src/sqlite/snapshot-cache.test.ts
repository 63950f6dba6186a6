import { expect, test } from "vitest";
import type { StoredTaskWithDocument } from "../schema/stored-task.ts";
import { SnapshotCache } from "./snapshot-cache.ts";

const text = (taskId: string, length = 10) => ({
  task: { taskId, document: null, statusMessage: null } as StoredTaskWithDocument, // the rest does not matter here
  messages: ["-".repeat(length)],
  artifacts: [],
});

test("keeps what was asked for last, forgets what it is told to, and never keeps what is long", () => {
  const cache = new SnapshotCache();
  cache.keep(text("first"));
  for (let n = 0; n < 511; n++) cache.keep(text(`${n}`));
  expect(cache.get("first")).toEqual(text("first"));
  cache.keep(text("one more"));
  expect(cache.get("0")).toBeUndefined();
  expect(cache.get("first")).toBeDefined();
  cache.forget("first");
  expect(cache.get("first")).toBeUndefined();
  cache.keep(text("long", 20_000));
  expect(cache.get("long")).toBeUndefined();
});
