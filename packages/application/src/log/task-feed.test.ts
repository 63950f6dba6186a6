import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { LoggedEvent } from "@cleveragents/domain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TaskFeeds } from "./task-feed.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A log that grows when told; `early` events are there without anybody having been woken. */
function logOf(): { feeds: TaskFeeds; grow(options?: { quietly: boolean }): void; watching(): number } {
  const log: LoggedEvent[] = [];
  const listeners = new Set<(taskId: string, lastSeq: number) => void>();
  const feeds = new TaskFeeds({
    events: async (_: string, after: number) => log.slice(after),
    watch(_: string | undefined, listener: (taskId: string, lastSeq: number) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as never);
  return {
    feeds,
    grow({ quietly } = { quietly: false }) {
      log.push({ seq: log.length + 1 } as LoggedEvent);
      if (!quietly) for (const listener of listeners) listener("t", log.length);
    },
    watching: () => listeners.size,
  };
}

test("a follower of a task in which nothing happens for long costs no more and no more memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { feeds, grow } = logOf();
  const stop = new AbortController();
  const next = feeds.follow("t", 0, stop.signal).next();
  const polls = async (n: number) => {
    for (let i = 0; i < n; i++) await vi.advanceTimersByTimeAsync(2000);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await polls(1000);
  expect((await polls(20_000)) - before).toBeLessThan(1_000_000);
  grow();
  expect((await next).value).toHaveLength(1);
  stop.abort();
});

test("a follower hears of what comes at once, and of what nobody announced by looking", async () => {
  const { feeds, grow } = logOf();
  const stop = new AbortController();
  const pages = feeds.follow("t", 0, stop.signal);
  const first = pages.next();
  await vi.advanceTimersByTimeAsync(1);
  grow();
  expect((await first).value).toMatchObject([{ seq: 1 }]);
  const second = pages.next();
  await vi.advanceTimersByTimeAsync(1);
  grow({ quietly: true });
  await vi.advanceTimersByTimeAsync(2000);
  expect((await second).value).toMatchObject([{ seq: 2 }]);
  stop.abort();
});

test("a follower who gives up while waiting leaves nothing behind", async () => {
  const { feeds, watching } = logOf();
  const stop = new AbortController();
  const next = feeds.follow("t", 0, stop.signal).next();
  await vi.advanceTimersByTimeAsync(1);
  expect(watching()).toBe(1);
  stop.abort();
  expect((await next).done).toBe(true);
  expect([watching(), vi.getTimerCount()]).toEqual([0, 0]);
});
