import { describe, expect, test } from "vitest";
import { stranger, use, type World } from "../../world/world.ts";
import { answers, requestText } from "./text.ts";

/** Each request has two faults at least; the earlier check tells its own. */
export function order(world: () => World): void {
  const OTHER_VERSION = { "A2A-Extensions": "urn:cleveragents:extensions:v2" };
  const nobody = () => world().as("nobody", []);

  describe("the order of the checks", () => {
    test("text before version", async () => {
      expect(await world().raw('{"jsonrpc":"1.0","id":1,"method":"Nope"}', { "A2A-Version": "9.9" })).toEqual(
        answers(1, "InvalidRequest"),
      );
    });

    test("version before method", async () => {
      expect(await world().raw(requestText("Nope"), { "A2A-Version": "9.9" })).toEqual(
        answers(1, "VersionNotSupported"),
      );
    });

    test("method before extensions", async () => {
      expect(
        await nobody().raw(requestText("_cleveragents/nope"), { "A2A-Version": "1.0", ...OTHER_VERSION }),
      ).toEqual(answers(1, "MethodNotFound"));
    });

    test("extensions before scope", async () => {
      const answer = await nobody().raw(requestText("_cleveragents/plan/status", []), {
        "A2A-Version": "1.0",
        ...OTHER_VERSION,
      });
      expect(answer).toEqual(answers(1, "ExtensionVersionMismatch"));
    });

    test("scope before params, in the shape of either family", async () => {
      expect(await nobody().raw(requestText("GetTask", []))).toEqual(answers(1, "PermissionDenied"));
      expect(await nobody().raw(requestText("_cleveragents/plan/status", []))).toEqual(
        answers(1, "Forbidden"),
      );
    });

    test("params before the handler", async () => {
      const caller = stranger(world());
      expect(await caller.raw(requestText("GetTask", { id: "nope", historyLength: -1 }))).toEqual(
        answers(1, "InvalidParams"),
      );
    });

    test("a refusal changes nothing", async () => {
      const caller = stranger(world());
      const { plan_id: id } = await use(caller, "idle");
      const readOnly = world().as(caller.principalId, ["task:read"]);
      expect(await readOnly.raw(requestText("CancelTask", { id }))).toEqual(answers(1, "PermissionDenied"));
      expect(await caller.client.call("_cleveragents/plan/list", { state: "cancelled" })).toMatchObject({
        plans: [],
      });
    });
  });
}
