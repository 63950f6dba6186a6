import { describe, expect, test } from "vitest";
import { atRest, use } from "../../world/index.ts";
import { stranger, type World } from "../../world/world.ts";
import { aTime } from "../matchers.ts";
import { drain } from "../refusals.ts";
import { type EventItem, nameOf, spoken, subscribed } from "./fixtures.ts";

export function followingOne(world: () => World): void {
  describe("_cleveragents/event/subscribe of one task", () => {
    test("has each event as the documents' notification, and ends after the last one", async () => {
      const task = await spoken(world(), "echo hello");
      const stream = await subscribed(world(), { task_id: task, afterSeq: 0 });
      expect(stream.first).toEqual({ subscription: { task_id: task }, sequence: 0 });
      const items = await stream.rest();
      const { contextId } = await world().client.call("GetTask", { id: task });
      const common = (n: number) => ({
        event_id: `${task}:${n + 1}`,
        taskId: task,
        contextId,
        sequence: n + 1,
        timestamp: aTime,
      });
      const results = items.map(({ result }) => result);
      results.forEach((result, n) => {
        expect(result).toMatchObject(common(n));
      });
      const artifact = results.find((result) => "artifact" in result);
      expect(artifact).toMatchObject({
        event_type: "TaskArtifactUpdateEvent",
        artifact: { artifactId: expect.any(String), parts: [{ kind: "text", text: "echo hello" }] },
        append: expect.any(Boolean),
        lastChunk: expect.any(Boolean),
      });
      expect(results.at(-1)).toMatchObject({
        event_type: "TaskStatusUpdateEvent",
        state: "completed",
        status: { state: "completed", timestamp: aTime },
        final: true,
      });
      expect(results.filter((result) => "final" in result)).toHaveLength(1);
    });

    test("goes on after any event, by its number, by its cursor and by Last-Event-ID", async () => {
      const task = await spoken(world(), "burst-20");
      const whole = await (await subscribed(world(), { task_id: task, afterSeq: 0 })).rest();
      const half = Math.floor(whole.length / 2);
      const cursor = whole[half - 1]?.cursor ?? "";
      const rest = whole.slice(half);
      for (const again of [
        await subscribed(world(), { task_id: task, afterSeq: half }),
        await subscribed(world(), { task_id: task, cursor }),
        // What a reader that comes back sends: the request as it was.
        await subscribed(world(), { task_id: task, afterSeq: 0 }, { lastEventId: cursor }),
      ]) {
        expect(again.first.sequence).toBe(half);
        expect(await again.rest()).toEqual(rest);
      }
    });

    test("says so at once when the task is over and there is nothing more", async () => {
      const task = await spoken(world(), "echo x");
      const all = await drain(world().client.stream("_cleveragents/event/subscribe", { task_id: task }));
      expect(all.map(({ result }) => result)).toMatchObject([
        { subscription: { task_id: task }, final: true },
      ]);
    });

    test("follows a plan from now on, with what happened in the platform's words", async () => {
      const { plan_id } = await use(world(), "touch");
      const before = await atRest(world().client, plan_id);
      await using stream = await subscribed(world(), { plan_id });
      expect(stream.first).toMatchObject({ subscription: { plan_id } });
      await world().client.call("_cleveragents/plan/cancel", { plan_id, reason: "changed my mind" });
      const items = await stream.rest();
      expect(before.state).not.toBe("cancelled");
      expect(items.map(({ result }) => ("sequence" in result ? result.sequence : 0))).toEqual(
        items.map((_, n) => stream.first.sequence + 1 + n),
      );
      expect(items.at(-1)?.result).toMatchObject({
        event: "plan.cancelled",
        data: expect.any(Object),
        state: "canceled",
        status: { state: "canceled" },
        final: true,
      });
    });

    test("is served under its older name", async () => {
      const caller = stranger(world());
      const task = await spoken(caller, "echo x");
      const whole = await (await subscribed(caller, { task_id: task, afterSeq: 0 })).rest();
      const named = await drain(
        caller.client.stream("event.subscribe" as never, { task_id: task, afterSeq: 0 } as never),
      );
      expect(named.slice(1).map((item) => nameOf(item as EventItem))).toEqual(whole.map(nameOf));
    });
  });
}
