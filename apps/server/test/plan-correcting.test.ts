import type { TaskStore } from "@cleveragents/application";
import { atRest, seen } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { openAltered } from "./altered-server.ts";

const WAY = `  decisions:
    - id: way
      question: Which way?
      choose: [{ when: size(guidance) > 0, choice: right }, { choice: left }]
  steps:
    - run: { command: "test ! -e mark.txt && echo {{ decisions.way }} > mark.txt" }
`;

/** The store, in which commits that take a correction hang, as if the process stood still. */
function standingStill(store: TaskStore, reached: () => void): TaskStore {
  return new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      if (key !== "commit") return value.bind(target);
      return (command: Parameters<TaskStore["commit"]>[0]) => {
        if (command.inbox?.take?.some((entry) => entry.startsWith("correct:")) !== true)
          return store.commit(command);
        reached();
        return new Promise<never>(() => undefined);
      };
    },
  });
}

describe("a correction", () => {
  test("that is killed after the files went back is made whole at the next start, and not half before", async () => {
    let starts = 0;
    let reached: () => void = () => undefined;
    const restored = new Promise<void>((resolve) => {
      reached = resolve;
    });
    await using server = await openAltered(({ store }) =>
      ++starts === 1 ? { store: standingStill(store, reached) } : {},
    );
    const { client } = server;
    const plan_id = await server.plan(WAY);
    await atRest(client, plan_id);
    const offered = await client.call("_cleveragents/plan/diff", { plan_id });
    expect(offered.patch).toContain("+left\n");
    const call = client.call("_cleveragents/plan/correct", { plan_id, guidance: "the other one" });
    call.catch(() => undefined);
    await restored;
    const { tree } = await client.call("_cleveragents/plan/tree", { plan_id });
    expect(tree[0]?.children).toMatchObject([{ chosen: "left", superseded: false }]);
    await server.killAndStart();
    await seen(client, plan_id, "plan.corrected");
    await seen(client, plan_id, "plan.changeset_ready", ({ digest }) => digest !== offered.digest);
    await atRest(client, plan_id);
    expect((await client.call("_cleveragents/plan/diff", { plan_id })).patch).toContain("+right\n");
    const way = await client.call("_cleveragents/plan/explain", { plan_id, decision_id: "way" });
    expect(way).toMatchObject({ chosen: "right", attempt: 2, superseded: false });
    const { summary } = await client.call("_cleveragents/plan/tree", { plan_id, show_superseded: true });
    expect(summary.superseded).toBe(1);
  });
});
