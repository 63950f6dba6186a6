import {
  A2aNotAvailableError,
  A2aOperationNotFoundError,
  A2aRequest,
  A2aVersionMismatchError,
} from "@cleveragents/protocol";
import { expect, test } from "vitest";
import { A2aLocalFacade } from "./local-facade.ts";

const facade = new A2aLocalFacade({ services: {} });
const list = new A2aRequest({ method: "_cleveragents/plan/list" });

test("a service that is not wired answers NOT_AVAILABLE, after its parameters were checked", async () => {
  expect((await facade.dispatch(list)).error).toMatchObject({
    code: -32004,
    data: { reason: "NOT_AVAILABLE" },
  });
  const bad = new A2aRequest({ method: "_cleveragents/plan/status", params: { plan_id: "" } });
  expect((await facade.dispatch(bad)).error).toMatchObject({ code: -32602 });
});

test("an unknown method is an answer, and a throw only where a throw is asked for", async () => {
  const unknown = new A2aRequest({ method: "plan.dance" });
  expect((await facade.dispatch(unknown)).error).toMatchObject({ code: -32601 });
  await expect(facade.dispatchOrThrow(unknown)).rejects.toBeInstanceOf(A2aOperationNotFoundError);
  await expect(facade.dispatchOrThrow(unknown)).rejects.toMatchObject({ operation: "plan.dance" });
});

test("each kind of failure has its class", async () => {
  await expect(facade.dispatchOrThrow(list)).rejects.toBeInstanceOf(A2aNotAvailableError);
  await expect(facade.dispatchOrThrow(list, { version: "9.9" })).rejects.toBeInstanceOf(
    A2aVersionMismatchError,
  );
});

test("a request without an id gets one, and the answer carries it", async () => {
  expect(list.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  expect((await facade.dispatch(list)).id).toBe(list.id);
});
