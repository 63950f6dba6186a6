import { MASKED_SECRET, type ParamsInputOf, RemoteError } from "@cleveragents/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptedMessageActor } from "../actors/scripted-message-actor.ts";
import type { OpenWorld, World } from "../world/world.ts";
import { stranger } from "../world/world.ts";
import { taskOf } from "./conversation/turns.ts";
import { anId } from "./matchers.ts";
import { refusals } from "./refusals.ts";
import { say } from "./task/fixtures.ts";

/** Nobody listens there, which is no business of a registration. */
const URL = "http://127.0.0.1:9/webhook";

type Registration = Omit<ParamsInputOf<"CreateTaskPushNotificationConfig">, "taskId">;

/** Who is posted a task's events (A2A §3.1.7 to §3.1.10); that they are posted is tested elsewhere. */
export function pushContract(open: OpenWorld): void {
  let opened: World;
  let off: World;
  let asking: string;
  const world = () => opened;
  beforeAll(async () => {
    opened = await open({ bare: true, actor: scriptedMessageActor });
    off = await open({ bare: true, capabilities: { pushNotifications: false } });
    asking = await task();
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await off[Symbol.asyncDispose]();
  });
  /** One that is not over, so that nothing is posted unless a test says something in it. */
  const task = async (w: Pick<World, "client"> = world()) => (await taskOf(w.client, say("ask"))).id;
  const create = (
    taskId: string,
    more: Partial<Registration> = {},
    { client }: Pick<World, "client"> = world(),
  ) => client.call("CreateTaskPushNotificationConfig", { taskId, url: URL, ...more });
  const list = (taskId: string, more = {}) =>
    world().client.call("ListTaskPushNotificationConfigs", { taskId, ...more });

  describe("CreateTaskPushNotificationConfig", () => {
    test("gives an id where there is none, and shows what it keeps with secrets masked", async () => {
      const taskId = await task();
      const authentication = { scheme: "bearer", credentials: "s3cret" };
      const made = await create(taskId, { token: "t0ken", authentication });
      expect(made).toEqual({
        id: anId,
        taskId,
        url: URL,
        token: MASKED_SECRET,
        authentication: { scheme: "bearer", credentials: MASKED_SECRET },
      });
      const second = await create(taskId);
      expect(second).toEqual({ id: anId, taskId, url: URL });
      expect((await list(taskId)).configs).toEqual([made, second]);
    });

    test("keeps a caller's id, and the same one replaces", async () => {
      const taskId = await task();
      await create(taskId, { id: "mine", token: "t" });
      const other = await create(taskId, { id: "mine", url: `${URL}/new` });
      expect(other).toEqual({ id: "mine", taskId, url: `${URL}/new` });
      expect((await list(taskId)).configs).toEqual([other]);
    });

    test("takes members that are written as empty for absent", async () => {
      const authentication = { scheme: "", credentials: "" };
      const made = await create(await task(), { id: "", token: "", tenant: "", authentication });
      expect(Object.keys(made).sort()).toEqual(["id", "taskId", "url"]);
    });

    test("takes an address of the internet, and any scheme of HTTP", async () => {
      const over = (await taskOf(world().client, say("echo"))).id;
      const url = "https://example.com/webhook";
      expect(await create(over, { url, authentication: { scheme: "Digest" } })).toMatchObject({
        url,
        authentication: { scheme: "Digest" },
      });
    });

    test.each([
      ["url", { url: "not a url" }],
      ["url", { url: "file:///etc/passwd" }],
      ["url", { url: "https://user:pass@example.com/" }],
      ["url", { url: "http://169.254.169.254/latest" }],
      ["url", { url: "http://[::ffff:10.0.0.5]/" }],
      ["url", { url: "http://localhost./" }],
      ["url", { url: `https://example.com/${"a".repeat(2100)}` }],
      ["token", { token: "a\r\nX-Evil: 1" }],
      ["token", { token: MASKED_SECRET }],
      ["authentication.credentials", { authentication: { scheme: "Bearer", credentials: "a\nb" } }],
      ["authentication.scheme", { authentication: { scheme: "Be arer", credentials: "a" } }],
    ] as const)("refuses what cannot be posted to, naming %s: %j", async (field, more) => {
      const before = await list(asking);
      const refused = await create(asking, more).catch((error: unknown) => error);
      expect(
        RemoteError.is(refused) && [refused.code, JSON.stringify(refused.data).includes(`"${field}"`)],
      ).toEqual([-32602, true]);
      expect(JSON.stringify(refused)).not.toContain("Evil");
      expect(await list(asking)).toEqual(before);
    });

    refusals("CreateTaskPushNotificationConfig", world, {
      InvalidParams: {
        "no url": ({ client }) =>
          client.call("CreateTaskPushNotificationConfig", { taskId: asking } as never),
        "an address that may never be posted to": () => create(asking, { url: "http://10.0.0.5/" }),
      },
      TaskNotFound: {
        "an unknown task": () => create("nope"),
        "somebody else's task": (w) => create(asking, {}, stranger(w)),
      },
      PushNotificationNotSupported: {
        "a server without notifications": () => create(asking, {}, off),
      },
      PermissionDenied: {
        "a caller who may only read": (w) => create(asking, {}, w.as("reader", ["task:read"])),
      },
    });
  });

  describe("GetTaskPushNotificationConfig", () => {
    const get = ({ client }: Pick<World, "client">, taskId: string, id: string) =>
      client.call("GetTaskPushNotificationConfig", { taskId, id });

    test("shows one as it was shown when it was made", async () => {
      const made = await create(asking, { token: "x", id: "with / and ?" });
      expect(await get(world(), asking, made.id)).toEqual(made);
      await world().client.call("DeleteTaskPushNotificationConfig", { taskId: asking, id: made.id });
    });

    test("shows one of a task that is over", async () => {
      const over = (await taskOf(world().client, say("echo"))).id;
      const made = await create(over);
      expect(await get(world(), over, made.id)).toEqual(made);
    });

    refusals("GetTaskPushNotificationConfig", world, {
      InvalidParams: {
        "an id that is too long": (w) => get(w, asking, "x".repeat(300)),
      },
      TaskNotFound: {
        "an unknown configuration": (w) => get(w, asking, "nope"),
        "an unknown task": (w) => get(w, "nope", "nope"),
        "somebody else's task": async (w) => get(stranger(w), asking, (await create(asking)).id),
      },
      PushNotificationNotSupported: {
        "a server without notifications": () => get(off, asking, "x"),
      },
      PermissionDenied: {
        "a caller without task:read": (w) => get(w.as("nobody", []), asking, "x"),
      },
    });
  });

  describe("ListTaskPushNotificationConfigs", () => {
    test("comes in pages, oldest first, and is empty without any", async () => {
      const taskId = await task();
      expect(await list(taskId)).toEqual({ configs: [], nextPageToken: "" });
      for (const id of ["c", "a", "b"]) await create(taskId, { id });
      const pages = [];
      let pageToken = "";
      do {
        const page = await list(taskId, { pageSize: 2, pageToken });
        pages.push(page.configs.map(({ id }) => id));
        pageToken = page.nextPageToken;
      } while (pageToken !== "");
      expect(pages.map(({ length }) => length)).toEqual([2, 1]);
      expect(pages.flat().sort()).toEqual(["a", "b", "c"]);
      expect((await list(taskId, { pageSize: 0 })).configs).toHaveLength(3);
    });

    refusals("ListTaskPushNotificationConfigs", world, {
      InvalidParams: {
        "a token that is not ours": () => list(asking, { pageToken: "nope" }),
        "a page of less than none": () => list(asking, { pageSize: -1 }),
      },
      TaskNotFound: {
        "an unknown task": () => list("nope"),
        "somebody else's task": (w) =>
          stranger(w).client.call("ListTaskPushNotificationConfigs", { taskId: asking }),
      },
      PushNotificationNotSupported: {
        "a server without notifications": () =>
          off.client.call("ListTaskPushNotificationConfigs", { taskId: asking }),
      },
      PermissionDenied: {
        "a caller without task:read": (w) =>
          w.as("nobody", []).client.call("ListTaskPushNotificationConfigs", { taskId: asking }),
      },
    });
  });

  describe("DeleteTaskPushNotificationConfig", () => {
    const remove = ({ client }: Pick<World, "client">, taskId: string, id: string) =>
      client.call("DeleteTaskPushNotificationConfig", { taskId, id });

    test("takes one away, and answers the same again", async () => {
      const taskId = await task();
      const { id } = await create(taskId);
      await create(taskId, { id: "stays" });
      expect(await remove(world(), taskId, id)).toEqual({});
      expect(await remove(world(), taskId, id)).toEqual({});
      expect((await list(taskId)).configs.map((config) => config.id)).toEqual(["stays"]);
    });

    refusals("DeleteTaskPushNotificationConfig", world, {
      InvalidParams: {
        "an id that is too long": (w) => remove(w, asking, "x".repeat(300)),
      },
      TaskNotFound: {
        "an unknown task": (w) => remove(w, "nope", "x"),
        "somebody else's task": (w) => remove(stranger(w), asking, "x"),
      },
      PushNotificationNotSupported: {
        "a server without notifications": () => remove(off, asking, "x"),
      },
      PermissionDenied: {
        "a caller who may only read": (w) => remove(w.as("reader", ["task:read"]), asking, "x"),
      },
    });
  });

  describe("a configuration that comes with a message", () => {
    const configuration = (more: Partial<Registration> = {}) => ({
      taskPushNotificationConfig: { url: URL, ...more },
    });

    test("is kept for the task that the message makes, under the message's id if it has none", async () => {
      const message = say("ask");
      const { id: taskId } = await taskOf(world().client, message, configuration({ token: "x" }));
      expect((await list(taskId)).configs).toEqual([
        { id: message.messageId, taskId, url: URL, token: MASKED_SECRET },
      ]);
    });

    test("is kept for the task that goes on, beside the others", async () => {
      const { id: taskId } = await taskOf(world().client, say("ask"), configuration({ id: "first" }));
      await taskOf(world().client, say("ask", { taskId }), configuration({ id: "second" }));
      expect((await list(taskId)).configs.map(({ id }) => id).sort()).toEqual(["first", "second"]);
    });

    test("is one, however often the message comes", async () => {
      const message = say("ask");
      const first = await taskOf(world().client, message, configuration());
      await taskOf(world().client, message, configuration());
      expect((await list(first.id)).configs).toHaveLength(1);
    });

    test("that is refused leaves nothing behind", async () => {
      const { client } = stranger(world());
      for (const refused of [{ url: "http://10.0.0.5/" }, { url: URL, taskId: "another" }]) {
        await expect(
          client.call("SendMessage", {
            message: say("ask"),
            configuration: { taskPushNotificationConfig: refused },
          }),
        ).rejects.toMatchObject({
          code: -32602,
          message: expect.stringContaining("configuration.taskPushNotificationConfig."),
        });
      }
      expect((await client.call("ListTasks", {})).totalSize).toBe(0);
    });
  });
}
