import { describe, expect, test } from "vitest";
import { stranger, type World } from "../../world/world.ts";
import { type EventItem, nameOf, over, spoken, subscribed } from "./fixtures.ts";

/** Each task's numbers in the order in which they came. */
function byTask(items: readonly EventItem[]): Record<string, number[]> {
  const numbers: Record<string, number[]> = {};
  for (const { result } of items)
    if ("taskId" in result) numbers[result.taskId] = [...(numbers[result.taskId] ?? []), result.sequence];
  return numbers;
}

const counted = (length: number) => Array.from({ length }, (_, n) => n + 1);

/** Reads until that many tasks are over. */
function untilOver(stream: Awaited<ReturnType<typeof subscribed>>, tasks: number): Promise<EventItem[]> {
  let left = tasks;
  return stream.until((event) => over(event) && --left === 0);
}

export function followingMany(world: () => World): void {
  describe("_cleveragents/event/subscribe of many tasks", () => {
    test("has everything of the caller's from now on, of each task in order, and does not end", async () => {
      const caller = stranger(world());
      await spoken(caller, "echo before");
      await using stream = await subscribed(caller, {});
      expect(stream.first).toEqual({ subscription: {}, sequence: 0 });
      const ids = await Promise.all(["burst-20", "burst-20", "echo x"].map((text) => spoken(caller, text)));
      const items = await untilOver(stream, 3);
      const numbers = byTask(items);
      expect(Object.keys(numbers).sort()).toEqual([...ids].sort());
      for (const own of Object.values(numbers)) expect(own).toEqual(counted(own.length));
      expect(items.some(({ result }) => "final" in result)).toBe(false);
      const later = await spoken(caller, "echo later");
      expect(byTask(await untilOver(stream, 1))).toEqual({ [later]: expect.any(Array) });
    });

    test("loses nothing and repeats nothing over any number of reconnections", async () => {
      const caller = stranger(world());
      const first = await subscribed(caller, {});
      let { cursor } = first;
      await first.leave();
      const working = Promise.all(["burst-20", "burst-20", "burst-20"].map((text) => spoken(caller, text)));
      const seen: EventItem[] = [];
      for (let overs = 0; overs < 3; ) {
        const stream = await subscribed(caller, {}, { lastEventId: cursor });
        const items = await stream.until(() => true);
        await stream.leave();
        seen.push(...items);
        cursor = items.at(-1)?.cursor ?? cursor;
        overs += items.filter(({ result }) => "event_id" in result && over(result)).length;
      }
      await working;
      await using whole = await subscribed(caller, { cursor: first.cursor });
      const names = (await untilOver(whole, 3)).map(nameOf);
      expect(seen.map(nameOf)).toEqual(names);
      for (const own of Object.values(byTask(seen))) expect(own).toEqual(counted(own.length));
    });

    test("has nothing of anybody else's", async () => {
      const [anna, berta] = [stranger(world()), stranger(world())];
      await using stream = await subscribed(anna, {});
      await spoken(berta, "echo secret");
      const own = await spoken(anna, "echo mine");
      expect(Object.keys(byTask(await untilOver(stream, 1)))).toEqual([own]);
      // A cursor opens nothing: who brings it sees what is their own.
      await using stolen = await subscribed(berta, { cursor: stream.cursor });
      expect(Object.keys(byTask(await untilOver(stolen, 1)))).not.toContain(own);
    });

    test("follows a session, closed or not, and nothing beside it", async () => {
      const caller = stranger(world());
      const { session_id } = await caller.client.call("session.create", {});
      await using stream = await subscribed(caller, { session_id });
      expect(stream.first.subscription).toEqual({ session_id });
      await spoken(caller, "echo elsewhere");
      const inside = await spoken(caller, "echo here", session_id);
      const items = await untilOver(stream, 1);
      expect(Object.keys(byTask(items))).toEqual([inside]);
      expect(items.every(({ result }) => "contextId" in result && result.contextId === session_id)).toBe(
        true,
      );
      await caller.client.call("session.close", { session_id });
      await using again = await subscribed(caller, { session_id, cursor: stream.cursor });
      expect((await untilOver(again, 1)).map(nameOf)).toEqual(items.map(nameOf));
    });

    test("takes the context of a task for a session", async () => {
      const caller = stranger(world());
      const task = await spoken(caller, "echo x");
      const { contextId = "" } = await caller.client.call("GetTask", { id: task });
      await using stream = await subscribed(caller, { session_id: contextId });
      const next = await spoken(caller, "echo y", contextId);
      expect(Object.keys(byTask(await untilOver(stream, 1)))).toEqual([next]);
    });
  });
}
