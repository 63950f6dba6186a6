import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FeedPage, FeedPosition } from "../ports/task-store.ts";
import { EventFeed } from "./event-feed.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A feed of so many events, of which so many are settled; it counts its reads. */
function feedOf() {
  const state = { there: 0, settled: 0, reads: 0 };
  const listeners = new Set<() => void>();
  const feed = new EventFeed({
    async feed(after: FeedPosition | "now"): Promise<FeedPage> {
      state.reads++;
      const at = after === "now" ? state.settled : after.at;
      const numbers = Array.from({ length: state.settled - at }, (_, i) => at + i + 1);
      const events = numbers.map((n) => ({
        position: { at: n, taskId: "t", seq: n },
        contextId: "c",
        logged: n,
      }));
      const ahead = state.settled < state.there ? "soon" : "nothing";
      return { events: events as never, next: { at: state.settled, taskId: "t", seq: state.settled }, ahead };
    },
    watch(_, listener) {
      const call = () => listener("t", state.there);
      listeners.add(call);
      return () => listeners.delete(call);
    },
  });
  return {
    feed,
    state,
    wake: () => {
      for (const call of listeners) call();
    },
    watching: () => listeners.size,
  };
}

const start = { at: 0, taskId: "", seq: 0 };
const anna = { principal: "anna" };

test("what is there but not settled is looked at again soon, without being told", async () => {
  const { feed, state, wake } = feedOf();
  const stop = new AbortController();
  const next = feed.follow(start, anna, stop.signal).next();
  await vi.advanceTimersByTimeAsync(1);
  state.there = 1;
  wake();
  await vi.advanceTimersByTimeAsync(1);
  state.settled = 1;
  await vi.advanceTimersByTimeAsync(100);
  expect((await next).value).toMatchObject([{ logged: 1 }]);
  stop.abort();
});

test("what nobody announced is found by looking now and then", async () => {
  const { feed, state } = feedOf();
  const stop = new AbortController();
  const next = feed.follow(start, anna, stop.signal).next();
  await vi.advanceTimersByTimeAsync(1);
  state.there = state.settled = 1;
  await vi.advanceTimersByTimeAsync(2000);
  expect((await next).value).toMatchObject([{ logged: 1 }]);
  stop.abort();
});

test("those who are at the same place and want the same share one read", async () => {
  const { feed, state, wake } = feedOf();
  const stop = new AbortController();
  const all = Array.from({ length: 50 }, () => feed.follow(start, anna, stop.signal).next());
  await vi.advanceTimersByTimeAsync(1);
  const before = state.reads;
  state.there = state.settled = 1;
  wake();
  await Promise.all(all);
  expect([before, state.reads]).toEqual([1, 2]);
  stop.abort();
});

test("who gives up while waiting leaves nothing behind, and the store is let go with the last one", async () => {
  const { feed, watching } = feedOf();
  const stop = new AbortController();
  const both = [feed.follow(start, anna, stop.signal), feed.follow(start, anna, stop.signal)];
  const waiting = both.map((pages) => pages.next());
  await vi.advanceTimersByTimeAsync(1);
  expect(watching()).toBe(1);
  stop.abort();
  expect((await Promise.all(waiting)).map(({ done }) => done)).toEqual([true, true]);
  expect([watching(), vi.getTimerCount()]).toEqual([0, 0]);
});
