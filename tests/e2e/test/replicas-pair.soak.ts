import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { followTask } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import {
  inTheMiddle,
  mark,
  postgresForTests,
  processesWith,
  Replicas,
  statusOf,
  untilState,
} from "./replicas-fixtures.ts";
import { until } from "./support.ts";

const SLOW = 180_000;
const postgres = await postgresForTests();

describe.skipIf(postgres === undefined)("two servers on one database", () => {
  const open = async () => Replicas.on(postgres as NonNullable<typeof postgres>);

  test("get, list, follow and cancel each other's tasks, and a cancel ends the command that the other one runs", {
    timeout: SLOW,
  }, async () => {
    await using place = await open();
    const a = await place.server();
    const one = place.client(a);
    const seconds = mark();
    await place.furnish(one, "long", [`run: { command: "echo begun; exec sleep ${seconds}" }`]);
    const { plan_id: id } = await one.call("_cleveragents/plan/use", {
      action_name: "long",
      automation_profile: "trusted",
    });
    await until(() => processesWith(seconds).length > 0);

    const b = await place.server();
    const two = place.client(b);
    expect((await two.call("GetTask", { id })).status.state).toBe("TASK_STATE_WORKING");
    expect((await two.call("ListTasks", {})).tasks.map((task) => task.id)).toEqual([id]);

    const seen: string[] = [];
    const followed = (async () => {
      for await (const item of followTask(two, id, { after: `${id}:0` }))
        if (!("task" in item.result)) seen.push(item.cursor ?? "");
    })();
    await until(() => seen.length > 2);
    expect((await two.call("CancelTask", { id })).status.state).toBe("TASK_STATE_CANCELED");
    await followed;
    expect(seen).toEqual(seen.map((_, n) => `${id}:${n + 1}`));
    await until(() => processesWith(seconds).length === 0);
    expect((await one.call("GetTask", { id })).status.state).toBe("TASK_STATE_CANCELED");
    // Who ran it cleans up behind it.
    await until(() => !existsSync(join(place.dataDir, "sandboxes", id)));
  });

  test("a plan that one of them carries out is answered and applied through the other", {
    timeout: SLOW,
  }, async () => {
    await using place = await open();
    const a = await place.server();
    const one = place.client(a);
    await place.furnish(one, "colour", [
      "{ name: colour, ask: { question: Which?, options: [{ id: red }, { id: blue }] } }",
      'write: { path: colour.txt, content: "it is {{ results.colour.choice }}\\n" }',
    ]);
    const { plan_id: id } = await one.call("_cleveragents/plan/use", {
      action_name: "colour",
      automation_profile: "trusted",
    });
    await untilState(one, id, "INPUT_REQUIRED");
    const b = await place.server();
    const two = place.client(b);
    const asked = await statusOf(two, id);
    await two.call("_cleveragents/plan/approve", {
      plan_id: id,
      request_id: asked.waiting_for?.request_id,
      option: "blue",
    });
    await until(async () => (await statusOf(one, id)).waiting_for?.kind === "apply");
    const { digest } = await statusOf(two, id);
    await two.call("_cleveragents/plan/apply", { plan_id: id, digest });
    expect(readFileSync(join(place.project, "colour.txt"), "utf8")).toBe("it is blue\n");
    expect((await statusOf(one, id)).task_state).toBe("TASK_STATE_COMPLETED");
  });

  test("when one is killed while it runs a step, the other takes the plan over: the command ends, and its effect is there once", {
    timeout: SLOW,
  }, async () => {
    await using place = await open();
    const { id, word, running, worker, client } = await inTheMiddle(place);
    worker.child.kill("SIGKILL");
    await until(() => !processesWith(word).some((pid) => running.includes(pid)), 60_000);
    expect(existsSync(join(place.dataDir, "sandboxes", id, "tree", "effect.txt"))).toBe(false);
    await until(async () => (await statusOf(client, id)).waiting_for?.kind === "apply", 60_000);
    const { digest } = await statusOf(client, id);
    await client.call("_cleveragents/plan/apply", { plan_id: id, digest });
    expect(readFileSync(join(place.project, "effect.txt"), "utf8")).toBe("effect\n");
    expect(processesWith(word)).toEqual([]);
  });
});
