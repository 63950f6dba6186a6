import { PLATFORM_EXTENSION, RESUME_EXTENSION } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { atRest, stateOf, stranger, use } from "../../world/index.ts";
import { anId, aTime } from "../matchers.ts";
import { drain, refusals } from "../refusals.ts";
import { callOf, type Prepared, say } from "./fixtures.ts";

const ONE_FILE = {
  files: 1,
  created: 1,
  modified: 0,
  deleted: 0,
  renamed: 0,
  mode_changes: 0,
  binary: 0,
  insertions: 1,
  deletions: 0,
};

export function getTask({ world, manual, gate }: Prepared): void {
  describe("GetTask", () => {
    test("a plan at its gate is a task with what it offers and what it asks", async () => {
      const task = await world().client.call("GetTask", { id: gate() });
      const { digest } = await world().client.call("_cleveragents/plan/diff", { plan_id: gate() });
      expect(task).toEqual({
        id: gate(),
        contextId: anId,
        status: {
          state: "TASK_STATE_INPUT_REQUIRED",
          timestamp: aTime,
          message: expect.objectContaining({ role: "ROLE_AGENT", taskId: gate() }),
        },
        artifacts: [
          {
            artifactId: "changeset",
            name: "changeset",
            description: "What the plan would change",
            parts: [
              { mediaType: "application/json", data: { digest, ...ONE_FILE, paths: ["touched.txt"] } },
              {
                mediaType: "text/x-patch",
                filename: `${gate()}.patch`,
                text: expect.stringContaining("+touched\n"),
              },
            ],
          },
        ],
        history: [task.status.message],
        metadata: {
          [PLATFORM_EXTENSION]: {
            plan_id: gate(),
            action: "local/touch",
            phase: "execute",
            state: "complete",
          },
        },
      });
    });

    test("historyLength gives the newest messages, and none for 0", async () => {
      const { client } = world();
      const { task } = (await client.call("SendMessage", { message: callOf("idle", "manual") })) as {
        task: { id: string };
      };
      for (const text of ["perhaps", "or not"])
        await client.call("SendMessage", { message: say(text, { taskId: task.id }) });
      const history = async (historyLength?: number) =>
        (
          await client.call("GetTask", {
            id: task.id,
            ...(historyLength === undefined ? {} : { historyLength }),
          })
        ).history;
      const all = (await history()) ?? [];
      expect(all).toHaveLength(6);
      expect(all.map(({ role }) => role.slice(5))).toEqual([
        "USER",
        "AGENT",
        "USER",
        "AGENT",
        "USER",
        "AGENT",
      ]);
      expect(await history(2)).toEqual(all.slice(-2));
      expect(await history(0)).toBeUndefined();
      expect(await history(1000)).toEqual(all);
    });

    refusals("GetTask", world, {
      InvalidParams: {
        "no id": ({ client }) => client.call("GetTask", {} as never),
        "an empty id": ({ client }) => client.call("GetTask", { id: "" }),
        "an id that is no string": ({ client }) => client.call("GetTask", { id: 7 } as never),
        "a negative historyLength": ({ client }) =>
          client.call("GetTask", { id: manual(), historyLength: -1 }),
      },
      TaskNotFound: {
        "an unknown id": ({ client }) => client.call("GetTask", { id: "nope" }),
        "somebody else's task": (w) => w.as("somebody-else").client.call("GetTask", { id: manual() }),
      },
      PermissionDenied: {
        "a caller without task:read, before its params are looked at,": (w) =>
          w.as("writer", ["task:write"]).client.call("GetTask", { id: "x".repeat(300) }),
      },
    });
  });
}

export function listTasks({ world }: Prepared): void {
  describe("ListTasks", () => {
    test("a caller without tasks has an empty page", async () => {
      expect(await stranger(world()).client.call("ListTasks", {})).toEqual({
        tasks: [],
        nextPageToken: "",
        pageSize: 50,
        totalSize: 0,
      });
    });

    test("the caller's own tasks come newest status first, page by page, each once", async () => {
      const caller = stranger(world());
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) {
        const { plan_id } = await use(caller, "idle");
        await atRest(caller.client, plan_id);
        ids.unshift(plan_id);
      }
      const first = await caller.client.call("ListTasks", { pageSize: 2 });
      expect(first).toMatchObject({ pageSize: 2, totalSize: 3, nextPageToken: expect.stringMatching(/./) });
      const second = await caller.client.call("ListTasks", { pageSize: 2, pageToken: first.nextPageToken });
      expect(second).toMatchObject({ pageSize: 2, totalSize: 3, nextPageToken: "" });
      expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual(ids);
      const [task] = first.tasks;
      expect(task).toEqual({
        id: ids[0],
        contextId: anId,
        status: {
          state: "TASK_STATE_INPUT_REQUIRED",
          timestamp: aTime,
          message: expect.objectContaining({ role: "ROLE_AGENT" }),
        },
        metadata: {
          [PLATFORM_EXTENSION]: {
            plan_id: ids[0],
            action: "local/idle",
            phase: "strategize",
            state: "queued",
          },
        },
      });
    });

    test("filters by context, state and time; artifacts and history only when asked for", async () => {
      const { client } = world();
      const waiting = await client.call("ListTasks", {
        status: "TASK_STATE_INPUT_REQUIRED",
        includeArtifacts: true,
        historyLength: 1,
      });
      expect(waiting.tasks.map(({ status }) => status.state)).toEqual(
        waiting.tasks.map(() => "TASK_STATE_INPUT_REQUIRED"),
      );
      const offering = waiting.tasks.find(({ artifacts }) => artifacts !== undefined);
      expect(offering?.artifacts?.[0]?.artifactId).toBe("changeset");
      expect(offering?.history).toHaveLength(1);
      const contextId = offering?.contextId ?? "";
      const here = await client.call("ListTasks", { contextId });
      expect(here.tasks.map(({ id }) => id)).toEqual([offering?.id]);
      expect(here.tasks[0]).not.toHaveProperty("artifacts");
      expect(here.tasks[0]).not.toHaveProperty("history");
      const since = offering?.status.timestamp ?? "";
      expect((await client.call("ListTasks", { contextId, statusTimestampAfter: since })).totalSize).toBe(1);
      expect(
        (await client.call("ListTasks", { contextId, statusTimestampAfter: "2999-01-01T00:00:00Z" })).tasks,
      ).toEqual([]);
    });

    refusals("ListTasks", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("ListTasks", { pageSize: 0 }),
        "a page of more than a hundred": ({ client }) => client.call("ListTasks", { pageSize: 101 }),
        "a state that is none": ({ client }) => client.call("ListTasks", { status: "working" as never }),
        "a time that is none": ({ client }) =>
          client.call("ListTasks", { statusTimestampAfter: "yesterday" }),
        "a token that is not ours": ({ client }) => client.call("ListTasks", { pageToken: "nope" }),
      },
      PermissionDenied: {
        "a caller without task:read": (w) => w.as("writer", ["task:write"]).client.call("ListTasks", {}),
      },
    });
  });
}

export function cancelTask({ world, done }: Prepared): void {
  describe("CancelTask", () => {
    test("a plan that waits is canceled, durably and for good", async () => {
      const { client } = world();
      const { plan_id: id } = await use(world(), "idle");
      await atRest(client, id);
      const canceled = await client.call("CancelTask", { id });
      expect(canceled).toEqual({
        id,
        contextId: anId,
        status: { state: "TASK_STATE_CANCELED", timestamp: aTime },
        history: [expect.objectContaining({ role: "ROLE_AGENT" })],
        metadata: {
          [PLATFORM_EXTENSION]: {
            plan_id: id,
            action: "local/idle",
            phase: "strategize",
            state: "cancelled",
          },
        },
      });
      expect(await client.call("GetTask", { id })).toEqual(canceled);
    });

    refusals("CancelTask", world, {
      InvalidParams: { "no id": ({ client }) => client.call("CancelTask", {} as never) },
      TaskNotFound: {
        "an unknown id": ({ client }) => client.call("CancelTask", { id: "nope" }),
        "somebody else's task": (w) => w.as("somebody-else").client.call("CancelTask", { id: done() }),
      },
      TaskNotCancelable: {
        "a finished task": ({ client }) => client.call("CancelTask", { id: done() }),
        "a canceled task": async (w) => {
          const { plan_id: id } = await use(w, "idle");
          await w.client.call("CancelTask", { id });
          return w.client.call("CancelTask", { id });
        },
      },
      PermissionDenied: {
        "a caller who may only read": (w) =>
          w.as("reader", ["task:read"]).client.call("CancelTask", { id: done() }),
      },
    });
  });
}

export function subscribeToTask({ world, manual, gate, done }: Prepared): void {
  describe("SubscribeToTask", () => {
    test("gives the Task, then every event until the task ends, each with its cursor", async () => {
      const { client } = world();
      const { plan_id: id } = await use(world(), "idle");
      await atRest(client, id);
      const task = await client.call("GetTask", { id });
      const stream = client.stream("SubscribeToTask", { id })[Symbol.asyncIterator]();
      const first = await stream.next();
      expect(first.value).toEqual({ cursor: expect.stringMatching(`^${id}:\\d+$`), result: { task } });
      await client.call("CancelTask", { id });
      const second = await stream.next();
      const seq = Number(first.value?.cursor?.split(":")[1]);
      expect(second.value).toEqual({
        cursor: `${id}:${seq + 1}`,
        result: {
          statusUpdate: {
            taskId: id,
            contextId: task.contextId,
            status: { state: "TASK_STATE_CANCELED", timestamp: aTime },
            metadata: {
              [PLATFORM_EXTENSION]: { event: "plan.cancelled", phase: "strategize", state: "cancelled" },
            },
          },
        },
      });
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    });

    test("the stream stays open while the task waits for input", async () => {
      const { client } = world();
      const { plan_id: id } = await use(world(), "idle", { automation_profile: "supervised" });
      await atRest(client, id);
      const stream = client.stream("SubscribeToTask", { id })[Symbol.asyncIterator]();
      await stream.next();
      await client.call("SendMessage", { message: say("no", { taskId: id }) });
      const states: (string | undefined)[] = [];
      for (let next = await stream.next(); next.done !== true; next = await stream.next())
        states.push(stateOf(next.value));
      expect(states).toEqual(["TASK_STATE_WORKING", "TASK_STATE_CANCELED"]);
    });

    test("with the resume extension a finished task can be read again", async () => {
      const stream = world().client.stream(
        "SubscribeToTask",
        { id: done() },
        { extensions: [RESUME_EXTENSION] },
      );
      const items = await drain(stream);
      expect(items.map(({ result }) => result)).toEqual([
        { task: await world().client.call("GetTask", { id: done() }) },
      ]);
    });

    refusals("SubscribeToTask", world, {
      InvalidParams: {
        "no id": ({ client }) => drain(client.stream("SubscribeToTask", {} as never)),
        "a cursor of another task": ({ client }) =>
          drain(
            client.stream(
              "SubscribeToTask",
              { id: gate() },
              { extensions: [RESUME_EXTENSION], lastEventId: `${manual()}:1` },
            ),
          ),
        "a cursor that is none": ({ client }) =>
          drain(
            client.stream(
              "SubscribeToTask",
              { id: gate() },
              { extensions: [RESUME_EXTENSION], lastEventId: "seven" },
            ),
          ),
      },
      TaskNotFound: {
        "an unknown id": ({ client }) => drain(client.stream("SubscribeToTask", { id: "nope" })),
        "somebody else's task": (w) =>
          drain(w.as("somebody-else").client.stream("SubscribeToTask", { id: gate() })),
      },
      UnsupportedOperation: {
        "a finished task without the resume extension": ({ client }) =>
          drain(client.stream("SubscribeToTask", { id: done() })),
      },
      PermissionDenied: {
        "a caller without task:read": (w) =>
          drain(w.as("writer", ["task:write"]).client.stream("SubscribeToTask", { id: gate() })),
      },
    });
  });
}
