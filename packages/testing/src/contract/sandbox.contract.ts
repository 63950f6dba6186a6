import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenWorld, stranger, toGate, use, type World } from "../world/world.ts";
import { aTime } from "./matchers.ts";
import { refusals } from "./refusals.ts";

/** What plans keep on the host's disk. */
export function sandboxContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open();
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;

  describe("_cleveragents/sandbox/list", () => {
    test("shows the sandbox of a plan that waits, its size, and that it holds work; others' are not there", async () => {
      const caller = stranger(world());
      const { plan_id } = await toGate(caller, "touch");
      expect(await caller.client.call("_cleveragents/sandbox/list", {})).toEqual({
        sandboxes: [
          {
            plan_id,
            state: "input-required",
            project: "local/demo",
            created_at: aTime,
            bytes: expect.any(Number),
            files: expect.any(Number),
            unapplied_work: true,
            removable: false,
          },
        ],
        total: 1,
        next_page_token: "",
      });
      expect(await stranger(world()).client.call("_cleveragents/sandbox/list", {})).toMatchObject({
        total: 0,
      });
      const { sandboxes } = await caller.client.call("_cleveragents/sandbox/list", {});
      expect(sandboxes[0]?.bytes).toBeGreaterThan(0);
      expect(sandboxes[0]?.files).toBeGreaterThan(0);
    });

    test("shows them page by page", async () => {
      const caller = stranger(world());
      const ids = [(await toGate(caller, "touch")).plan_id, (await toGate(caller, "touch")).plan_id].sort();
      const first = await caller.client.call("_cleveragents/sandbox/list", { page_size: 1 });
      expect(first).toMatchObject({ sandboxes: [{ plan_id: ids[0] }], total: 2 });
      const rest = await caller.client.call("_cleveragents/sandbox/list", {
        page_token: first.next_page_token,
      });
      expect(rest).toMatchObject({ sandboxes: [{ plan_id: ids[1] }], next_page_token: "" });
    });

    refusals("_cleveragents/sandbox/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("_cleveragents/sandbox/list", { page_size: 0 }),
        "a token that is not ours": ({ client }) =>
          client.call("_cleveragents/sandbox/list", { page_token: "nope" }),
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/sandbox/list", {}),
      },
    });
  });

  describe("_cleveragents/sandbox/gc", () => {
    test("takes nothing from plans that are not over", async () => {
      const caller = stranger(world());
      const { plan_id } = await toGate(caller, "touch");
      expect(await caller.client.call("_cleveragents/sandbox/gc", {})).toEqual({
        sandboxes: [],
        total: 0,
        next_page_token: "",
        bytes_freed: 0,
        dry_run: false,
      });
      expect(await caller.client.call("_cleveragents/sandbox/list", {})).toMatchObject({
        sandboxes: [{ plan_id }],
      });
    });

    test("a plan that is over and has nothing left is no mistake", async () => {
      const caller = stranger(world());
      const { plan_id } = await use(caller, "touch");
      await caller.client.call("_cleveragents/plan/cancel", { plan_id });
      expect(
        await caller.client.call("_cleveragents/sandbox/gc", { plan_id, older_than: 0, dry_run: true }),
      ).toMatchObject({ sandboxes: [], total: 0, dry_run: true });
    });

    refusals("_cleveragents/sandbox/gc", world, {
      InvalidParams: {
        "a time that is none": ({ client }) => client.call("_cleveragents/sandbox/gc", { older_than: -1 }),
      },
      PlanNotFound: {
        "an unknown plan": ({ client }) => client.call("_cleveragents/sandbox/gc", { plan_id: "nope" }),
        "somebody else's plan": async (w) => {
          const { plan_id } = await use(w, "touch");
          return stranger(w).client.call("_cleveragents/sandbox/gc", { plan_id });
        },
      },
      InvalidState: {
        "a plan that still needs its sandbox": async (w) => {
          const { plan_id } = await toGate(w, "touch");
          return w.client.call("_cleveragents/sandbox/gc", { plan_id });
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["task:read"]).client.call("_cleveragents/sandbox/gc", {}),
      },
    });
  });
}
