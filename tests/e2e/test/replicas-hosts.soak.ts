import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, followTask } from "@cleveragents/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  mark,
  postgresForTests,
  processesWith,
  Replicas,
  statusOf,
  untilState,
} from "./replicas-fixtures.ts";
import { type RunningServer, until } from "./support.ts";

const SLOW = 180_000;
const postgres = await postgresForTests();

/** Each has a data directory of its own, as on two machines; the plans are the first one's. */
describe.skipIf(postgres === undefined)("servers of two hosts on one database", () => {
  let place: Replicas;
  let here: RunningServer;
  let one: Client;
  let two: Client;

  beforeAll(async () => {
    place = await Replicas.on(postgres as NonNullable<typeof postgres>);
    const elsewhere = join(place.dir, "elsewhere");
    here = await place.server();
    one = place.client(here);
    two = place.client(await place.server(["--data-dir", elsewhere]), elsewhere);
  }, SLOW);
  afterAll(() => place[Symbol.asyncDispose]());

  const use = async (action: string) => {
    const named = { action_name: action, automation_profile: "trusted" };
    return (await one.call("_cleveragents/plan/use", named)).plan_id;
  };
  const sandbox = (id: string) => join(place.dataDir, "sandboxes", id);

  test("a plan whose process was killed is left to its own host, whose next process goes on with it", {
    timeout: SLOW,
  }, async () => {
    const word = mark();
    await place.furnish(one, "slow", [
      `run: { command: "sh -c 'sleep 10; echo effect >> effect.txt' ${word}" }`,
    ]);
    await place.furnish(one, "short", [`run: { command: "sleep 6" }`]);
    const id = await use("slow");
    await until(() => processesWith(word).length > 0, 60_000);
    here.child.kill("SIGKILL");
    await until(() => here.child.signalCode !== null);
    // Its lease is over before the other host has finished something of its own.
    const named = { action_name: "short", automation_profile: "ci" };
    const { plan_id: own } = await two.call("_cleveragents/plan/use", named);
    await untilState(two, own, "COMPLETED");
    expect((await statusOf(two, id)).waiting_for?.kind).not.toBe("apply");
    expect(existsSync(join(place.dir, "elsewhere", "sandboxes", id))).toBe(false);

    here = await place.server();
    one = place.client(here);
    await until(async () => {
      const { waiting_for: asks } = await statusOf(two, id);
      // On a machine that is slow enough the host was silent for a minute.
      if (asks?.kind === "retry") {
        const answer = { request_id: asks.request_id, option: "retry" };
        await two.call("_cleveragents/plan/approve", { plan_id: id, ...answer });
      }
      return asks?.kind === "apply";
    }, 120_000);
    const { digest } = await statusOf(two, id);
    await two.call("_cleveragents/plan/apply", { plan_id: id, digest });
    expect(readFileSync(join(place.project, "effect.txt"), "utf8")).toBe("effect\n");
  });

  test("get, list, follow and cancel a plan of the other's, whose command ends there", {
    timeout: SLOW,
  }, async () => {
    const word = mark();
    await place.furnish(one, "long", [`run: { command: "echo begun; exec sleep ${word}" }`]);
    const id = await use("long");
    await until(() => processesWith(word).length > 0);
    expect((await two.call("GetTask", { id })).status.state).toBe("TASK_STATE_WORKING");
    expect((await two.call("ListTasks", {})).tasks.map((task) => task.id)).toContain(id);
    const seen: string[] = [];
    const followed = (async () => {
      for await (const { result, cursor } of followTask(two, id, { after: `${id}:0` }))
        if (!("task" in result)) seen.push(cursor ?? "");
    })();
    await until(() => seen.length > 2);
    expect((await two.call("CancelTask", { id })).status.state).toBe("TASK_STATE_CANCELED");
    await followed;
    expect(seen).toEqual(seen.map((_, n) => `${id}:${n + 1}`));
    await until(() => processesWith(word).length === 0 && !existsSync(sandbox(id)));
  });

  test("a question is answered, and the changeset shown and applied, from the other; it is carried out at home", {
    timeout: SLOW,
  }, async () => {
    await place.furnish(one, "colour", [
      "{ name: colour, ask: { question: Which?, options: [{ id: red }, { id: blue }] } }",
      'write: { path: colour.txt, content: "it is {{ results.colour.choice }}\\n" }',
    ]);
    const id = await use("colour");
    const { waiting_for } = await untilState(two, id, "INPUT_REQUIRED");
    const answer = { request_id: waiting_for?.request_id, option: "blue" };
    await two.call("_cleveragents/plan/approve", { plan_id: id, ...answer });
    await until(async () => (await statusOf(two, id)).waiting_for?.kind === "apply");
    expect(existsSync(sandbox(id))).toBe(true);
    const { digest, patch } = await two.call("_cleveragents/plan/diff", { plan_id: id });
    expect(patch).toContain("it is blue");
    await two.call("_cleveragents/plan/apply", { plan_id: id, digest });
    expect(readFileSync(join(place.project, "colour.txt"), "utf8")).toBe("it is blue\n");
    expect((await statusOf(one, id)).task_state).toBe("TASK_STATE_COMPLETED");
    // What was applied can be undone where its files are, and only there.
    await expect(two.call("_cleveragents/plan/rollback", { plan_id: id })).rejects.toThrow(/another host/);
  });
});
