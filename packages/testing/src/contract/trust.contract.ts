import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenWorld, World } from "../world/world.ts";
import { aTime } from "./matchers.ts";
import { refusals } from "./refusals.ts";

const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`;

/** Consent to what a repository or a document would start. Names are each test's own, since consent is everybody's. */
export function trustContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open({ bare: true });
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;

  describe("_cleveragents/trust/add", () => {
    test("is to one digest, and says who has given it when; a second time changes nothing", async () => {
      const params = { kind: "mcp", name: "given", digest: digestOf("a") } as const;
      const added = await world().client.call("_cleveragents/trust/add", params);
      expect(added).toEqual({
        ...params,
        name: "local/given",
        trusted: true,
        granted_by: expect.any(String),
        granted_at: aTime,
      });
      expect(await world().client.call("_cleveragents/trust/add", params)).toEqual(added);
    });

    refusals("_cleveragents/trust/add", world, {
      InvalidParams: {
        "a kind that is none": ({ client }) =>
          client.call("_cleveragents/trust/add", { kind: "shell", name: "x" } as never),
        "a digest that is none": ({ client }) =>
          client.call("_cleveragents/trust/add", { kind: "mcp", name: "x", digest: "sha256:1" }),
        "a name that is none": ({ client }) =>
          client.call("_cleveragents/trust/add", { kind: "mcp", name: "two words", digest: digestOf("b") }),
      },
      EntryNotFound: {
        "what has not asked": {
          reason: "TRUST_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/trust/add", { kind: "skill", name: "silent/one" }),
        },
      },
      Forbidden: {
        "a caller who may register, and no more": (w) =>
          w
            .as("writer", ["registry:read", "registry:write"])
            .client.call("_cleveragents/trust/add", { kind: "mcp", name: "x", digest: digestOf("c") }),
      },
    });
  });

  describe("_cleveragents/trust/list", () => {
    test("shows consent by kind and name, page by page", async () => {
      const { client } = world();
      for (const [name, letter] of [
        ["listed/b", "1"],
        ["listed/a", "2"],
      ] as const)
        await client.call("_cleveragents/trust/add", { kind: "lsp", name, digest: digestOf(letter) });
      const first = await client.call("_cleveragents/trust/list", { kind: "lsp", page_size: 1 });
      expect(first).toMatchObject({ consents: [{ name: "listed/a", trusted: true }], total: 2 });
      expect(
        await client.call("_cleveragents/trust/list", { kind: "lsp", page_token: first.next_page_token }),
      ).toMatchObject({ consents: [{ name: "listed/b" }], next_page_token: "" });
    });

    refusals("_cleveragents/trust/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("_cleveragents/trust/list", { page_size: 0 }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("stranger", ["task:read"]).client.call("_cleveragents/trust/list", {}),
      },
    });
  });

  describe("_cleveragents/trust/remove", () => {
    test("ends consent to one digest, or to all under a name", async () => {
      const { client } = world();
      for (const letter of ["d", "e", "f"])
        await client.call("_cleveragents/trust/add", {
          kind: "skill",
          name: "ended",
          digest: digestOf(letter),
        });
      const one = await client.call("_cleveragents/trust/remove", {
        kind: "skill",
        name: "ended",
        digest: digestOf("e"),
      });
      expect(one.removed.map(({ digest }) => digest)).toEqual([digestOf("e")]);
      const rest = await client.call("_cleveragents/trust/remove", { kind: "skill", name: "ended" });
      expect(rest.removed.map(({ digest }) => digest)).toEqual([digestOf("d"), digestOf("f")]);
      expect(await client.call("_cleveragents/trust/list", { kind: "skill" })).toMatchObject({ total: 0 });
    });

    refusals("_cleveragents/trust/remove", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/trust/remove", { kind: "mcp" } as never),
      },
      EntryNotFound: {
        "what nobody trusts": {
          reason: "TRUST_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/trust/remove", { kind: "tool", name: "nope" }),
        },
      },
      Forbidden: {
        "a caller who may register, and no more": (w) =>
          w
            .as("writer", ["registry:read", "registry:write"])
            .client.call("_cleveragents/trust/remove", { kind: "mcp", name: "x" }),
      },
    });
  });
}
