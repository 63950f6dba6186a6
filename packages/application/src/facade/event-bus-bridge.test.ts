import type { LoggedEvent } from "@cleveragents/domain";
import { expect, test, vi } from "vitest";
import type { FeedPage, FeedPosition } from "../ports/task-store.ts";
import { EventBusBridge } from "./event-bus-bridge.ts";
import { A2aEventQueue } from "./event-queue.ts";

/** A store with one task, whose pages hold two events. */
function storeOf(old: number, failures = 0) {
  const log: LoggedEvent[] = [];
  const add = (n: number) => {
    for (let i = 0; i < n; i++)
      log.push({
        taskId: "t",
        seq: log.length + 1,
        key: String(log.length),
        at: 0,
        event: { type: "status", state: "working" },
      });
  };
  add(old);
  let wake: (taskId: string, lastSeq: number) => void = () => undefined;
  return {
    log(n: number) {
      add(n);
      wake("t", log.length);
    },
    store: {
      async feed(after: FeedPosition | "now"): Promise<FeedPage> {
        const place = (at: number) => ({ at, taskId: "t", seq: at });
        if (after !== "now" && failures-- > 0) throw new Error("the store cannot be read");
        if (after === "now") return { events: [], next: place(old), ahead: "nothing" };
        const events = log
          .slice(after.at, after.at + 2)
          .map((logged) => ({ logged, contextId: "c", position: place(logged.seq) }));
        const next = events.at(-1)?.position ?? after;
        return { events, next, ahead: next.at < log.length ? "more" : "nothing" };
      },
      watch(_: string | undefined, listener: (taskId: string, lastSeq: number) => void) {
        wake = listener;
        return () => undefined;
      },
    } as never,
  };
}

test("what was logged before the bridge began is not news, and of a burst nothing is left out", async () => {
  const { store, log } = storeOf(3);
  const queue = new A2aEventQueue();
  const bridge = new EventBusBridge({ store, queue });
  bridge.start();
  log(5);
  await expect.poll(() => queue.getEvents().map(({ event_id }) => event_id)).toHaveLength(5);
  expect(queue.getEvents().map(({ event_id }) => event_id)).toEqual(["t:4", "t:5", "t:6", "t:7", "t:8"]);
  await bridge.stop();
});

test("started twice it tells once, and stopped it tells nothing more", async () => {
  const { store, log } = storeOf(0);
  const queue = new A2aEventQueue();
  const bridge = new EventBusBridge({ store, queue });
  bridge.start();
  bridge.start();
  log(2);
  await expect.poll(() => queue.getEvents()).toHaveLength(2);
  await bridge.stop();
  log(2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(queue.getEvents().map(({ event_id }) => event_id)).toEqual(["t:1", "t:2"]);
});

test("a store that fails for a while takes nothing from those who listen", async () => {
  vi.useFakeTimers();
  try {
    const { store, log } = storeOf(1, 2);
    const queue = new A2aEventQueue();
    const bridge = new EventBusBridge({ store, queue });
    bridge.start();
    log(2);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(queue.getEvents().map(({ event_id }) => event_id)).toEqual(["t:2", "t:3"]);
    await bridge.stop();
  } finally {
    vi.useRealTimers();
  }
});
