import { describe, expect, test } from "vitest";
import { atRest } from "../../world/following.ts";
import { stranger, use, type World } from "../../world/world.ts";
import { answers, LISTED, requestText } from "./text.ts";

export function members(world: () => World): void {
  describe("params", () => {
    test.each([[["x"]], [null], ["x"], [1]])(
      "%j is InvalidParams, never read by position",
      async (params) => {
        expect(await world().raw(requestText("GetTask", params))).toEqual(answers(1, "InvalidParams"));
        expect(await world().raw(requestText("ListTasks", params))).toEqual(answers(1, "InvalidParams"));
        expect(await world().raw(requestText("_cleveragents/health/check", params))).toEqual(
          answers(1, "InvalidParams"),
        );
      },
    );

    test("their absence is fine where nothing is required", async () => {
      expect(await world().raw(requestText("ListTasks"))).toEqual(LISTED);
      for (const method of [
        "_cleveragents/health/check",
        "session.create",
        "_cleveragents/plan/list",
        "_cleveragents/registry/tool/list",
      ]) {
        expect(await world().raw(requestText(method))).toMatchObject({ id: 1, result: {} });
      }
    });

    test("their absence is InvalidParams that names the field where one is required", async () => {
      const answer = await world().raw(requestText("GetTask"));
      expect(answer).toEqual(answers(1, "InvalidParams"));
      const violations = {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field: "id", description: "required; must be a string" }],
      };
      expect(answer).toMatchObject({ error: { data: [{}, violations] } });
    });

    test("null is absence for optional members", async () => {
      expect(
        await world().raw(
          requestText("ListTasks", { contextId: null, status: null, pageSize: null, pageToken: null }),
        ),
      ).toEqual(LISTED);
      expect(
        await world().raw(requestText("_cleveragents/plan/list", { phase: null, page_token: null })),
      ).toMatchObject({ result: { plans: expect.any(Array) } });
    });
  });

  describe("unknown members", () => {
    test("are ignored everywhere, and not sent back", async () => {
      const future = { futureFlag: true };
      const message = {
        messageId: "m-future",
        role: "ROLE_USER",
        mood: "good",
        parts: [{ text: "hello", shade: "dark" }],
      };
      const params = { message, configuration: { returnImmediately: false, ...future }, ...future };
      const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params, ...future });
      const answer = await stranger(world()).raw(text);
      expect(answer).toMatchObject({ id: 1, result: { message: { role: "ROLE_AGENT" } } });
      expect(JSON.stringify(answer)).not.toMatch(/futureFlag|mood|shade/);
    });

    test("named __proto__ are never a key or a prototype of ours", async () => {
      const caller = stranger(world());
      const request = (params: string) =>
        `{"jsonrpc":"2.0","id":1,"__proto__":{"polluted":1},"method":"GetTask","params":${params}}`;
      expect(await caller.raw(request('{"__proto__":{"id":"x"}}'))).toEqual(answers(1, "InvalidParams"));
      expect(await caller.raw(request('{"\\u005f_proto__":{"id":"x"}}'))).toEqual(
        answers(1, "InvalidParams"),
      );
      const use = `{"jsonrpc":"2.0","id":1,"method":"_cleveragents/plan/use","params":{"action_name":"touch","automation_profile":"manual","arguments":{"__proto__":{"polluted":1}}}}`;
      expect(await caller.raw(use)).toMatchObject({
        result: { inputs: { path: "touched.txt", content: "touched\n" } },
      });
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    });

    test("named __proto__ lend no answer to a message that has none of its own", async () => {
      const caller = stranger(world());
      const { plan_id } = await use(caller, "idle");
      await atRest(caller.client, plan_id);
      const part =
        '{"data":{"type":"approval_response","__proto__":{"choice":"yes"},"constructor":{"choice":"yes"}}}';
      const message = `{"messageId":"m-proto","taskId":"${plan_id}","role":"ROLE_USER","parts":[${part}]}`;
      const answer = await caller.raw(
        `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":${message}}}`,
      );
      expect(answer).toMatchObject({ error: { code: -32602 } });
      expect(await caller.client.call("_cleveragents/plan/status", { plan_id })).toMatchObject({
        waiting_for: { kind: "start" },
      });
    });
  });
}
