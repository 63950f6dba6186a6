import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenWorld, World } from "../world/world.ts";
import { aTime } from "./matchers.ts";
import { refusals } from "./refusals.ts";

/** Whether the agent can work. */
export function healthContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open({ bare: true });
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;

  describe("_cleveragents/health/check", () => {
    test("names each part and what was found of it", async () => {
      expect(await world().client.call("_cleveragents/health/check", {})).toEqual({
        status: "healthy",
        version: "0.0.0-test",
        service: "cleveragents",
        timestamp: aTime,
        checks: expect.arrayContaining([
          { id: "store", status: "ok", summary: "answers" },
          {
            id: "push",
            status: "ok",
            summary: expect.stringMatching(/^\d+ waiting, \d+ of them failing, 0 given up in the last day$/),
          },
          {
            id: "commands",
            status: "warn",
            summary: expect.stringMatching(/^isolation none: commands run as ordinary processes/),
            remediation: expect.stringMatching(/bubblewrap/),
          },
        ]),
      });
    });

    refusals("_cleveragents/health/check", world, {
      InvalidParams: {
        "params that are no object": ({ client }) => client.call("_cleveragents/health/check", [] as never),
      },
      Forbidden: {
        "a caller without health:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/health/check", {}),
      },
    });
  });
}
