import { describe, expect, test } from "vitest";
import { stranger, type World } from "../../world/world.ts";
import { asRefusal, drain, refusalOf } from "../refusals.ts";
import { say } from "../task/fixtures.ts";
import { taskOf } from "./turns.ts";

/** A task of one caller, tried by another one in every way there is. */
export function strangers(world: () => World): void {
  describe("somebody else's task", () => {
    const url = "https://example.com/hook";
    const config = { id: "mine", url, token: null, authentication: null };
    type Attempt = (caller: ReturnType<typeof stranger>, id: string) => Promise<unknown>;
    const attempts: Readonly<Record<string, Attempt>> = {
      GetTask: ({ client }, id) => client.call("GetTask", { id }),
      CancelTask: ({ client }, id) => client.call("CancelTask", { id }),
      SubscribeToTask: ({ client }, id) => drain(client.stream("SubscribeToTask", { id })),
      "SendMessage to it": ({ client }, id) =>
        client.call("SendMessage", { message: say("echo", { taskId: id }) }),
      "SendStreamingMessage to it": ({ client }, id) =>
        drain(client.stream("SendStreamingMessage", { message: say("echo", { taskId: id }) })),
      "SendMessage that refers to it": ({ client }, id) =>
        client.call("SendMessage", { message: say("echo", { referenceTaskIds: [id] }) }),
      CreateTaskPushNotificationConfig: ({ client }, taskId) =>
        client.call("CreateTaskPushNotificationConfig", { ...config, taskId }),
      GetTaskPushNotificationConfig: ({ client }, taskId) =>
        client.call("GetTaskPushNotificationConfig", { taskId, id: "mine" }),
      ListTaskPushNotificationConfigs: ({ client }, taskId) =>
        client.call("ListTaskPushNotificationConfigs", { taskId }),
      DeleteTaskPushNotificationConfig: ({ client }, taskId) =>
        client.call("DeleteTaskPushNotificationConfig", { taskId, id: "mine" }),
    };

    test.each(Object.entries(attempts))("by %s is answered as one that never was", async (_, attempt) => {
      const owner = stranger(world());
      const { id } = await taskOf(owner.client, say("ask"));
      await owner.client.call("CreateTaskPushNotificationConfig", { ...config, taskId: id });
      const other = stranger(world());
      expect(await refusalOf(attempt(other, id))).toEqual(asRefusal("TaskNotFound"));
      expect(await refusalOf(attempt(other, "ghost"))).toEqual(asRefusal("TaskNotFound"));
      expect((await other.client.call("ListTasks", {})).totalSize).toBe(0);
      expect((await owner.client.call("GetTask", { id })).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
      const { configs } = await owner.client.call("ListTaskPushNotificationConfigs", { taskId: id });
      expect(configs).toHaveLength(1);
    });
  });
}
