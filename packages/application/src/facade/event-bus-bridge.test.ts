import type { LoggedEvent } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { EventBusBridge } from "./event-bus-bridge.ts";
import { A2aEventQueue } from "./event-queue.ts";

/** A store with one unfinished task, whose pages hold two events. */
function storeOf(old: number) {
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
      events: async (_: string, after: number) => log.slice(after, after + 2),
      unfinished: async (kind: string) => (kind === "plan" ? [{ taskId: "t", lastSeq: old }] : []),
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
