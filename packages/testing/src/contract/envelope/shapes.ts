import { describe, expect, test } from "vitest";
import type { OpenWorld, World } from "../../world/world.ts";
import { anId, aTime } from "../matchers.ts";
import { requestText } from "./text.ts";

export function shapes(world: () => World, open: OpenWorld): void {
  describe("the shape of an error", () => {
    test("on a standard method data is a list that begins with A2A's ErrorInfo", async () => {
      expect(await world().raw(requestText("GetTask", { id: "nope" }))).toEqual({
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32001,
          message: "Task not found",
          data: [
            {
              "@type": "type.googleapis.com/google.rpc.ErrorInfo",
              reason: "TASK_NOT_FOUND",
              domain: "a2a-protocol.org",
              metadata: { taskId: "nope", requestId: anId, timestamp: aTime },
            },
          ],
        },
      });
    });

    test("on the platform's own data is an object with the ids, and the details beside them", async () => {
      const hint = "agents plan list shows your plans";
      expect(await world().raw(requestText("_cleveragents/plan/status", { plan_id: "nope" }))).toEqual({
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32001,
          message: "Plan not found",
          data: {
            plan_id: "nope",
            hint,
            reason: "PLAN_NOT_FOUND",
            request_id: anId,
            timestamp: aTime,
            details: [
              {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                reason: "PLAN_NOT_FOUND",
                domain: "cleveragents",
                metadata: { plan_id: "nope", hint, requestId: anId, timestamp: aTime },
              },
            ],
          },
        },
      });
    });

    test("an error that nobody foresaw tells nothing but an id, under which our log has the cause", async () => {
      await using own = await open({ bare: true, unforeseen: new Error("secret at /home/ada/.netrc") });
      const answer = await own.raw(requestText("_cleveragents/session/list", {}));
      expect(answer).toEqual({
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32603,
          message: "Internal error",
          data: {
            reason: "INTERNAL_ERROR",
            request_id: anId,
            timestamp: aTime,
            details: [
              {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                reason: "INTERNAL_ERROR",
                domain: "cleveragents",
                metadata: { requestId: anId, timestamp: aTime },
              },
            ],
          },
        },
      });
      expect(JSON.stringify(answer)).not.toMatch(/secret|home|netrc|\.ts:/);
      const { request_id } = (answer as { error: { data: { request_id: string } } }).error.data;
      const cause = own.logged.find(
        ({ level, fields }) => level === "error" && fields["requestId"] === request_id,
      );
      expect(cause?.fields["error"]).toContain("secret at /home/ada/.netrc");
    });
  });
}
