import { describe, expect, test } from "vitest";
import type { World } from "../../world/world.ts";
import { refusals } from "../refusals.ts";
import { type AddDocument, actionText, actorItem, actorText, revision, script } from "./fixtures.ts";

export function actorTests(world: () => World, add: AddDocument): void {
  describe("_cleveragents/registry/actor/add", () => {
    test("registers a script actor, which actions can name", async () => {
      const added = await add(actorText("acting/helper"));
      const actor = { name: "acting/helper", type: "script", description: "Says hello", script };
      expect(added).toEqual({ ...actorItem("acting/helper", "custom"), actor, revision });
      expect(
        await world().client.call("_cleveragents/registry/actor/show", { name: "acting/helper" }),
      ).toEqual(added);
      const document = actionText("acting/by-actor", "execution_actor: acting/helper");
      expect(await world().client.call("_cleveragents/registry/action/add", { document })).toMatchObject({
        execution_actor: "acting/helper",
      });
    });

    refusals("_cleveragents/registry/actor/add", world, {
      InvalidParams: {
        "no document": (w) => w.client.call("_cleveragents/registry/actor/add", {} as never),
        "an actor of another type": {
          reason: "DOCUMENT_INVALID",
          attempt: (w) => add(actorText("acting/llm").replace("script\n", "llm\n"), {}, w),
        },
      },
      AlreadyExists: {
        "a name that is taken": async (w) => {
          await add(actorText("acting/twice"), { update: true }, w);
          return add(actorText("acting/twice"), {}, w);
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["registry:read"]).client.call("_cleveragents/registry/actor/add", { document: "" }),
      },
    });
  });

  describe("_cleveragents/registry/actor/show", () => {
    refusals("_cleveragents/registry/actor/show", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/actor/show", {} as never),
      },
      EntryNotFound: {
        "an unknown actor": {
          reason: "ACTOR_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/actor/show", { name: "nope" }),
        },
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/actor/show", { name: "x" }),
      },
    });
  });

  describe("_cleveragents/registry/actor/list", () => {
    test("shows registered actors, and the scripts that actions carry in themselves", async () => {
      await add(actorText("actors/b"));
      await world().client.call("_cleveragents/registry/action/add", { document: actionText("actors/a") });
      expect(await world().client.call("_cleveragents/registry/actor/list", { namespace: "actors" })).toEqual(
        {
          actors: [actorItem("actors/a", "action"), actorItem("actors/b", "custom")],
          total: 2,
          next_page_token: "",
        },
      );
    });

    test("every actor of the list can be shown", async () => {
      const { client } = world();
      await client.call("_cleveragents/registry/action/add", {
        document: actionText("actors/shown"),
        update: true,
      });
      const { actors } = await client.call("_cleveragents/registry/actor/list", { namespace: "actors" });
      for (const actor of actors)
        expect(await client.call("_cleveragents/registry/actor/show", { name: actor.name })).toMatchObject(
          actor,
        );
    });

    refusals("_cleveragents/registry/actor/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("_cleveragents/registry/actor/list", { page_size: 0 }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/actor/list", {}),
      },
    });
  });
}
