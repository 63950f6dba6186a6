import { describe, expect, test } from "vitest";
import { stranger, use, type World } from "../../world/world.ts";
import { answers, LIST, LISTED, notificationText, requestText } from "./text.ts";

export function batches(world: () => World): void {
  describe("batches", () => {
    test("each request has its answer, in one array", async () => {
      const answer = await world().raw(
        `[${LIST},${requestText("Nope", {}, 2)},${requestText("GetTask", { id: "nope" }, "three")}]`,
      );
      expect(answer).toEqual([LISTED, answers(2, "MethodNotFound"), answers("three", "TaskNotFound")]);
    });

    test("a batch of one is answered by an array of one", async () => {
      expect(await world().raw(`[${LIST}]`)).toEqual([LISTED]);
    });

    test("notifications in it are carried out and have no entry", async () => {
      const caller = stranger(world());
      expect(await caller.raw(`[${notificationText("session.create", {})},${LIST}]`)).toEqual([LISTED]);
      expect((await caller.client.call("_cleveragents/session/list", {})).total).toBe(1);
    });

    test("a batch of notifications alone is not answered", async () => {
      const caller = stranger(world());
      const one = notificationText("session.create", {});
      expect(await caller.raw(`[${one},${one}]`)).toBeUndefined();
      expect((await caller.client.call("_cleveragents/session/list", {})).total).toBe(2);
    });

    test("an empty batch is one invalid request", async () => {
      expect(await world().raw("[]")).toEqual(answers(null, "InvalidRequest"));
    });

    test("entries that are no requests are refused one by one, the others run", async () => {
      const answer = await world().raw(`[1,"x",null,[],{},${LIST}]`);
      const invalid = answers(null, "InvalidRequest");
      expect(answer).toEqual([invalid, invalid, invalid, invalid, invalid, LISTED]);
    });

    test("more than a hundred requests are refused together", async () => {
      const caller = stranger(world());
      const create = requestText("session.create", {});
      expect(await caller.raw(`[${Array(101).fill(create).join(",")}]`)).toEqual(
        answers(null, "InvalidRequest"),
      );
      expect((await caller.client.call("_cleveragents/session/list", {})).total).toBe(0);
    });

    test("a stream in it is refused, the rest is answered", async () => {
      const { plan_id: id } = await use(world(), "idle");
      const answer = await world().raw(`[${requestText("SubscribeToTask", { id }, 2)},${LIST}]`);
      expect(answer).toEqual([answers(2, "InvalidRequest"), LISTED]);
    });
  });
}
