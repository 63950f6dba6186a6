import { describe, expect, test } from "vitest";
import { atRest, use } from "../../world/index.ts";
import { answers, requestText } from "../envelope/text.ts";
import { aTime } from "../matchers.ts";
import { drain } from "../refusals.ts";
import type { Prepared } from "../task/fixtures.ts";
import { callPart, legacyMessage, legacyResult, NO_VERSION, text } from "./legacy.ts";

interface Event {
  readonly kind: string;
  readonly id?: string;
  readonly taskId?: string;
  readonly final?: boolean;
  readonly status?: { readonly state: string };
}

export function legacyStreams({ world, done }: Prepared): void {
  const follow = (method: string, params: unknown) => world().follow(requestText(method, params), NO_VERSION);
  const results = (responses: readonly unknown[]) =>
    responses.map((response) => (response as { result: Event }).result);
  const finals = (events: readonly Event[]) => events.map(({ final }) => final ?? false);

  describe("streams under 0.3", () => {
    test.each(["tasks/resubscribe", "tasks/subscribe"])(
      "%s gives the Task, then bare events with a kind, and only the last is final",
      async (method) => {
        const { client } = world();
        const { plan_id: id } = await use(world(), "idle");
        await atRest(client, id);
        const stream = follow(method, { id })[Symbol.asyncIterator]();
        const first = await stream.next();
        expect(first.value).toMatchObject({
          jsonrpc: "2.0",
          id: 1,
          result: { kind: "task", id, status: { state: "input-required", message: { kind: "message" } } },
        });
        await client.call("CancelTask", { id });
        const rest: unknown[] = [];
        for (let next = await stream.next(); next.done !== true; next = await stream.next())
          rest.push(next.value);
        const events = results(rest);
        expect(events.at(-1)).toMatchObject({
          kind: "status-update",
          taskId: id,
          status: { state: "canceled", timestamp: aTime },
          final: true,
        });
        expect(finals(events)).toEqual(events.map((_, index) => index === events.length - 1));
      },
    );

    test("a subscription goes on where the task asks, and that event is not final", async () => {
      const { client } = world();
      const { plan_id: id } = await use(world(), "idle");
      await atRest(client, id);
      const stream = follow("tasks/resubscribe", { id })[Symbol.asyncIterator]();
      await stream.next();
      await legacyResult(world(), "message/send", { message: legacyMessage([text("hm")], { taskId: id }) });
      const seen: Event[] = [];
      for (let next = await stream.next(); next.done !== true; next = await stream.next()) {
        const [event] = results([next.value]);
        if (event?.kind !== "status-update") continue;
        seen.push(event);
        if (seen.length === 1) await client.call("CancelTask", { id });
      }
      expect(seen.slice(0, -1).map(({ status, final }) => [status?.state, final])).toEqual(
        seen.slice(0, -1).map(() => ["input-required", false]),
      );
      expect(seen.length).toBeGreaterThan(1);
      expect(seen.at(-1)).toMatchObject({ status: { state: "canceled" }, final: true });
    });

    test("message/stream ends where the task asks, and that event alone is final", async () => {
      const message = legacyMessage([callPart("touch", "trusted")]);
      const events = results(await drain(follow("message/stream", { message })));
      expect(events[0]).toMatchObject({ kind: "task" });
      expect(events.at(-1)).toMatchObject({
        kind: "status-update",
        status: { state: "input-required" },
        final: true,
      });
      expect(finals(events)).toEqual(events.map((_, index) => index === events.length - 1));
      expect(events.some(({ kind }) => kind === "artifact-update")).toBe(true);
    });

    test("message/stream of a task that ends by itself ends with it", async () => {
      const message = legacyMessage([callPart("idle", "ci")]);
      const events = results(await drain(follow("message/stream", { message })));
      expect(events[0]).toMatchObject({ kind: "task" });
      if (events.length > 1)
        expect(events.at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
    });

    test("what cannot begin is an ordinary answer", async () => {
      expect(await drain(follow("tasks/resubscribe", { id: "nope" }))).toEqual([answers(1, "TaskNotFound")]);
      expect(await drain(follow("tasks/resubscribe", { id: done() }))).toEqual([
        answers(1, "UnsupportedOperation"),
      ]);
      expect(await drain(follow("tasks/resubscribe", {}))).toEqual([answers(1, "InvalidParams")]);
      const message = legacyMessage([text("a"), { kind: "video" }]);
      expect(await drain(follow("message/stream", { message }))).toEqual([answers(1, "InvalidParams")]);
    });
  });
}
