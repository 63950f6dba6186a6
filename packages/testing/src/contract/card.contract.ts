import { AgentCardSchema, canonicalAgentCard } from "@cleveragents/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenWorld, World } from "../world/world.ts";
import { refusals } from "./refusals.ts";

/** What the agent says of itself to callers that it knows. */
export function cardContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open();
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;

  describe("GetExtendedAgentCard", () => {
    test("has the public skills, and each action that can be used", async () => {
      const card = await world().client.call("GetExtendedAgentCard", {});
      const ids = card.skills.map(({ id }) => id);
      expect(ids.slice(0, 2)).toEqual(["plan-lifecycle", "registry-crud"]);
      const { actions } = await world().client.call("_cleveragents/registry/action/list", {});
      const usable = actions.filter(({ state }) => state === "available").map(({ name }) => name);
      expect(usable.length).toBeGreaterThan(0);
      expect(usable.length).toBeLessThan(actions.length);
      expect(ids.filter((id) => id.startsWith("local/")).sort()).toEqual(usable.sort());
      expect(card.capabilities.extendedAgentCard).toBe(true);
      expect(canonicalAgentCard(AgentCardSchema.parse(card))).toContain("urn:cleveragents:extensions:v1");
    });

    test("lists the stdio binding for callers on stdio, and for nobody else", async () => {
      const { supportedInterfaces } = await world().client.call("GetExtendedAgentCard", {});
      const bindings = supportedInterfaces.map(({ protocolBinding }) => protocolBinding);
      expect(bindings.includes("urn:cleveragents:bindings:stdio:v1")).toBe(world().supports.stdio);
    });

    test("shows actions only to who may see the registry", async () => {
      const reader = world().as("reader", ["task:read"]);
      const { skills } = await reader.client.call("GetExtendedAgentCard", {});
      expect(skills.map(({ tags }) => tags[0])).not.toContain("action");
    });

    refusals("GetExtendedAgentCard", world, {
      InvalidParams: {
        "a tenant without end": ({ client }) =>
          client.call("GetExtendedAgentCard", { tenant: "x".repeat(257) }),
      },
      UnsupportedOperation: {
        "an agent without the capability": async () => {
          await using without = await open({ bare: true, capabilities: { extendedAgentCard: false } });
          return await without.client.call("GetExtendedAgentCard", {});
        },
      },
      ExtendedAgentCardNotConfigured: {
        "an agent that has the capability and no such card": async () => {
          await using without = await open({ bare: true, extendedCard: false });
          return await without.client.call("GetExtendedAgentCard", {});
        },
      },
      PermissionDenied: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call("GetExtendedAgentCard", {}),
        "a tenant that is not the caller's": (w) =>
          w.as("guest", ["task:read"], ["acme"]).client.call("GetExtendedAgentCard", { tenant: "other" }),
      },
    });

    test("is there for the caller's own tenant, and an empty one is none", async () => {
      const guest = world().as("guest", ["task:read"], ["acme"]);
      for (const tenant of ["acme", ""])
        expect(await guest.client.call("GetExtendedAgentCard", { tenant })).toHaveProperty("skills");
    });
  });
}
