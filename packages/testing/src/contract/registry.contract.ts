import type { ParamsInputOf } from "@cleveragents/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenWorld, World } from "../world/world.ts";
import { refusals } from "./refusals.ts";
import { actionTests } from "./registry/actions.ts";
import { actorTests } from "./registry/actors.ts";
import { projectTests } from "./registry/projects.ts";

/** What plans are made from. Each method has a namespace of its own here, since entries are everybody's. */
export function registryContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open({ bare: true });
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;

  type Add = "_cleveragents/registry/action/add" | "_cleveragents/registry/actor/add";
  const add = (method: Add, document: string, more: Partial<ParamsInputOf<Add>> = {}, w = world()) =>
    w.client.call(method, { document, ...more });

  actionTests(world, (document, more, w) => add("_cleveragents/registry/action/add", document, more, w));
  actorTests(world, (document, more, w) => add("_cleveragents/registry/actor/add", document, more, w));
  projectTests(world);

  describe("_cleveragents/registry/tool/list", () => {
    test("shows the builtin tools with what they leave behind", async () => {
      const { tools, total, next_page_token } = await world().client.call(
        "_cleveragents/registry/tool/list",
        { namespace: "builtin" },
      );
      expect({ total, next_page_token }).toEqual({ total: tools.length, next_page_token: "" });
      const names = [
        "ask",
        "chmod_file",
        "delete_file",
        "edit_file",
        "fetch",
        "git_blame",
        "git_diff",
        "git_log",
        "git_show",
        "git_status",
        "list_files",
        "read_file",
        "rename_file",
        "search_files",
        "shell",
        "subplan",
        "symlink",
        "write_file",
      ];
      expect(tools.map(({ name }) => name)).toEqual(names.map((name) => `builtin/${name}`));
      expect(tools.find(({ name }) => name === "builtin/shell")).toEqual({
        name: "builtin/shell",
        description: expect.any(String),
        source: "builtin",
        read_only: false,
        writes: true,
        idempotent: false,
        effect: "sandbox",
      });
    });

    refusals("_cleveragents/registry/tool/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("_cleveragents/registry/tool/list", { page_size: 0 }),
        "a token that is not ours": ({ client }) =>
          client.call("_cleveragents/registry/tool/list", { page_token: "nope" }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/tool/list", {}),
      },
    });
  });
}
