import { describe, expect, test } from "vitest";
import type { World } from "../../world/world.ts";
import { refusals } from "../refusals.ts";

/** Resources are parts of each other, by hand or because they were found there. */
export function resourceLinks(world: () => World): void {
  const folder = (name: string, path = `/srv/${name}`, parents: string[] = []) =>
    world().client.call("_cleveragents/registry/resource/add", {
      name,
      type: "fs-directory",
      arguments: { path },
      parents,
      update: true,
    });
  const link = (parent: string, child: string) =>
    world().client.call("_cleveragents/registry/resource/link", { parent, child });

  describe("_cleveragents/registry/resource/link", () => {
    test("makes one a part of another, which then cannot be removed", async () => {
      const { client } = world();
      for (const name of ["linked/whole", "linked/part"]) await folder(name);
      expect(await link("linked/whole", "linked/part")).toMatchObject({ parents: ["linked/whole"] });
      expect(
        await client.call("_cleveragents/registry/resource/show", { name: "linked/whole" }),
      ).toMatchObject({
        children: [{ name: "linked/part", type: "fs-directory", state: "registered" }],
        capabilities: { sandboxable: true },
      });
      await expect(
        client.call("_cleveragents/registry/resource/remove", { name: "linked/whole", force: true }),
      ).rejects.toMatchObject({ reason: "ENTRY_IN_USE" });
    });

    refusals("_cleveragents/registry/resource/link", world, {
      InvalidParams: {
        "a circle": {
          reason: "DOCUMENT_INVALID",
          attempt: async () => {
            await folder("linked/a");
            await folder("linked/b", "/srv/b", ["linked/a"]);
            return link("linked/b", "linked/a");
          },
        },
        "a parent that its type does not allow": {
          reason: "DOCUMENT_INVALID",
          attempt: async ({ client }) => {
            await client.call("_cleveragents/registry/resource_type/add", {
              document: "name: linked/leaf\nallowed_parent_types: [git-checkout]\n",
              update: true,
            });
            await client.call("_cleveragents/registry/resource/add", {
              name: "linked/leaf-of-none",
              type: "linked/leaf",
              update: true,
            });
            await folder("linked/not-git");
            return link("linked/not-git", "linked/leaf-of-none");
          },
        },
      },
      EntryNotFound: {
        "a parent that nobody registered": {
          reason: "RESOURCE_NOT_FOUND",
          attempt: () => link("nope", "nope"),
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/resource/link", { parent: "x", child: "y" }),
      },
    });
  });

  describe("_cleveragents/registry/resource/unlink", () => {
    test("ends it", async () => {
      const { client } = world();
      await folder("unlinked/whole");
      await folder("unlinked/part", "/srv/part", ["unlinked/whole"]);
      const params = { parent: "unlinked/whole", child: "unlinked/part" };
      expect(await client.call("_cleveragents/registry/resource/unlink", params)).toMatchObject({
        parents: [],
      });
      await client.call("_cleveragents/registry/resource/remove", { name: "unlinked/whole" });
    });

    refusals("_cleveragents/registry/resource/unlink", world, {
      InvalidParams: {
        "no child": ({ client }) =>
          client.call("_cleveragents/registry/resource/unlink", { parent: "x" } as never),
      },
      EntryNotFound: {
        "a parent that nobody registered": {
          reason: "RESOURCE_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/registry/resource/unlink", { parent: "nope", child: "nope" }),
        },
      },
      InvalidState: {
        "what was found in it": async ({ client, repository }) => {
          await repository.write(".devcontainer/devcontainer.json", '{ "name": "Main" }');
          await folder("unlinked/found", repository.root);
          return client.call("_cleveragents/registry/resource/unlink", {
            parent: "unlinked/found",
            child: "devcontainer:default",
          });
        },
        "what is no part of it": async ({ client }) => {
          for (const name of ["unlinked/one", "unlinked/other"]) await folder(name);
          return client.call("_cleveragents/registry/resource/unlink", {
            parent: "unlinked/one",
            child: "unlinked/other",
          });
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/resource/unlink", { parent: "x", child: "y" }),
      },
    });
  });

  describe("_cleveragents/registry/resource/tree", () => {
    test("shows parts below wholes, found ones too, and by type with all that inherits from it", async () => {
      const { client, repository } = world();
      await repository.write(".devcontainer/devcontainer.json", '{ "name": "Main" }');
      await client.call("_cleveragents/registry/resource/add", {
        name: "tree/app",
        type: "git-checkout",
        arguments: { path: repository.root },
      });
      await client.call("_cleveragents/registry/resource/add", {
        name: "tree/mount",
        type: "fs-mount",
        arguments: { path: "/mnt/x" },
        parents: ["tree/app"],
      });
      const tree = (params: object) =>
        client.call("_cleveragents/registry/resource/tree", { name: "tree/app", ...params });
      const mount = { name: "tree/mount", type: "fs-mount", state: "registered", children: [] };
      const container = {
        name: "devcontainer:default",
        type: "devcontainer-instance",
        state: "discovered",
        children: [],
      };
      const app = { name: "tree/app", type: "git-checkout", state: "registered" };
      expect(await tree({})).toEqual({ tree: [{ ...app, children: [mount, container] }] });
      expect(await tree({ type_name: "fs-directory" })).toEqual({ tree: [{ ...app, children: [mount] }] });
      expect(await tree({ type_name: "container-instance" })).toEqual({
        tree: [{ ...app, children: [container] }],
      });
      expect(await tree({ type_name: "fs-file" })).toEqual({ tree: [] });
      await repository.remove(".devcontainer");
    });

    test("a list by type holds those of types that inherit from it", async () => {
      const { client } = world();
      await client.call("_cleveragents/registry/resource_type/add", {
        document: "name: typed/share\ninherits: fs-mount\ncli_arguments: [{ name: host, required: true }]\n",
      });
      const shown = await client.call("_cleveragents/registry/resource_type/show", { name: "typed/share" });
      expect(shown.cli_arguments.map(({ argument }) => argument)).toEqual(["path", "host"]);
      expect(shown.sandbox).toMatchObject({ checkpointable: true, handler: "DirectoryHandler" });
      await client.call("_cleveragents/registry/resource/add", {
        name: "typed/one",
        type: "typed/share",
        arguments: { path: "/mnt/y", host: "nas" },
      });
      const { resources } = await client.call("_cleveragents/registry/resource/list", {
        namespace: "typed",
        type_name: "fs-directory",
      });
      expect(resources.map(({ name }) => name)).toEqual(["typed/one"]);
    });

    test("arguments are checked against their type, all mistakes at once", async () => {
      const refused = await world()
        .client.call("_cleveragents/registry/resource/add", {
          document: "name: typed/bad\ntype: git-checkout\narguments:\n  path: relative\n  brnach: main\n",
          file: "bad.yaml",
        })
        .catch((error: unknown) => error);
      expect((refused as { violations: object[] }).violations).toMatchObject([
        { field: "arguments.path", line: 4, description: "not an absolute path" },
        { field: "arguments.brnach", line: 5, file: "bad.yaml" },
      ]);
    });

    refusals("_cleveragents/registry/resource/tree", world, {
      InvalidParams: {
        "a name that is none": ({ client }) =>
          client.call("_cleveragents/registry/resource/tree", { name: "two words" }),
      },
      EntryNotFound: {
        "an unknown resource": {
          reason: "RESOURCE_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/resource/tree", { name: "nope" }),
        },
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/resource/tree", {}),
      },
    });
  });
}
