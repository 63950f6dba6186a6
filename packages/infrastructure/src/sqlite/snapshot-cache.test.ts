import { expect, test } from "vitest";
import type { Change, NumberedEvent } from "../schema/decide.ts";
import type { StoredTask, StoredTaskWithDocument } from "../schema/stored-task.ts";
import { SnapshotCache } from "./snapshot-cache.ts";

const text = (taskId: string, length = 10) => ({
  task: { taskId, revision: 1, document: null, statusMessage: null } as StoredTaskWithDocument, // the rest does not matter here
  messages: ["-".repeat(length)],
  artifacts: [],
});

/** A change of task `t` from one revision to the next; from 0 it makes the task. */
function change(revision: number, events: readonly Partial<NumberedEvent>[], document?: string): Change {
  const at = (n: number) => ({ taskId: "t", revision: n, statusMessage: null }) as StoredTask; // as above
  const numbered = events.map((event) => ({ messages: 0, artifactId: null, replaces: false, ...event }));
  const before = revision === 0 ? undefined : at(revision);
  return { before, after: at(revision + 1), events: numbered, document } as unknown as Change; // as above
}

test("keeps what was asked for last, and never keeps what is long", () => {
  const cache = new SnapshotCache();
  cache.keep(text("first"));
  for (let n = 0; n < 511; n++) cache.keep(text(`${n}`));
  expect(cache.get("first")).toMatchObject(text("first"));
  cache.keep(text("one more"));
  expect(cache.get("0")).toBeUndefined();
  expect(cache.get("first")).toBeDefined();
  cache.keep(text("long", 20_000));
  expect(cache.get("long")).toBeUndefined();
});

test("a task that is made is known from then on, with what each commit adds to it", () => {
  const cache = new SnapshotCache();
  cache.follow(change(0, [{ body: "hello", messages: 1 }, { body: "working" }], "{}"));
  cache.follow(change(1, [{ body: "a1", artifactId: "a" }]));
  cache.follow(
    change(
      2,
      [
        { body: "b1", artifactId: "b" },
        { body: "a2", artifactId: "a" },
      ],
      '{"n":2}',
    ),
  );
  cache.follow(change(3, [{ body: "a3", artifactId: "a", replaces: true }]));
  expect(cache.get("t")).toMatchObject({
    task: { revision: 4, document: '{"n":2}' },
    messages: ["hello"],
    artifacts: [
      { artifactId: "a", chunks: ["a3"] },
      { artifactId: "b", chunks: ["b1"] },
    ],
  });
});

test("a task that is not kept, that misses a commit or grows long is read again", () => {
  const cache = new SnapshotCache();
  cache.follow(change(7, [{ body: "x", messages: 1 }]));
  expect(cache.get("t")).toBeUndefined();
  cache.keep(text("t"));
  cache.follow(change(2, []));
  expect(cache.get("t")).toBeUndefined();
  cache.keep(text("t"));
  cache.follow(change(1, [{ body: "-".repeat(20_000), messages: 1 }]));
  expect(cache.get("t")).toBeUndefined();
});
