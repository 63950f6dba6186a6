import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { use } from "../world/index.ts";
import type { OpenWorld, World } from "../world/world.ts";
import { aTime } from "./matchers.ts";
import { refusals } from "./refusals.ts";

/** What plans keep to. Those that are registered for everybody hold for every plan of the world, so there are few. */
export function invariantContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open();
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;
  const add = (params: object, w: Pick<World, "client"> = world()) =>
    w.client.call("_cleveragents/invariant/add", { text: "Nothing changes", ...params });

  describe("_cleveragents/invariant/add", () => {
    test("makes one for each target, each with an id of its own", async () => {
      const { plan_id } = await use(world(), "idle");
      const second = (await use(world(), "idle")).plan_id;
      const { invariants } = await add({
        plan_ids: [plan_id, second],
        actions: ["retired"],
        check: "size(changes) == 0",
      });
      expect(invariants).toEqual(
        [
          ["action", "local/retired"],
          ["plan", plan_id],
          ["plan", second],
        ].map(([scope, source]) => ({
          id: expect.stringMatching(/^inv_/),
          text: "Nothing changes",
          scope,
          source,
          non_overridable: false,
          checkable: true,
          created_at: aTime,
        })),
      );
      expect(new Set(invariants.map(({ id }) => id)).size).toBe(3);
    });

    refusals("_cleveragents/invariant/add", world, {
      InvalidParams: {
        "no text": ({ client }) => client.call("_cleveragents/invariant/add", {} as never),
        "nobody to hold it": (w) => add({}, w),
        "one of a project that nobody may override": (w) =>
          add({ projects: ["demo"], non_overridable: true }, w),
        "two ways to check it": (w) => add({ actions: ["idle"], check: "true", command: "true" }, w),
        "a check that cannot be read": {
          reason: "DOCUMENT_INVALID",
          attempt: (w) => add({ actions: ["idle"], check: "1 +" }, w),
        },
      },
      EntryNotFound: {
        "a project that nobody registered": {
          reason: "PROJECT_NOT_FOUND",
          attempt: (w) => add({ projects: ["nope"] }, w),
        },
      },
      PlanNotFound: {
        "an unknown plan": (w) => add({ plan_ids: ["nope"] }, w),
        "somebody else's plan": async (w) => {
          const { plan_id } = await use(w, "idle");
          return add({ plan_ids: [plan_id] }, w.as("somebody-else"));
        },
      },
      Forbidden: {
        "a caller who may only read": (w) => add({ global: true }, w.as("reader", ["registry:read"])),
      },
    });
  });

  describe("_cleveragents/invariant/list", () => {
    test("shows those of a target, and all that hold for a plan with what they override", async () => {
      const { client } = world();
      await add({ text: "Only notes change", name: "scope", projects: ["demo"] });
      const { plan_id } = await use(world(), "idle");
      await add({ text: "Only code changes", name: "scope", plan_ids: [plan_id] });
      const listed = await client.call("_cleveragents/invariant/list", { project: "demo" });
      expect(listed).toMatchObject({
        invariants: [{ text: "Only notes change", scope: "project" }],
        total: 1,
      });
      expect(listed.conflicts_resolved).toBeUndefined();
      expect(await client.call("_cleveragents/invariant/list", { plan_id, effective: true })).toMatchObject({
        plan_id,
        invariants: [{ text: "Only code changes", scope: "plan", source: plan_id }],
        conflicts_resolved: [
          { overridden: { text: "Only notes change", scope: "project" }, by: { text: "Only code changes" } },
        ],
      });
    });

    refusals("_cleveragents/invariant/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("_cleveragents/invariant/list", { page_size: 0 }),
        "what is effective for nobody": ({ client }) =>
          client.call("_cleveragents/invariant/list", { effective: true }),
      },
      EntryNotFound: {
        "a project that nobody registered": {
          reason: "PROJECT_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/invariant/list", { project: "nope" }),
        },
      },
      PlanNotFound: {
        "an unknown plan": ({ client }) =>
          client.call("_cleveragents/invariant/list", { plan_id: "nope", effective: true }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/invariant/list", {}),
      },
    });
  });

  describe("_cleveragents/invariant/remove", () => {
    test("ends it", async () => {
      const { client } = world();
      const { invariants } = await add({ text: "For a while", actions: ["ask"] });
      const id = invariants[0]?.id ?? "";
      expect(await client.call("_cleveragents/invariant/remove", { id })).toEqual({ id, removed: true });
      expect(await client.call("_cleveragents/invariant/list", { action: "ask" })).toMatchObject({
        total: 0,
      });
    });

    refusals("_cleveragents/invariant/remove", world, {
      InvalidParams: {
        "no id": ({ client }) => client.call("_cleveragents/invariant/remove", {} as never),
      },
      EntryNotFound: {
        "one that is none": {
          reason: "INVARIANT_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/invariant/remove", { id: "inv_nope" }),
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["registry:read"]).client.call("_cleveragents/invariant/remove", { id: "x" }),
      },
    });
  });
}
