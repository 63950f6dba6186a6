import { describe, expect, test } from "vitest";
import { followUntil, stateOf } from "../../world/index.ts";
import { stranger, type World } from "../../world/world.ts";
import { anId } from "../matchers.ts";
import { asRefusal, drain, refusalOf, refusals } from "../refusals.ts";
import { say } from "../task/fixtures.ts";
import { openSession, tell } from "./fixtures.ts";

export function telling(world: () => World): void {
  describe("_cleveragents/session/tell", () => {
    test("asks who answers in the session, and answers what they say with the task that said it", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const told = await tell(caller, session_id, "echo hello");
      expect(told).toMatchObject({
        session_id,
        message_id: anId,
        response: "Echoed.",
        task: {
          contextId: session_id,
          status: { state: "TASK_STATE_COMPLETED" },
          artifacts: [{ parts: [{ text: "echo hello" }] }],
        },
      });
      expect(await caller.client.call("GetTask", { id: told.task?.id ?? "" })).toEqual(told.task);
    });

    test("takes files by their bytes and by URL, and keeps them as they came", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const parts = [
        { text: "echo" },
        { raw: "AAEC", filename: "a.bin", mediaType: "application/octet-stream" },
        { url: "https://example.com/b.png", mediaType: "image/png" },
      ];
      const { task } = await caller.client.call("_cleveragents/session/tell", { session_id, parts });
      expect(task?.history?.[0]?.parts).toEqual(parts);
    });

    test("the same message twice is one task, and is answered the same", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const [one, two] = await Promise.all(
        [1, 2].map(() => tell(caller, session_id, "echo once", { message_id: `m-${session_id}` })),
      );
      const three = await tell(caller, session_id, "echo once", { message_id: `m-${session_id}` });
      expect([two?.task?.id, three.task?.id]).toEqual([one?.task?.id, one?.task?.id]);
    });

    test("an actor that does not converse is said to, with what can be done instead", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller, { actor: "helper" });
      const told = await tell(caller, session_id, "hello?");
      expect(told).toMatchObject({ actor: "local/helper", message: { contextId: session_id } });
      expect(told.response).toMatch(/local\/helper does not converse/);
      expect(told.task).toBeUndefined();
    });

    test("what a task asked is answered in that task", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const asking = await tell(caller, session_id, "ask");
      expect(asking.response).toBe("What should I call it?");
      const answered = await tell(caller, session_id, "echo Rex", { task_id: asking.task?.id ?? null });
      expect(answered).toMatchObject({
        response: "Echoed.",
        task: { id: asking.task?.id, status: { state: "TASK_STATE_COMPLETED" } },
      });
    });

    test("an action for an actor is carried out with what was said, as a plan of the session", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller, { actor: "full-edit" });
      const message_id = `told-${session_id}`;
      const told = await tell(caller, session_id, "Ada", { message_id });
      const plan_id = told.task?.id ?? "";
      expect(told).toMatchObject({ actor: "local/full-edit", task: { contextId: session_id } });
      expect(await caller.client.call("_cleveragents/plan/status", { plan_id })).toMatchObject({
        action: "local/full-edit",
        context_id: session_id,
      });
      expect((await tell(caller, session_id, "Ada", { message_id })).task?.id).toBe(plan_id);
      const shown = await caller.client.call("_cleveragents/session/show", { session_id });
      expect(shown.linked_plans.map((plan) => plan.plan_id)).toEqual([plan_id]);
      await caller.client.call("_cleveragents/plan/cancel", { plan_id });
      // It has no place for a text, and does nothing with one.
      const deaf = await openSession(caller, { actor: "idle" });
      expect(await tell(caller, deaf, "hello?")).toMatchObject({ message: { contextId: deaf } });
    });

    test("a message is told to whoever streams as it is to whoever waits", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const message = say("burst-5", { contextId: session_id });
      const items = await drain(caller.client.stream("SendStreamingMessage", { message }));
      const texts = items.flatMap(({ result }) =>
        "artifactUpdate" in result ? result.artifactUpdate.artifact.parts.map(({ text }) => text) : [],
      );
      expect(texts.join("")).toBe("1 2 3 4 5 ");
      expect(stateOf(items.at(-1) as never)).toBe("TASK_STATE_COMPLETED");
    });

    test("messages of one session wait for each other, in order, and those of another do not", async () => {
      const caller = stranger(world());
      const [busy, idle] = [await openSession(caller), await openSession(caller)];
      const first = await tell(caller, busy, "slow-30s", { wait: false });
      const second = await tell(caller, busy, "echo second", { wait: false });
      const third = await tell(caller, busy, "echo third", { wait: false });
      expect((await tell(caller, idle, "echo at once")).task?.status.state).toBe("TASK_STATE_COMPLETED");
      const stateNow = async (id = "") => (await caller.client.call("GetTask", { id })).status.state;
      expect(await stateNow(second.task?.id)).toBe("TASK_STATE_SUBMITTED");
      expect(await stateNow(third.task?.id)).toBe("TASK_STATE_SUBMITTED");
      expect(await caller.client.call("_cleveragents/session/show", { session_id: busy })).toMatchObject({
        tasks: 3,
        waiting: 3,
      });
      await caller.client.call("CancelTask", { id: first.task?.id ?? "" });
      await followUntil(
        caller.client,
        third.task?.id ?? "",
        (item) => stateOf(item) === "TASK_STATE_COMPLETED",
      );
      expect(await stateNow(second.task?.id)).toBe("TASK_STATE_COMPLETED");
      const { tasks } = await caller.client.call("ListTasks", { contextId: busy });
      expect(tasks.map(({ id }) => id)).toEqual([third.task?.id, second.task?.id, first.task?.id]);
    });

    test("a message that waits can be cancelled, and those behind it move up", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const first = await tell(caller, session_id, "slow-30s", { wait: false });
      const second = await tell(caller, session_id, "echo second", { wait: false });
      const third = tell(caller, session_id, "echo third");
      await caller.client.call("CancelTask", { id: second.task?.id ?? "" });
      await caller.client.call("CancelTask", { id: first.task?.id ?? "" });
      expect((await third).task?.status.state).toBe("TASK_STATE_COMPLETED");
      const { status } = await caller.client.call("GetTask", { id: second.task?.id ?? "" });
      expect(status.state).toBe("TASK_STATE_CANCELED");
    });

    test("a task that asks does not hold the others up, and is answered in its turn", async () => {
      const caller = stranger(world());
      const session_id = await openSession(caller);
      const asking = await tell(caller, session_id, "ask");
      expect(asking.task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
      expect((await tell(caller, session_id, "echo between")).task?.status.state).toBe(
        "TASK_STATE_COMPLETED",
      );
      const slow = await tell(caller, session_id, "slow-30s", { wait: false });
      const message = say("echo Rex", { taskId: asking.task?.id ?? "" });
      const queued = await caller.client.call("SendMessage", {
        message,
        configuration: { returnImmediately: true },
      });
      expect(queued).toMatchObject({ task: { status: { state: "TASK_STATE_WORKING" } } });
      const early = caller.client.call("SendMessage", {
        message: say("echo", { taskId: asking.task?.id ?? "" }),
      });
      expect(await refusalOf(early)).toEqual(asRefusal("UnsupportedOperation"));
      await caller.client.call("CancelTask", { id: slow.task?.id ?? "" });
      await followUntil(
        caller.client,
        asking.task?.id ?? "",
        (item) => stateOf(item) === "TASK_STATE_COMPLETED",
      );
    });

    refusals("_cleveragents/session/tell", world, {
      InvalidParams: {
        "nothing to say": ({ client }) =>
          client.call("_cleveragents/session/tell", { session_id: "x", text: "" }),
        "neither a text nor parts": async (w) => {
          const session_id = await openSession(w);
          return w.client.call("_cleveragents/session/tell", { session_id });
        },
        "a text and parts": async (w) => {
          const session_id = await openSession(w);
          return w.client.call("_cleveragents/session/tell", {
            session_id,
            text: "a",
            parts: [{ text: "b" }],
          });
        },
        "more files than a message has": async (w) => {
          const session_id = await openSession(w);
          const parts = Array.from({ length: 65 }, (_, n) => ({ url: `https://example.com/${n}` }));
          return w.client.call("_cleveragents/session/tell", { session_id, parts });
        },
      },
      EntryNotFound: {
        "an unknown project": {
          reason: "PROJECT_NOT_FOUND",
          attempt: async (w) =>
            tell(w, await openSession(w, { actor: "full-edit" }), "Ada", { project: "nowhere" }),
        },
      },
      SessionNotFound: {
        "an unknown session": (w) => tell(w, "nope", "hello"),
        "somebody else's session": async (w) => tell(stranger(w), await openSession(stranger(w)), "hello"),
      },
      TaskNotFound: {
        "an unknown task": async (w) => tell(w, await openSession(w), "hello", { task_id: "nope" }),
        "somebody else's task": async (w) => {
          const other = stranger(w);
          const { task } = await tell(other, await openSession(other), "ask");
          return tell(w, await openSession(w), "hello", { task_id: task?.id ?? null });
        },
      },
      InvalidState: {
        "a task that is over": async (w) => {
          const session_id = await openSession(w);
          const { task } = await tell(w, session_id, "echo");
          return tell(w, session_id, "hello", { task_id: task?.id ?? null });
        },
        "a session that is closed": async (w) => {
          const session_id = await openSession(w);
          await w.client.call("session.close", { session_id });
          return tell(w, session_id, "hello");
        },
      },
      Forbidden: {
        "a caller who may only read": (w) => tell(w.as("reader", ["task:read"]), "x", "hello"),
      },
    });
  });
}
