import { describe, expect, test } from "vitest";
import { stranger, type World } from "../../world/world.ts";
import { anId } from "../matchers.ts";
import { answers, LIST, LISTED, notificationText, requestText } from "./text.ts";

export function ids(world: () => World): void {
  describe("ids", () => {
    test.each([0, 7, -7, "", "seven", "7", Number.MAX_SAFE_INTEGER])(
      "the id %j comes back unchanged",
      async (id) => {
        expect(await world().raw(requestText("GetTask", { id: "nope" }, id))).toEqual(
          answers(id, "TaskNotFound"),
        );
        expect(await world().raw(requestText("ListTasks", {}, id))).toEqual({ ...LISTED, id });
      },
    );

    test("null is an id, and is answered", async () => {
      expect(await world().raw(requestText("GetTask", { id: "nope" }, null))).toEqual(
        answers(null, "TaskNotFound"),
      );
    });

    test.each([1.5, -0.25, 2 ** 53, true, {}, [1]])(
      "%j is no id: the request is invalid, and its method does not run",
      async (id) => {
        const caller = stranger(world());
        expect(await caller.raw(requestText("session.create", {}, id))).toEqual(
          answers(null, "InvalidRequest"),
        );
        expect((await caller.client.call("_cleveragents/session/list", {})).total).toBe(0);
      },
    );

    test("a request without an id is a notification: carried out, never answered", async () => {
      const caller = stranger(world());
      expect(
        await caller.raw(notificationText("session.create", { name: "by notification" })),
      ).toBeUndefined();
      const { sessions } = await caller.client.call("_cleveragents/session/list", {});
      expect(sessions).toEqual([expect.objectContaining({ session_id: anId, name: "by notification" })]);
    });

    test("a notification that fails is not answered either", async () => {
      expect(await world().raw(notificationText("Nope"))).toBeUndefined();
      expect(await world().raw(notificationText("GetTask", { id: "nope" }))).toBeUndefined();
      expect(await world().raw(notificationText("SubscribeToTask", { id: "nope" }))).toBeUndefined();
      expect(await world().raw(LIST)).toEqual(LISTED);
    });
  });
}
