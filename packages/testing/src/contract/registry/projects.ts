import { describe, expect, test } from "vitest";
import { createRepository } from "../../world/repository.ts";
import type { World } from "../../world/world.ts";
import { aTime } from "../matchers.ts";
import { refusals } from "../refusals.ts";
import { revision } from "./fixtures.ts";

export function projectTests(world: () => World): void {
  describe("_cleveragents/registry/project/add", () => {
    test("registers a folder by the root of its work tree, with what a user should know of it", async () => {
      const { client, repository } = world();
      await repository.write("below/here.txt", "x\n");
      const added = await client.call("_cleveragents/registry/project/add", {
        name: "projects/first",
        path: `${repository.root}/below`,
        description: "The first",
        automation_profile: "trusted",
      });
      const head = (await repository.git("rev-parse", "HEAD")).trim();
      expect(added).toEqual({
        name: "projects/first",
        path: repository.root,
        description: "The first",
        automation_profile: "trusted",
        created_at: aTime,
        kind: "git",
        branch: "main",
        head,
        warnings: [
          expect.stringMatching(/below is a folder of a repository: the project is the whole of it/),
        ],
        resources: [],
        revision,
        project: {
          name: "projects/first",
          path: repository.root,
          description: "The first",
          automation_profile: "trusted",
        },
      });
      expect(await client.call("_cleveragents/registry/project/show", { name: "projects/first" })).toEqual({
        ...added,
        warnings: [],
      });
    });

    test("tells of dev containers that the folder describes, none of which is started", async () => {
      const { client, repository } = world();
      await repository.write(".devcontainer/devcontainer.json", '{ "name": "Main" } // a comment');
      await repository.write(".devcontainer/broken/devcontainer.json", "{");
      const { resources } = await client.call("_cleveragents/registry/project/add", {
        name: "projects/contained",
        path: repository.root,
      });
      const found = { type: "devcontainer-instance", state: "discovered" };
      expect(resources).toEqual([
        { ...found, name: "devcontainer:default", path: ".devcontainer/devcontainer.json", title: "Main" },
        {
          ...found,
          name: "devcontainer:broken",
          path: ".devcontainer/broken/devcontainer.json",
          unusable: expect.stringContaining("is no JSON"),
        },
      ]);
      await repository.remove(".devcontainer");
    });

    refusals("_cleveragents/registry/project/add", world, {
      InvalidParams: {
        "no path": ({ client }) => client.call("_cleveragents/registry/project/add", { name: "x" } as never),
        "a name that is none": ({ client, repository }) =>
          client.call("_cleveragents/registry/project/add", { name: "two words", path: repository.root }),
        "a profile that is none": ({ client, repository }) =>
          client.call("_cleveragents/registry/project/add", {
            name: "x",
            path: repository.root,
            automation_profile: "yolo",
          }),
      },
      EntryNotFound: {
        "a resource that nobody registered": {
          reason: "RESOURCE_NOT_FOUND",
          attempt: ({ client, repository }) =>
            client.call("_cleveragents/registry/project/add", {
              name: "x",
              path: repository.root,
              linked_resources: ["nope"],
            }),
        },
      },
      AlreadyExists: {
        "a name that is taken": async ({ client, repository }) => {
          const params = { name: "projects/twice", path: repository.root };
          await client.call("_cleveragents/registry/project/add", params);
          return client.call("_cleveragents/registry/project/add", params);
        },
      },
      WorkspaceUnusable: {
        "a folder that is not there": {
          reason: "PATH_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/registry/project/add", { name: "x", path: "/nope/nowhere" }),
        },
        "the root of the file system": {
          reason: "FORBIDDEN_PATH",
          attempt: ({ client }) =>
            client.call("_cleveragents/registry/project/add", { name: "x", path: "/" }),
        },
        "a file": {
          reason: "NOT_A_DIRECTORY",
          attempt: async ({ client, repository }) => {
            await repository.write("file.txt", "x\n");
            return client.call("_cleveragents/registry/project/add", {
              name: "x",
              path: `${repository.root}/file.txt`,
            });
          },
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/project/add", { name: "x", path: "/" }),
      },
    });
  });

  describe("_cleveragents/registry/project/show", () => {
    refusals("_cleveragents/registry/project/show", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/project/show", {} as never),
      },
      EntryNotFound: {
        "an unknown project": {
          reason: "PROJECT_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/project/show", { name: "nope" }),
        },
      },
      WorkspaceUnusable: {
        "a project whose folder is gone": {
          reason: "PATH_NOT_FOUND",
          attempt: async ({ client }) => {
            const gone = await createRepository("plain");
            await client.call("_cleveragents/registry/project/add", {
              name: "projects/gone",
              path: gone.root,
            });
            await gone[Symbol.asyncDispose]();
            return client.call("_cleveragents/registry/project/show", { name: "projects/gone" });
          },
        },
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w
            .as("writer", ["registry:write"])
            .client.call("_cleveragents/registry/project/show", { name: "x" }),
      },
    });
  });

  describe("_cleveragents/registry/project/list", () => {
    test("shows a namespace without looking at the folders", async () => {
      const { client, repository } = world();
      for (const name of ["shelf/b", "shelf/a"])
        await client.call("_cleveragents/registry/project/add", { name, path: repository.root });
      const projects = ["shelf/a", "shelf/b"].map((name) => ({
        name,
        path: repository.root,
        created_at: aTime,
      }));
      expect(await client.call("_cleveragents/registry/project/list", { namespace: "shelf" })).toEqual({
        projects,
        total: 2,
        next_page_token: "",
      });
    });

    refusals("_cleveragents/registry/project/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) =>
          client.call("_cleveragents/registry/project/list", { page_size: 0 }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/project/list", {}),
      },
    });
  });
}
