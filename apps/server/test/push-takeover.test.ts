import { type Clock, PushDeliverer, type PushOutcome, type PushPost } from "@cleveragents/application";
import { UlidGenerator } from "@cleveragents/infrastructure/clock";
import { InMemoryPushStore, InMemoryTaskStore } from "@cleveragents/infrastructure/memory";
import { expect, test } from "vitest";

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const KEY = { taskId: "t", configId: "c" };
const ARRIVED: PushOutcome = { kind: "answered", status: 200 };

test("who stands still for longer than a lease is taken over, and moves nothing when it goes on", async () => {
  const clock: Clock & { time: number } = { time: 1_800_000_000_000, now: () => clock.time };
  const ids = new UlidGenerator({ clock });
  const store = new InMemoryTaskStore({ clock, logger });
  const push = new InMemoryPushStore({ tasks: store });
  const create = { contextId: "x", principal: "anna", kind: "message" } as const;
  const event = (state: "working" | "completed") => ({
    key: state,
    event: { type: "status", state } as const,
  });
  await store.commit({ taskId: "t", create, events: [event("working"), event("completed")] });
  const asked = {
    ...KEY,
    principal: "anna",
    url: "http://a.example/",
    version: "1.0",
    createdAt: 1,
  } as const;
  await push.put(asked, { seq: 0, state: "active" });

  const deliverer = (post: (post: PushPost) => Promise<PushOutcome>) =>
    new PushDeliverer({
      store,
      push,
      clock,
      ids,
      logger,
      sender: { refusal: () => undefined, post },
    });
  const still: PushPost[] = [];
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<PushOutcome>();
  const first = deliverer((post) => {
    still.push(post);
    begun.resolve();
    return answer.promise;
  });
  await first.start(false);
  await begun.promise;

  const posted: PushPost[] = [];
  const second = deliverer(async (post) => {
    posted.push(post);
    return ARRIVED;
  });
  await second.start(false);
  second.follow(KEY);
  expect(posted).toEqual([]);
  clock.time += 60_000;
  second.follow(KEY);
  while ((await push.find(KEY))?.state !== "delivered")
    await new Promise((resolve) => setTimeout(resolve, 5));
  answer.resolve(ARRIVED);
  while (first.busy) await new Promise((resolve) => setTimeout(resolve, 5));
  await Promise.all([first.stop(), second.stop()]);

  expect(still).toHaveLength(1);
  expect(posted.map(({ body }) => Object.values(JSON.parse(body) as object)[0].status.state)).toEqual([
    "TASK_STATE_WORKING",
    "TASK_STATE_COMPLETED",
  ]);
  expect(await push.find(KEY)).toMatchObject({ state: "delivered", deliveredSeq: 2 });
});
