import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenWorld, World } from "../world/world.ts";
import { aTime } from "./matchers.ts";
import { refusals } from "./refusals.ts";

/** What an operator looks at when something is wrong. */
export function diagnosticsContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open({ bare: true });
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;

  describe("_cleveragents/diagnostics/run", () => {
    test("looks at everything that plans need, and is as bad as the worst of it", async () => {
      const report = await world().client.call("_cleveragents/diagnostics/run", {});
      expect(report).toEqual({
        status: "warn",
        version: "0.0.0-test",
        service: "cleveragents",
        timestamp: aTime,
        checks: expect.arrayContaining([
          { id: "store", status: "ok", summary: "answers" },
          { id: "engine", status: "ok", summary: "answers" },
          { id: "clock", status: "ok", summary: aTime },
          expect.objectContaining({ id: "commands", status: "warn", remediation: expect.any(String) }),
        ]),
      });
      expect(
        await world().client.call("diagnostics.run" as "_cleveragents/diagnostics/run", {}),
      ).toMatchObject({ status: "warn" });
    });

    refusals("_cleveragents/diagnostics/run", world, {
      InvalidParams: {
        "files that are no truth value": ({ client }) =>
          client.call("_cleveragents/diagnostics/run", { files: "yes" as never }),
      },
      Forbidden: {
        "a caller without health:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/diagnostics/run", {}),
        "somebody else than the local user who wants the files": (w) =>
          w.as("operator", ["health:read"]).client.call("_cleveragents/diagnostics/run", { files: true }),
      },
    });
  });
}
