import type { Client, Dispatcher } from "@cleveragents/protocol";
import { ACTIONS, atRest, createRepository, inProcess, seen } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import type { Composition } from "../src/compose.ts";
import { bootMachine } from "./in-memory-server.ts";

/** Calls the composition that runs at present; the caller stays the same over a restart. */
async function clientOf(composition: Composition): Promise<{ readonly client: Client } & AsyncDisposable> {
  const dispatcher: Dispatcher = composition.dispatcher;
  return inProcess({ dispatcher });
}

describe("a product that is stopped and started again", () => {
  test("goes on with a plan in the middle of a command, at once, and the command leaves its mark once", async () => {
    await using machine = await bootMachine();
    await using repository = await createRepository("plain");
    const command = "echo begun >> marks.txt; sleep 0.4; echo ended >> marks.txt";
    let plan_id: string;
    {
      const first = await machine.start();
      await using caller = await clientOf(first);
      await caller.client.call("_cleveragents/registry/project/add", { name: "demo", path: repository.root });
      await caller.client.call("_cleveragents/registry/action/add", { document: ACTIONS.run });
      ({ plan_id } = await caller.client.call("_cleveragents/plan/use", {
        action_name: "run",
        automation_profile: "trusted",
        arguments: { command },
      }));
      await seen(caller.client, plan_id, "tool.invoked");
      await first.stop(2000);
    }
    const second = await machine.start();
    await using caller = await clientOf(second);
    expect(await atRest(caller.client, plan_id)).toMatchObject({ phase: "execute", state: "complete" });
    expect((await caller.client.call("_cleveragents/plan/diff", { plan_id })).patch).toContain(
      "@@ -0,0 +1,2 @@\n+begun\n+ended\n",
    );
    await second.stop();
  });

  test("does not take a wait that was cut short for one that is over", async () => {
    await using machine = await bootMachine();
    await using repository = await createRepository("plain");
    const first = await machine.start();
    await using before = await clientOf(first);
    await before.client.call("_cleveragents/registry/project/add", { name: "demo", path: repository.root });
    await before.client.call("_cleveragents/registry/action/add", { document: ACTIONS.wait });
    const { plan_id } = await before.client.call("_cleveragents/plan/use", {
      action_name: "wait",
      automation_profile: "trusted",
    });
    await seen(before.client, plan_id, "step.finished", (data) => data["index"] === 0);
    await first.stop(2000);
    const { steps } = await before.client.call("_cleveragents/plan/status", { plan_id });
    expect(steps.map(({ status }) => status)).toEqual(["done", "running"]);
  });

  test("still has the plans that wait, and takes their answers", async () => {
    await using machine = await bootMachine();
    await using repository = await createRepository("plain");
    const first = await machine.start();
    let plan_id: string;
    {
      await using caller = await clientOf(first);
      await caller.client.call("_cleveragents/registry/project/add", { name: "demo", path: repository.root });
      await caller.client.call("_cleveragents/registry/action/add", { document: ACTIONS.touch });
      ({ plan_id } = await caller.client.call("_cleveragents/plan/use", {
        action_name: "touch",
        automation_profile: "trusted",
      }));
      await atRest(caller.client, plan_id);
    }
    await first.stop();
    const second = await machine.start();
    await using caller = await clientOf(second);
    expect(await caller.client.call("_cleveragents/plan/apply", { plan_id })).toMatchObject({
      state: "applied",
    });
    expect(String(await repository.read("touched.txt"))).toBe("touched\n");
    await second.stop();
  });
});
