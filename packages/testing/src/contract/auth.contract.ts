import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenWorld, World } from "../world/world.ts";
import { stranger } from "../world/world.ts";
import { aTime } from "./matchers.ts";
import { refusals } from "./refusals.ts";

/** Keys for callers. */
export function authContract(open: OpenWorld): void {
  let opened: World;
  const world = () => opened;
  beforeAll(async () => {
    opened = await open({ bare: true });
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  describe("_cleveragents/auth/key/create", () => {
    test("shows the key once, with whose and for what it is", async () => {
      const made = await world().client.call("_cleveragents/auth/key/create", {
        name: "ci",
        principal: "anna",
        scopes: ["task:read"],
        tenants: ["acme", "acme"],
        expires_in_days: 30,
      });
      expect(made).toEqual({
        key_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        key: expect.stringMatching(new RegExp(`^cak_${made.key_id}_`)),
        name: "ci",
        principal: "anna",
        scopes: ["task:read"],
        tenants: ["acme"],
        created_at: aTime,
        expires_at: aTime,
      });
      const days = (Date.parse(made.expires_at ?? "") - Date.parse(made.created_at)) / 86_400_000;
      expect(days).toBe(30);
    });

    test("without more than a name it is a principal of its own that may do all but manage keys", async () => {
      const made = await world().client.call("_cleveragents/auth/key/create", { name: "x" });
      expect(made.principal).toBe(`key:${made.key_id}`);
      expect(made.scopes.filter((scope) => scope.startsWith("auth:"))).toEqual([]);
      expect(made.scopes).toContain("task:write");
      expect(made.tenants).toEqual([]);
      expect(made).not.toHaveProperty("expires_at");
    });

    test("made by a caller with tenants it has those, or some of them", async () => {
      const keeper = world().as("keeper", ["auth:write", "task:read"], ["acme", "other"]);
      const create = (tenants?: string[]) =>
        keeper.client.call("_cleveragents/auth/key/create", { name: "x", tenants });
      expect((await create()).tenants).toEqual(["acme", "other"]);
      expect((await create(["other"])).tenants).toEqual(["other"]);
    });

    refusals("_cleveragents/auth/key/create", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/auth/key/create", { name: " " }),
        "a scope that is none": ({ client }) =>
          client.call("_cleveragents/auth/key/create", { name: "x", scopes: ["everything" as never] }),
      },
      Forbidden: {
        "a caller without auth:write": (w) =>
          w.as("reader", ["auth:read"]).client.call("_cleveragents/auth/key/create", { name: "x" }),
        "a tenant that the caller does not have": (w) =>
          w
            .as("keeper", ["auth:write"], ["acme"])
            .client.call("_cleveragents/auth/key/create", { name: "x", tenants: ["other"] }),
        "a scope that the caller does not have": (w) =>
          w
            .as("keeper", ["auth:write"])
            .client.call("_cleveragents/auth/key/create", { name: "x", scopes: ["task:read"] }),
      },
    });
  });

  describe("_cleveragents/auth/key/list", () => {
    test("shows every key, newest first, and no secret", async () => {
      const { client } = stranger(world());
      const { key, ...made } = await client.call("_cleveragents/auth/key/create", { name: "listed" });
      const { keys, total } = await client.call("_cleveragents/auth/key/list", { page_size: 500 });
      expect(keys).toContainEqual(made);
      expect(total).toBe(keys.length);
      expect(JSON.stringify(keys)).not.toContain(key);
      const times = keys.map(({ created_at }) => created_at);
      expect(times).toEqual([...times].sort().reverse());
    });

    test("comes in pages", async () => {
      const { client } = world();
      await client.call("_cleveragents/auth/key/create", { name: "one" });
      await client.call("_cleveragents/auth/key/create", { name: "two" });
      const first = await client.call("_cleveragents/auth/key/list", { page_size: 1 });
      const second = await client.call("_cleveragents/auth/key/list", {
        page_size: 1,
        page_token: first.next_page_token,
      });
      expect(second.keys[0]?.key_id).not.toBe(first.keys[0]?.key_id);
    });

    refusals("_cleveragents/auth/key/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("_cleveragents/auth/key/list", { page_size: 0 }),
        "a token that is not ours": ({ client }) =>
          client.call("_cleveragents/auth/key/list", { page_token: "nope" }),
      },
      Forbidden: {
        "a caller without auth:read": (w) =>
          w.as("worker", ["task:read"]).client.call("_cleveragents/auth/key/list", {}),
      },
    });
  });

  describe("_cleveragents/auth/key/revoke", () => {
    test("ends a key, and says so again", async () => {
      const { client } = world();
      const { key_id } = await client.call("_cleveragents/auth/key/create", { name: "x" });
      const revoked = await client.call("_cleveragents/auth/key/revoke", { key_id });
      expect(revoked).toMatchObject({ key_id, revoked_at: aTime });
      expect(await client.call("_cleveragents/auth/key/revoke", { key_id })).toEqual(revoked);
    });

    refusals("_cleveragents/auth/key/revoke", world, {
      InvalidParams: {
        "no id": ({ client }) => client.call("_cleveragents/auth/key/revoke", {} as never),
      },
      EntryNotFound: {
        "an unknown key": {
          reason: "KEY_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/auth/key/revoke", { key_id: "nope" }),
        },
      },
      Forbidden: {
        "a caller without auth:write": (w) =>
          w.as("reader", ["auth:read"]).client.call("_cleveragents/auth/key/revoke", { key_id: "x" }),
      },
    });
  });
}
