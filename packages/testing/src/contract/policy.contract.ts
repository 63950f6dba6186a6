import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenWorld, World } from "../world/world.ts";
import { refusals } from "./refusals.ts";

/** What the guards think of a command. Nothing is run. */
export function policyContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open({ bare: true });
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;

  describe("_cleveragents/policy/explain", () => {
    test("shows every command in a command, its verdict and the rule", async () => {
      const { client } = world();
      const document =
        "name: explaining\ndescription: x\nguards: { commands: { allow: [npm test], deny: [git push] } }";
      await client.call("_cleveragents/profile/add", { document });
      const command = "npm test && sudo git -C x push | cat";
      expect(await client.call("_cleveragents/policy/explain", { command, profile: "explaining" })).toEqual({
        command,
        profile: "local/explaining",
        enforced: true,
        verdict: "deny",
        reason: '"git -C x push" is denied by the rule "git push"',
        commands: [
          {
            command: "npm test",
            verdict: "allow",
            reason: '"npm test" is allowed by the rule "npm test"',
            rule: "npm test",
            depth: 0,
          },
          { command: "sudo git -C x push", verdict: "ask", reason: "sudo runs it as another user", depth: 0 },
          {
            command: "git -C x push",
            verdict: "deny",
            reason: '"git -C x push" is denied by the rule "git push"',
            rule: "git push",
            depth: 1,
          },
          {
            command: "cat",
            verdict: "allow",
            reason: "cat changes nothing, whatever its arguments",
            depth: 0,
          },
        ],
        unclear: [],
      });
    });

    test("without a profile it is that of plans without one; a list is one command", async () => {
      expect(
        await world().client.call("_cleveragents/policy/explain", { command: ["cat", "a; rm b"] }),
      ).toMatchObject({ profile: "supervised", enforced: false, verdict: "allow", commands: [{ depth: 0 }] });
    });

    test("what cannot be read is asked about", async () => {
      expect(await world().client.call("_cleveragents/policy/explain", { command: "cat 'x" })).toMatchObject({
        verdict: "ask",
        unclear: [expect.stringContaining("quote")],
      });
    });

    refusals("_cleveragents/policy/explain", world, {
      InvalidParams: {
        "no command": ({ client }) => client.call("_cleveragents/policy/explain", {} as never),
        "a profile that is none": ({ client }) =>
          client.call("_cleveragents/policy/explain", { command: "ls", profile: "yolo" }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/policy/explain", { command: "ls" }),
      },
    });
  });
}
