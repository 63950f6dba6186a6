import { A2aEvent, TASK_STATUS_UPDATE } from "@cleveragents/protocol";
import { expect, test } from "vitest";
import { A2aEventQueue } from "./event-queue.ts";

const event = (plan: string, n = 0) =>
  new A2aEvent({ event_type: TASK_STATUS_UPDATE, plan_id: plan, data: { n } });

test("subscribers are called in order, and one that throws stops none of the others", () => {
  const errors: unknown[] = [];
  const queue = new A2aEventQueue({ onError: (error) => errors.push(error) });
  const seen: string[] = [];
  queue.subscribeLocal(() => seen.push("first"));
  queue.subscribeLocal(() => {
    throw new Error("mine");
  });
  queue.subscribeLocal(() => seen.push("third"));
  queue.publish(event("p"));
  expect(seen).toEqual(["first", "third"]);
  expect(errors).toHaveLength(1);
});

test("a callback may subscribe, unsubscribe and publish while it is called", () => {
  const queue = new A2aEventQueue();
  const seen: string[] = [];
  const late = (e: A2aEvent) => seen.push(`late ${e.data["n"]}`);
  const id = queue.subscribeLocal((e) => {
    seen.push(`own ${e.data["n"]}`);
    if (e.data["n"] !== 0) return;
    queue.unsubscribe(id);
    queue.subscribeLocal(late);
    queue.publish(event("p", 1));
  });
  queue.publish(event("p", 0));
  expect(seen).toEqual(["own 0", "late 1"]);
});

test("what a callback publishes comes to everybody, after what is being published", () => {
  const queue = new A2aEventQueue();
  const seen: string[] = [];
  queue.subscribeLocal((e) => {
    seen.push(`first ${e.data["n"]}`);
    if (e.data["n"] === 0) for (const n of [1, 2]) queue.publish(event("p", n));
  });
  queue.subscribeLocal((e) => seen.push(`second ${e.data["n"]}`));
  queue.publish(event("p", 0));
  expect(seen).toEqual(["first 0", "second 0", "first 1", "second 1", "first 2", "second 2"]);
});

test("the iterator gives one plan's events until the queue is closed", async () => {
  const queue = new A2aEventQueue();
  const seen: unknown[] = [];
  const done = (async () => {
    for await (const e of queue.subscribe("p")) seen.push(e.data["n"]);
  })();
  await Promise.resolve();
  for (const [plan, n] of [
    ["p", 1],
    ["q", 2],
    ["p", 3],
  ] as const)
    queue.publish(event(plan, n));
  queue.close();
  await done;
  expect(seen).toEqual([1, 3]);
});

test("leaving the iterator ends its subscription", async () => {
  const queue = new A2aEventQueue();
  const events = queue.subscribe();
  const first = events.next();
  queue.publish(event("p"));
  await first;
  await events.return(undefined);
  expect(queue.unsubscribe("sub_1")).toBe(false);
});

test("the newest 1,000 events are kept, and closing twice or publishing afterwards does nothing", () => {
  const queue = new A2aEventQueue();
  for (let n = 0; n < 1500; n++) queue.publish(event("p", n));
  expect(queue.getEvents(2).map((e) => e.data["n"])).toEqual([1498, 1499]);
  expect(queue.getEvents(5000)).toHaveLength(1000);
  queue.close();
  queue.close();
  queue.publish(event("p", 9999));
  expect(queue.getEvents(1)[0]?.data["n"]).toBe(1499);
});
