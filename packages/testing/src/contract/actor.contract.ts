import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ModelServer } from "../model-server/index.ts";
import type { OpenWorld, World } from "../world/world.ts";
import { anId } from "./matchers.ts";
import { refusals } from "./refusals.ts";

/** Actors on their own: one message, and no session. */
export function actorContract(open: OpenWorld): void {
  let server: ModelServer;
  let shared: World;
  beforeAll(async () => {
    server = await ModelServer.start(() => ({ text: "Good day." }));
    shared = await open({
      providers: `providers:\n  test: { kind: openai, base_url: '${server.openAiUrl}', retries: 0 }\n`,
    });
    const documents = [
      "name: talker\ntype: llm\ndescription: x\nmodel: test/model\n",
      "name: scripted\ntype: script\ndescription: x\nscript: { steps: [{ say: { text: x } }] }\n",
      "name: reader\ntype: tool\ndescription: x\ntool: builtin/read_file\narguments: { path: '{{ args.path }}' }\n",
      "name: writer\ntype: tool\ndescription: x\ntool: builtin/write_file\narguments: { path: a, content: '{{ args.text }}' }\n",
    ];
    for (const document of documents)
      await shared.client.call("_cleveragents/registry/actor/add", { document });
  });
  afterAll(async () => {
    await shared[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const world = () => shared;
  const RUN = "_cleveragents/registry/actor/run";

  describe("_cleveragents/registry/actor/run", () => {
    test("answers what the actor says, with the task that said it, in a context of its own", async () => {
      const ran = await world().client.call(RUN, { name: "talker", text: "Hello" });
      expect(ran).toMatchObject({
        actor: "local/talker",
        message_id: anId,
        response: "Good day.",
        task: { status: { state: "TASK_STATE_COMPLETED" }, history: [{ parts: [{ text: "Hello" }] }, {}] },
      });
      const again = await world().client.call(RUN, { name: "local/talker", text: "Hello" });
      expect(again.task?.contextId).not.toBe(ran.task?.contextId);
    });

    test("does not wait where that is not wanted, and is one task for one message", async () => {
      const params = { name: "talker", text: "Hello", message_id: "run-once", wait: false };
      const [one, two] = [await world().client.call(RUN, params), await world().client.call(RUN, params)];
      expect(two.task?.id).toBe(one.task?.id);
    });

    test("a tool that works on files says that it needs a project, and one that changes them that it is for plans", async () => {
      const parts = [{ data: { path: "a" } }];
      expect(await world().client.call(RUN, { name: "reader", parts })).toMatchObject({
        response: expect.stringContaining("files of a project"),
        task: { status: { state: "TASK_STATE_FAILED" } },
      });
      expect(await world().client.call(RUN, { name: "writer", text: "x", unsafe: true })).toMatchObject({
        response: expect.stringContaining("use it in an action's plan"),
        task: { status: { state: "TASK_STATE_REJECTED" } },
      });
    });

    refusals("_cleveragents/registry/actor/run", world, {
      InvalidParams: {
        "nothing to say": ({ client }) => client.call(RUN, { name: "talker" }),
        "an actor that does not converse": ({ client }) => client.call(RUN, { name: "scripted", text: "x" }),
      },
      EntryNotFound: {
        "an actor that is none": {
          reason: "ACTOR_NOT_FOUND",
          attempt: ({ client }) => client.call(RUN, { name: "nobody", text: "x" }),
        },
      },
      TaskNotFound: {
        "a task that is none": ({ client }) =>
          client.call(RUN, { name: "talker", text: "x", task_id: "01K5ZZZZZZZZZZZZZZZZZZZZZZ" }),
      },
      InvalidState: {
        "a task that is over": async ({ client }) => {
          const { task } = await client.call(RUN, { name: "talker", text: "x" });
          await client.call(RUN, { name: "talker", text: "y", task_id: task?.id ?? null });
        },
      },
      Forbidden: {
        "a caller without task:write": (w) =>
          w.as("reader", ["task:read"]).client.call(RUN, { name: "talker", text: "x" }),
      },
    });
  });
}
