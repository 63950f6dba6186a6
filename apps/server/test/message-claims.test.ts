import { MessageRunner, MessageService, TaskFeeds } from "@cleveragents/application";
import { SystemClock, UlidGenerator } from "@cleveragents/infrastructure/clock";
import {
  InMemoryRegistryStore,
  InMemorySessionStore,
  InMemoryTaskStore,
} from "@cleveragents/infrastructure/memory";
import { LOCAL_PRINCIPAL } from "@cleveragents/protocol";
import { expect, test } from "vitest";

const logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Somebody who answers every message with a task of its own, and how often they were asked. */
function open() {
  const clock = new SystemClock();
  const ids = new UlidGenerator({ clock });
  const store = new InMemoryTaskStore({ clock, logger });
  const sessions = new InMemorySessionStore();
  let turns = 0;
  const actor = {
    async run() {
      turns++;
      return { state: "completed" } as const;
    },
  };
  const runner = new MessageRunner({ store, actor, clock, ids, logger });
  const messages = new MessageService({
    store,
    feeds: new TaskFeeds(store),
    registry: new InMemoryRegistryStore(),
    sessions,
    ids,
    asks: undefined as never, // there are no plans
    plans: undefined as never,
    push: undefined,
    runner,
  });
  const send = (contextId: string) =>
    messages.send(LOCAL_PRINCIPAL, {
      message: { messageId: "m", role: "user", contextId, parts: [{ kind: "text", text: "hello" }] },
      returnImmediately: false,
      signal: new AbortController().signal,
    });
  return { sessions, send, turns: () => turns };
}

test("a message that comes twice at once, and again, is one task that was worked on once", async () => {
  const { send, turns } = open();
  const [first, second] = await Promise.all([send("c"), send("c")]);
  expect([second, await send("c")]).toEqual([first, first]);
  expect(turns()).toBe(1);
});

test("a message that was taken is not refused the second time because its session is closed by now", async () => {
  const { sessions, send, turns } = open();
  const principal = LOCAL_PRINCIPAL.id;
  const session = await sessions.create({
    sessionId: "s",
    principal,
    status: "active",
    createdAt: 1,
    updatedAt: 1,
  });
  const first = await send("s");
  await sessions.replace(session, { ...session, status: "closed" });
  expect(await send("s")).toEqual(first);
  expect(turns()).toBe(1);
});
