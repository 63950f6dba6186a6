import { describe, expect, test } from "vitest";
import { createRepository } from "../../world/repository.ts";
import type { World } from "../../world/world.ts";
import { refusals } from "../refusals.ts";

/** A project is changed field by field, or by its document. */
export function projectUpdates(world: () => World): void {
  const add = (name: string) =>
    world().client.call("_cleveragents/registry/project/add", { name, path: world().repository.root });

  describe("_cleveragents/registry/project/update", () => {
    test("changes what is named, leaves the rest, and takes away what is empty", async () => {
      const { client, repository } = world();
      await add("changing/first");
      await client.call("_cleveragents/registry/resource/add", {
        name: "changing/data",
        type: "fs-directory",
        arguments: { path: "/srv/changing" },
      });
      const update = (fields: object) =>
        client.call("_cleveragents/registry/project/update", { name: "changing/first", ...fields });
      await update({ description: "The first", automation_profile: "trusted" });
      expect(await update({ linked_resources: ["changing/data"] })).toMatchObject({
        path: repository.root,
        description: "The first",
        automation_profile: "trusted",
        linked_resources: ["changing/data"],
        project: { linked_resources: ["changing/data"], automation_profile: "trusted" },
      });
      await expect(
        client.call("_cleveragents/registry/resource/remove", { name: "changing/data" }),
      ).rejects.toMatchObject({ data: { used_by: ["the project changing/first"] } });
      const bare = await update({ description: "", automation_profile: "", linked_resources: [] });
      expect(bare.project).toEqual({ name: "changing/first", path: repository.root });
    });

    test("takes the document that show gives", async () => {
      const { client } = world();
      await add("changing/second");
      const shown = await client.call("_cleveragents/registry/project/show", { name: "changing/second" });
      const again = await client.call("_cleveragents/registry/project/update", {
        document: JSON.stringify({ project: shown.project }),
        revision: shown.revision,
      });
      expect(again.revision).toBe(shown.revision);
    });

    refusals("_cleveragents/registry/project/update", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/project/update", {}),
        "a profile that is none": async ({ client }) => {
          await add("changing/profile").catch(() => undefined);
          return client.call("_cleveragents/registry/project/update", {
            name: "changing/profile",
            automation_profile: "yolo",
          });
        },
      },
      EntryNotFound: {
        "an unknown project": {
          reason: "PROJECT_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/registry/project/update", { name: "nope", description: "x" }),
        },
      },
      InvalidState: {
        "a revision that is gone": {
          reason: "REVISION_MISMATCH",
          attempt: async ({ client }) => {
            await add("changing/stale").catch(() => undefined);
            return client.call("_cleveragents/registry/project/update", {
              name: "changing/stale",
              revision: "sha256:0",
            });
          },
        },
      },
      WorkspaceUnusable: {
        "a folder that is gone": {
          reason: "PATH_NOT_FOUND",
          attempt: async ({ client }) => {
            const gone = await createRepository("plain");
            await gone[Symbol.asyncDispose]();
            await add("changing/gone").catch(() => undefined);
            return client.call("_cleveragents/registry/project/update", {
              name: "changing/gone",
              path: gone.root,
            });
          },
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/project/update", { name: "x" }),
      },
    });
  });
}
