import { type EnforcementLevel, IsolationError } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import { assertIsolation, isolationDemand } from "./isolation.ts";

const host = (level: EnforcementLevel) => ({ probe: async () => ({ level, why: "it is so" }) });
const lax = { requireIsolation: false };
const strict = { requireIsolation: true };
const demanded = { by: "profile", level: "namespace" } as const;

describe("isolationDemand", () => {
  it("is anybody's who demands it: plan, profile or server", () => {
    expect(isolationDemand(lax, lax, lax)).toBeUndefined();
    expect(isolationDemand(lax, strict, lax)).toEqual({ by: "plan", level: "namespace" });
    expect(isolationDemand(lax, lax, lax, { isolation: "full" })).toEqual({ by: "action", level: "full" });
    expect(isolationDemand(lax, lax, strict)).toEqual({ by: "profile", level: "namespace" });
    expect(isolationDemand(strict, lax, lax)).toEqual({ by: "server", level: "namespace" });
  });

  it("is the strictest of several", () => {
    const profile = { requireIsolation: true, isolation: "full" } as const;
    expect(isolationDemand(strict, strict, profile)).toEqual({ by: "profile", level: "full" });
    expect(isolationDemand(strict, { requireIsolation: "full" }, profile)).toEqual({
      by: "plan",
      level: "full",
    });
    expect(isolationDemand(lax, strict, lax, { isolation: "namespace" })).toMatchObject({ by: "plan" });
  });

  it("is not loosened by who demands nothing", () => {
    expect(isolationDemand(strict, { requireIsolation: false }, lax)).toMatchObject({ by: "server" });
  });
});

describe("assertIsolation", () => {
  it("answers what the host gives where that is enough", async () => {
    expect(await assertIsolation({ commands: host("none") }, {})).toEqual({ level: "none", why: "it is so" });
    for (const level of ["namespace", "full"] as const)
      expect(await assertIsolation({ commands: host(level) }, { demand: demanded })).toMatchObject({
        level,
      });
    expect(await assertIsolation({ commands: host("full") }, { shown: "namespace" })).toMatchObject({
      level: "full",
    });
  });

  it("refuses less than is demanded, and says who demands it", async () => {
    const refused = assertIsolation({ commands: host("none") }, { demand: demanded });
    await expect(refused).rejects.toThrow(IsolationError);
    await expect(refused).rejects.toThrow("its automation profile demands more: it is so");
  });

  it("refuses any other level than one that is demanded by name, or a stronger one", async () => {
    const full = { by: "action", level: "full" } as const;
    const refused = assertIsolation({ commands: host("namespace") }, { demand: full });
    await expect(refused).rejects.toThrow("isolation namespace, and its action demands full: it is so");
    expect(await assertIsolation({ commands: host("full") }, { demand: full })).toMatchObject({
      level: "full",
    });
  });

  it("refuses what the operator does not let run, also for plans of before", async () => {
    const refused = assertIsolation({ commands: host("none"), ...strict }, { shown: "none" });
    await expect(refused).rejects.toThrow("this server demands more");
  });

  it("refuses less than was shown", async () => {
    const refused = assertIsolation({ commands: host("namespace") }, { shown: "full" });
    await expect(refused).rejects.toThrow("isolation namespace, and the plan began with full");
  });
});
