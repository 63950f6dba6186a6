import { describe, expect, test } from "vitest";
import { toGate, use } from "../../world/index.ts";
import { stranger, type World } from "../../world/world.ts";
import { asRefusal, refusalOf, refusals } from "../refusals.ts";
import { openSession, tell } from "./fixtures.ts";

export function deleting(world: () => World): void {
  describe("the work of a session that is closed", () => {
    test("is cancelled as far as it is messages, and its plans go on", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const working = await tell(caller, session_id, "slow-30s", { wait: false });
      const waiting = await tell(caller, session_id, "echo never", { wait: false });
      const { plan_id } = await use(caller, "idle", { session_id });
      const closed = await caller.client.call("session.close", { session_id });
      expect(closed).toMatchObject({ status: "closed", detached: [plan_id] });
      expect(new Set(closed.cancelled)).toEqual(new Set([working.task?.id, waiting.task?.id]));
      const { status } = await caller.client.call("GetTask", { id: waiting.task?.id ?? "" });
      expect(status.state).toBe("TASK_STATE_CANCELED");
      expect(await caller.client.call("_cleveragents/plan/status", { plan_id })).not.toMatchObject({
        task_state: "TASK_STATE_CANCELED",
      });
      await caller.client.call("_cleveragents/plan/cancel", { plan_id });
    });

    test("is cancelled with its plans where that is asked for", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const { plan_id } = await use(caller, "idle", { session_id });
      const closed = await caller.client.call("session.close", { session_id, plans: "cancel" });
      expect(closed).toMatchObject({ status: "closed", cancelled: [plan_id], detached: [] });
      expect(await caller.client.call("_cleveragents/plan/status", { plan_id })).toMatchObject({
        task_state: "TASK_STATE_CANCELED",
      });
    });

    test("ends there: a plan and a message are taken in no more", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      await caller.client.call("session.close", { session_id });
      expect(await refusalOf(use(caller, "idle", { session_id }))).toEqual(asRefusal("SessionNotFound"));
    });
  });

  describe("_cleveragents/session/delete", () => {
    test("removes a closed session and what was said in it, and leaves its plans", async () => {
      const caller = stranger(world());
      const { client } = caller;
      const session_id = await openSession(caller);
      const told = await tell(caller, session_id, "echo soon gone");
      const { plan_id } = await use(caller, "idle", { session_id });
      await client.call("session.close", { session_id, plans: "cancel" });
      expect(await client.call("_cleveragents/session/delete", { session_id })).toEqual({
        session_id,
        status: "deleted",
        messages_removed: 2,
        plans_orphaned: [plan_id],
      });
      const shown = client.call("_cleveragents/session/show", { session_id });
      expect(await refusalOf(shown)).toEqual(asRefusal("SessionNotFound"));
      const task = client.call("GetTask", { id: told.task?.id ?? "" });
      expect(await refusalOf(task)).toEqual(asRefusal("TaskNotFound"));
      const { tasks } = await client.call("ListTasks", { contextId: session_id });
      expect(tasks.map(({ id }) => id)).toEqual([plan_id]);
      expect((await client.call("_cleveragents/session/list", {})).total).toBe(0);
    });

    test("is refused while there is work that was not applied, which it names; forced, the work is cancelled", async () => {
      const caller = stranger(world());
      const { client } = caller;
      const session_id = await openSession(caller);
      const { plan_id } = await toGate(caller, "touch", { session_id });
      await client.call("session.close", { session_id });
      const refused = client.call("_cleveragents/session/delete", { session_id });
      await expect(refused).rejects.toMatchObject({
        reason: "INVALID_STATE",
        data: { session_id, status: "closed", plans: [plan_id] },
      });
      expect(await client.call("_cleveragents/session/delete", { session_id, force: true })).toMatchObject({
        status: "deleted",
        plans_orphaned: [plan_id],
      });
      expect(await client.call("_cleveragents/plan/status", { plan_id })).toMatchObject({
        task_state: "TASK_STATE_CANCELED",
      });
    });

    test("forced, ends whatever goes on", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const slow = await tell(caller, session_id, "slow-30s", { wait: false });
      await caller.client.call("_cleveragents/session/delete", { session_id, force: true });
      const task = caller.client.call("GetTask", { id: slow.task?.id ?? "" });
      expect(await refusalOf(task)).toEqual(asRefusal("TaskNotFound"));
    });

    refusals("_cleveragents/session/delete", world, {
      InvalidParams: {
        "no session": ({ client }) => client.call("_cleveragents/session/delete", {} as never),
      },
      SessionNotFound: {
        "an unknown session": ({ client }) =>
          client.call("_cleveragents/session/delete", { session_id: "nope" }),
        "somebody else's session": async (w) => {
          const session_id = await openSession(stranger(w));
          return stranger(w).client.call("_cleveragents/session/delete", { session_id, force: true });
        },
      },
      InvalidState: {
        "a session that is not closed": async (w) => {
          const session_id = await openSession(w);
          return w.client.call("_cleveragents/session/delete", { session_id });
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["task:read"]).client.call("_cleveragents/session/delete", { session_id: "x" }),
      },
    });
  });
}
