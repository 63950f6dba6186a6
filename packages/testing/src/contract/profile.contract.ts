import type { RemoteError } from "@cleveragents/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { atRest } from "../world/following.ts";
import { type OpenWorld, use, type World } from "../world/world.ts";
import { aTime } from "./matchers.ts";
import { refusals } from "./refusals.ts";

const BUILTIN = ["auto", "cautious", "ci", "full-auto", "manual", "review", "supervised", "trusted"];
const profileText = (name: string, body = "") => `name: ${name}\ndescription: Stops early\n${body}\n`;

/** How much goes on without asking. Registered profiles are everybody's, so each test has names of its own. */
export function profileContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open();
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;
  const add = (document: string, more: { update?: boolean; file?: string } = {}, w = world()) =>
    w.client.call("_cleveragents/profile/add", { document, ...more });

  describe("_cleveragents/profile/list", () => {
    test("shows the eight built-in ones, and which is the default", async () => {
      const { profiles } = await world().client.call("_cleveragents/profile/list", { page_size: 500 });
      const builtin = profiles.filter(({ source }) => source === "builtin");
      expect(builtin.map(({ name }) => name)).toEqual(BUILTIN);
      expect(builtin.filter(({ is_default }) => is_default).map(({ name }) => name)).toEqual(["supervised"]);
    });

    test("shows a namespace by name, page by page", async () => {
      for (const name of ["paged/b", "paged/a"]) await add(profileText(name));
      const list = (params: object) =>
        world().client.call("_cleveragents/profile/list", { namespace: "paged", ...params });
      const first = await list({ page_size: 1 });
      expect(first).toEqual({
        profiles: [
          {
            name: "paged/a",
            description: "Stops early",
            source: "custom",
            is_default: false,
            created_at: aTime,
            updated_at: aTime,
          },
        ],
        total: 2,
        next_page_token: expect.stringMatching(/./),
      });
      expect(await list({ page_token: first.next_page_token })).toMatchObject({
        profiles: [{ name: "paged/b" }],
        next_page_token: "",
      });
    });

    refusals("_cleveragents/profile/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("_cleveragents/profile/list", { page_size: 0 }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/profile/list", {}),
      },
    });
  });

  describe("_cleveragents/profile/show", () => {
    test("shows thresholds, flags, guards and budget", async () => {
      expect(await world().client.call("_cleveragents/profile/show", { name: "manual" })).toMatchObject({
        source: "builtin",
        thresholds: { decompose_task: 1, create_tool: 1, select_tool: 1 },
        require_sandbox: true,
        require_checkpoints: true,
        allow_unsafe_tools: false,
        guards: { tool_denylist: [], require_approval_for_writes: false },
        budget: {},
      });
    });

    refusals("_cleveragents/profile/show", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/profile/show", {} as never),
        "a name that is none": ({ client }) =>
          client.call("_cleveragents/profile/show", { name: "two words" }),
      },
      EntryNotFound: {
        "a profile that nobody registered": {
          reason: "PROFILE_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/profile/show", { name: "yolo" }),
        },
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/profile/show", { name: "ci" }),
      },
    });
  });

  describe("_cleveragents/profile/add", () => {
    test("registers what a document changes of a built-in one, under its full name", async () => {
      const body = [
        "extends: trusted",
        "thresholds: { create_tool: 0.5 }",
        "require_isolation: true",
        "guards: { tool_denylist: [builtin/delete_file], commands: { deny: [rm] } }",
        "budget: { tool_calls: 3 }",
      ].join("\n");
      const added = await add(profileText("careful", body));
      expect(added).toMatchObject({
        name: "local/careful",
        source: "custom",
        is_default: false,
        thresholds: { decompose_task: 0, create_tool: 0.5, select_tool: 1 },
        require_isolation: true,
        require_sandbox: true,
        guards: {
          tool_denylist: ["builtin/delete_file"],
          commands: { allow: [], ask: [], deny: ["rm"], otherwise: "ask" },
        },
        budget: { tool_calls: 3 },
      });
      expect(await world().client.call("_cleveragents/profile/show", { name: "careful" })).toEqual(added);
    });

    test("every mistake of a document is told, with its place", async () => {
      const document = profileText(
        "adding/bad",
        "thresholds:\n  create_tool: 2\n  fly: 0\nsafety:\n  require_sandbox: true",
      );
      const refused = await add(document, { file: "mine.yaml" }).catch((error: unknown) => error);
      const violations = (refused as RemoteError).violations as readonly { line?: number; file?: string }[];
      expect(violations.map(({ line }) => line).sort()).toEqual([4, 5, 6]);
      expect(new Set(violations.map(({ file }) => file))).toEqual(new Set(["mine.yaml"]));
    });

    test("a plan keeps the profile that it was made with, and says where it comes from", async () => {
      await add(profileText("adding/locked", "extends: manual"));
      const { plan_id } = await use(world(), "touch", { automation_profile: "adding/locked" });
      await add(profileText("adding/locked", "extends: ci"), { update: true });
      expect(await world().client.call("_cleveragents/plan/status", { plan_id })).toMatchObject({
        automation: { profile: "adding/locked", source: "plan" },
        phase: "strategize",
      });
      const { client } = world();
      await client.call("_cleveragents/plan/execute", { plan_id });
      const status = await atRest(client, plan_id);
      // Under `ci` it would not stop before it is applied.
      expect(status.waiting_for?.kind).toBe("start");
    });

    refusals("_cleveragents/profile/add", world, {
      InvalidParams: {
        "no document": ({ client }) => client.call("_cleveragents/profile/add", {} as never),
        "the name of a built-in one": {
          reason: "DOCUMENT_INVALID",
          attempt: (w) => add(profileText("manual"), {}, w),
        },
        "one that extends what is no built-in one": {
          reason: "DOCUMENT_INVALID",
          attempt: (w) => add(profileText("adding/extends", "extends: yolo"), {}, w),
        },
        "a command rule that is no command": {
          reason: "DOCUMENT_INVALID",
          attempt: (w) =>
            add(profileText("adding/rule", 'guards: { commands: { deny: ["rm; ls"] } }'), {}, w),
        },
      },
      AlreadyExists: {
        "a name that is taken": async (w) => {
          await add(profileText("adding/twice"), { update: true }, w);
          return add(profileText("adding/twice"), {}, w);
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["registry:read"]).client.call("_cleveragents/profile/add", { document: "" }),
      },
    });
  });

  describe("_cleveragents/profile/remove", () => {
    test("forgets it", async () => {
      await add(profileText("removing/first"));
      const { client } = world();
      expect(await client.call("_cleveragents/profile/remove", { name: "removing/first" })).toEqual({
        name: "removing/first",
        removed: true,
      });
      const { profiles } = await client.call("_cleveragents/profile/list", { namespace: "removing" });
      expect(profiles).toEqual([]);
    });

    refusals("_cleveragents/profile/remove", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/profile/remove", {} as never),
      },
      EntryNotFound: {
        "a profile that nobody registered": {
          reason: "PROFILE_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/profile/remove", { name: "yolo" }),
        },
      },
      InvalidState: {
        "a built-in one": ({ client }) => client.call("_cleveragents/profile/remove", { name: "ci" }),
        "one that a project has": async ({ client, repository }) => {
          await client.call("_cleveragents/profile/add", {
            document: profileText("removing/used"),
            update: true,
          });
          await client.call("_cleveragents/registry/project/add", {
            name: "removing/of-project",
            path: repository.root,
            automation_profile: "removing/used",
          });
          return client.call("_cleveragents/profile/remove", { name: "removing/used" });
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["registry:read"]).client.call("_cleveragents/profile/remove", { name: "x" }),
      },
    });
  });
}
