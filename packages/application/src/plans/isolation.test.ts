import { type EnforcementLevel, IsolationError } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import { assertIsolation, isolationDemand } from "./isolation.ts";

const host = (level: EnforcementLevel) => ({ probe: async () => ({ level, why: "it is so" }) });
const lax = { requireIsolation: false };
const strict = { requireIsolation: true };

describe("isolationDemand", () => {
  it("is anybody's who demands it: plan, profile or server", () => {
    expect(isolationDemand(lax, lax, lax)).toBeUndefined();
    expect(isolationDemand(lax, strict, lax)).toBe("plan");
    expect(isolationDemand(lax, lax, strict)).toBe("profile");
    expect(isolationDemand(strict, lax, lax)).toBe("server");
  });

  it("is not loosened by who demands nothing", () => {
    expect(isolationDemand(strict, { requireIsolation: false }, lax)).toBe("server");
  });
});

describe("assertIsolation", () => {
  it("answers what the host gives where that is enough", async () => {
    expect(await assertIsolation({ commands: host("none") }, {})).toEqual({ level: "none", why: "it is so" });
    for (const level of ["namespace", "full"] as const)
      expect(await assertIsolation({ commands: host(level) }, { demand: "profile" })).toMatchObject({
        level,
      });
    expect(await assertIsolation({ commands: host("full") }, { shown: "namespace" })).toMatchObject({
      level: "full",
    });
  });

  it("refuses less than is demanded, and says who demands it", async () => {
    const refused = assertIsolation({ commands: host("none") }, { demand: "profile" });
    await expect(refused).rejects.toThrow(IsolationError);
    await expect(refused).rejects.toThrow("its automation profile demands more: it is so");
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
