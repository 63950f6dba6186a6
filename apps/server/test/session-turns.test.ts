import type { MessageActor, MessageTurn } from "@cleveragents/application";
import { EntryNotFoundError, type Message, textOf } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { allOver, aSession, converse, me, openStores, script, tasksIn } from "./session-fixtures.ts";

/** Answers `re …`, after it was asked what it is told of what was said before. */
function recalling(tokens: number, recalled: (readonly Message[])[]): MessageActor {
  return {
    async run(turn) {
      recalled.push(await turn.earlier(tokens));
      return { state: "completed", parts: [{ kind: "text", text: `re ${textOf(turn.message)}` }] };
    },
  };
}

async function say(
  conversation: ReturnType<typeof converse>,
  stores: ReturnType<typeof openStores>,
  text: string,
) {
  await conversation.say("s", text);
  await expect.poll(() => allOver(stores.store, "s")).toBe(true);
}

test("an actor is told what was said before in its session, oldest first, and nothing of the task that it answers", async () => {
  const stores = openStores();
  await stores.sessions.create(aSession("s"));
  await stores.sessions.create(aSession("other"));
  const recalled: (readonly Message[])[] = [];
  const conversation = converse(stores, { actor: recalling(10_000, recalled) });
  await conversation.say("other", "not yours");
  for (const text of ["one", "two", "three"]) await say(conversation, stores, text);
  expect(recalled.slice(-3).map(script)).toEqual([
    [],
    ["user: one", "agent: re one"],
    ["user: one", "agent: re one", "user: two", "agent: re two"],
  ]);
});

test("what does not fit into the window is left out from the oldest on, by whole exchanges and without a gap", async () => {
  const stores = openStores();
  await stores.sessions.create(aSession("s"));
  const recalled: (readonly Message[])[] = [];
  // A message is 4 tokens and one for four bytes: an exchange of short words is some 12 of them.
  const conversation = converse(stores, { actor: recalling(27, recalled) });
  for (const text of ["a", "b", "x".repeat(400), "c", "d", "e"]) await say(conversation, stores, text);
  expect(script(recalled[2] ?? [])).toEqual(["user: a", "agent: re a", "user: b", "agent: re b"]);
  expect(script(recalled[3] ?? [])).toEqual([]);
  expect(script(recalled[5] ?? [])).toEqual(["user: c", "agent: re c", "user: d", "agent: re d"]);
});

test("what came with an imported session was said before all else", async () => {
  const stores = openStores();
  const record = {
    messages: ["one", "re one"].map((text, n) => ({
      messageId: `i${n}`,
      role: n === 0 ? "user" : "agent",
      parts: [{ kind: "text", text }],
    })),
  };
  await stores.sessions.insert(aSession("s"), record);
  const recalled: (readonly Message[])[] = [];
  const conversation = converse(stores, { actor: recalling(10_000, recalled) });
  for (const text of ["two", "three"]) await say(conversation, stores, text);
  expect(script(recalled[1] ?? [])).toEqual(["user: one", "agent: re one", "user: two", "agent: re two"]);
});

test("a session is answered by the actor that it names, and told by which name and in which session", async () => {
  const stores = openStores();
  const turns: MessageTurn[] = [];
  const answering = (text: string): MessageActor => ({
    async run(turn) {
      turns.push(turn);
      return { state: "completed", parts: [{ kind: "text", text }] };
    },
  });
  const conversation = converse(stores, {
    actor: answering("own"),
    actors: { find: async (name) => (name === "local/helper" ? answering("helper") : undefined) },
  });
  await stores.sessions.create(aSession("s", { actor: "local/helper", budget: { tokens: 5 } }));
  await stores.sessions.create(aSession("plain"));
  await conversation.say("plain", "hello");
  await say(conversation, stores, "hello");
  await expect.poll(() => allOver(stores.store, "plain")).toBe(true);
  const answered = await Promise.all(
    ["s", "plain"].map(async (id) =>
      textOf((await tasksIn(stores.store, id))[0]?.statusMessage ?? { parts: [] }),
    ),
  );
  expect(answered).toEqual(["helper", "own"]);
  const own = turns.find(({ contextId }) => contextId === "s");
  expect(own?.actor).toBe("local/helper");
  expect(own?.session).toMatchObject({ sessionId: "s", budget: { tokens: 5 }, status: "active" });
});

test("an actor that is registered nowhere is one if somebody answers in its name", async () => {
  const actors = { find: async (name: string) => (name === "gateway/m" ? recalling(0, []) : undefined) };
  const { service } = converse(openStores(), { actors });
  expect(await service.create(me, { actor: "gateway/m" })).toMatchObject({ actor: "gateway/m" });
  await expect(service.create(me, { actor: "gateway2/m" })).rejects.toThrow(EntryNotFoundError);
});

test("a message whose actor was taken away while it waited fails and says so, and the line goes on", async () => {
  const stores = openStores();
  await stores.sessions.create(aSession("s", { actor: "local/helper" }));
  let there = true;
  const release: (() => void)[] = [];
  const helper: MessageActor = {
    async run() {
      await new Promise<void>((resolve) => release.push(resolve));
      return { state: "completed" };
    },
  };
  const conversation = converse(stores, { actors: { find: async () => (there ? helper : undefined) } });
  for (const text of ["one", "two", "three"]) await conversation.say("s", text);
  await expect.poll(() => release.length).toBe(1);
  there = false;
  release[0]?.();
  await expect.poll(() => allOver(stores.store, "s")).toBe(true);
  const tasks = await tasksIn(stores.store, "s");
  expect(tasks.map(({ state }) => state)).toEqual(["completed", "failed", "failed"]);
  expect(textOf(tasks[1]?.statusMessage ?? { parts: [] })).toContain("local/helper");
});

test("a session that nobody uses is suspended and takes no place; the next message takes it up again", async () => {
  const clock = { time: 1_800_000_000_000, now: () => clock.time };
  const stores = openStores(clock);
  const conversation = converse(stores, {
    actor: recalling(0, []),
    timeoutMs: 60_000,
    maxSessions: 1,
  });
  const { service } = conversation;
  const { sessionId } = await service.create(me, { sessionId: "s" });
  expect((await service.find(me, sessionId)).state).toBe("created");
  await expect(service.create(me, {})).rejects.toThrow("no more than 1");
  await say(conversation, stores, "hello");
  expect((await service.find(me, "s")).state).toBe("active");
  clock.time += 60_000;
  expect((await service.find(me, "s")).state).toBe("suspended");
  expect((await service.list(me, { limit: 9 })).sessions.map(({ state }) => state)).toEqual(["suspended"]);
  expect(await service.create(me, { sessionId: "s" })).toMatchObject({ sessionId: "s" });
  await service.create(me, { sessionId: "second" });
  await say(conversation, stores, "again");
  expect((await service.find(me, "s")).state).toBe("active");
  await service.close(me, "s");
  clock.time += 60_000;
  expect((await service.find(me, "s")).state).toBe("closed");
});
