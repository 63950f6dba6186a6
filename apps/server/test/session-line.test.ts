import type { MessageActor, SessionStore, TaskStore } from "@cleveragents/application";
import { SessionBusyError, textOf } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { allOver, aSession, converse, openStores, type Stores, tasksIn } from "./session-fixtures.ts";

class Killed extends Error {}

/** Answers at once, and notes who began and ended in which order. */
function noting(log: string[], wait: () => Promise<void> = async () => undefined): MessageActor {
  return {
    async run({ message, contextId }) {
      const text = `${contextId}:${textOf(message)}`;
      log.push(`+${text}`);
      await wait();
      log.push(`-${text}`);
      return { state: "completed", parts: [{ kind: "text", text: `re ${textOf(message)}` }] };
    },
  };
}

/** The same stores for a process that dies at its nth write: before it is made, or after it was and nobody is told. */
function dyingAt(stores: Stores, nth: number, when: "before" | "after"): Stores & { died(): boolean } {
  let writes = 0;
  let dead = false;
  const mortal = <T extends object>(target: T, writing: readonly string[]): T =>
    new Proxy(target, {
      get(of, name) {
        const member: unknown = Reflect.get(of, name);
        if (typeof member !== "function") return member;
        return async (...args: unknown[]) => {
          if (dead) throw new Killed();
          const fatal = writing.includes(String(name)) && ++writes === nth;
          if (fatal && when === "before") dead = true;
          if (dead) throw new Killed();
          const answer: unknown = await member.apply(of, args);
          if (fatal) dead = true;
          if (dead) throw new Killed();
          return answer;
        };
      },
    });
  return {
    ...stores,
    store: Object.assign(mortal<TaskStore>(stores.store, ["commit"]), {}),
    sessions: mortal<SessionStore>(stores.sessions, ["replace"]),
    died: () => dead,
  };
}

const MOMENTS = ["before", "after"] as const;

test.each(MOMENTS)(
  "wherever a process dies, %s what it writes, the next goes on with the line, in order, and loses nothing",
  async (when) => {
    let nth = 0;
    for (let killed = true; killed; ) {
      nth += 1;
      const stores = openStores();
      await stores.sessions.create(aSession("s"));
      const log: string[] = [];
      const mortal = dyingAt(stores, nth, when);
      const first = converse(mortal, { actor: noting(log) });
      const said = ["1", "2", "3"];
      const taken: string[] = [];
      for (const text of said) {
        const sent = await first.say("s", text, `m${text}`).catch(() => undefined);
        if (sent !== undefined) taken.push(text);
      }
      // A process that lives lets the line run out.
      await expect.poll(async () => mortal.died() || (await allOver(stores.store, "s"))).toBe(true);
      killed = mortal.died();
      await first.runner.close(1000);

      log.length = 0;
      const second = converse(stores, { actor: noting(log) });
      await second.keeper.start(true);
      second.keeper.stop();
      await expect.poll(() => allOver(stores.store, "s"), { timeout: 10_000 }).toBe(true);
      const tasks = await tasksIn(stores.store, "s");
      expect(tasks.map(({ state }) => state)).toEqual(tasks.map(() => "completed"));
      // Whatever was taken in was answered, and one that died with its answer may be there too.
      expect(tasks.length).toBeGreaterThanOrEqual(taken.length);
      // In the second process as in the first: one after the other, and in order.
      expect(log.map((entry) => entry.slice(3))).toEqual(
        log.map((entry) => entry.slice(3)).toSorted((a, b) => Number(a) - Number(b)),
      );
      expect(log.filter((_, n) => n % 2 === 0).every((entry) => entry.startsWith("+"))).toBe(true);
      const ends = tasks.map(({ statusAt }) => statusAt);
      expect(ends).toEqual(ends.toSorted((a, b) => a - b));
      await second.runner.close(1000);
    }
    expect(nth).toBeGreaterThan(9);
  },
);

test("turns of one session never overlap, however they come; those of others go on meanwhile", async () => {
  const stores = openStores();
  const log: string[] = [];
  const held: (() => void)[] = [];
  const { say, runner } = converse(stores, {
    actor: noting(log, () => new Promise((resolve) => held.push(resolve))),
  });
  for (const id of ["a", "b", "c"]) await stores.sessions.create(aSession(id));
  await Promise.all(["a", "b", "c"].flatMap((id) => [1, 2, 3, 4].map((n) => say(id, String(n)))));
  let most = 0;
  const over = async () =>
    (await Promise.all(["a", "b", "c"].map((id) => allOver(stores.store, id)))).every(Boolean);
  while (!(await over())) {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    most = Math.max(most, held.length);
    held.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(most).toBe(3);
  for (const id of ["a", "b", "c"]) {
    const own = log.filter((entry) => entry.slice(1).startsWith(id));
    expect(own).toHaveLength(8);
    for (const [n, entry] of own.entries()) expect(entry[0]).toBe(n % 2 === 0 ? "+" : "-");
    for (const [n, entry] of own.entries()) expect(entry.slice(1)).toBe(own[n - (n % 2)]?.slice(1));
  }
  await runner.close(1000);
});

test("two processes on one store take each turn once, and no two of a session at once", async () => {
  const stores = openStores();
  await stores.sessions.create(aSession("s"));
  const log: string[] = [];
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
  const processes = [1, 2].map(() => converse(stores, { actor: noting(log, pause) }));
  await Promise.all(Array.from({ length: 20 }, (_, n) => processes[n % 2]?.say("s", String(n))));
  await expect.poll(() => allOver(stores.store, "s"), { timeout: 10_000 }).toBe(true);
  expect(log).toHaveLength(40);
  for (const [n, entry] of log.entries()) expect(entry[0]).toBe(n % 2 === 0 ? "+" : "-");
  expect(new Set(log.map((entry) => entry.slice(1))).size).toBe(20);
  for (const { runner } of processes) await runner.close(1000);
});

test("a line that is as long as may be takes no more, and takes more again when it has moved", async () => {
  const stores = openStores();
  await stores.sessions.create(aSession("s"));
  const held: (() => void)[] = [];
  const { say, runner, service } = converse(stores, {
    actor: noting([], () => new Promise((resolve) => held.push(resolve))),
  });
  for (let n = 0; n < 100; n++) await say("s", String(n));
  await expect(say("s", "one too many")).rejects.toThrow(SessionBusyError);
  await expect.poll(() => held.length).toBe(1);
  held.shift()?.();
  await expect.poll(() => held.length).toBe(1);
  await say("s", "fits");
  await service.close({ id: "local", scopes: [] }, "s");
  expect(await allOver(stores.store, "s")).toBe(true);
  await runner.close(1000);
});

test("a message that comes in while its session closes is not begun, and does not wait for ever", async () => {
  const stores = openStores();
  const open = await stores.sessions.create(aSession("s"));
  const log: string[] = [];
  const { say, runner } = converse(stores, { actor: noting(log) });
  // Between the look at the session and the commit of the message, somebody else has closed it.
  const { store } = stores;
  const commit = store.commit.bind(store);
  store.commit = async (command) => {
    if (command.create !== undefined) await stores.sessions.replace(open, { ...open, status: "closed" });
    return commit(command);
  };
  await say("s", "late");
  await expect.poll(() => allOver(store, "s")).toBe(true);
  expect((await tasksIn(store, "s")).map(({ state }) => state)).toEqual(["canceled"]);
  expect(log).toEqual([]);
  await runner.close(1000);
});
