import { ApiKeyAuthenticator } from "@cleveragents/infrastructure/auth";
import {
  type CallContext,
  type Dispatcher,
  type JsonRpcRequest,
  LOCAL_PRINCIPAL,
  type Principal,
  ProtocolError,
} from "@cleveragents/protocol";
import { scriptedMessageActor } from "@cleveragents/testing";
import { connectSocket } from "@cleveragents/transport-stdio/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Forwarding, forwardTo } from "../src/owner/forwarding-dispatcher.ts";
import { ACT_AS, AUTHENTICATE, withFronts } from "../src/owner/serve-fronts.ts";
import { bootMachine } from "./in-memory-server.ts";
import { KillableOwner } from "./killable-owner.ts";

const ANNA: Principal = { id: "anna", scopes: ["task:read", "task:write"], tenants: ["acme"] };
const BERT: Principal = { id: "bert", scopes: ["task:read", "task:write"] };

/** What a caller gets of a front: the result, or the reason of the refusal. */
async function callAs(front: Forwarding, principal: Principal, method: string, params: object = {}) {
  const context: CallContext = {
    principal,
    serviceParameters: { "a2a-version": "1.0" },
    binding: "http",
    signal: new AbortController().signal,
  };
  const request = { jsonrpc: "2.0", id: 1, method, params } as const;
  const answer = await front.dispatcher.dispatch({ kind: "call", request }, context);
  if (answer.kind === "stream") {
    const results: unknown[] = [];
    for await (const { result } of answer.elements) results.push(result);
    return results;
  }
  if (answer.kind !== "one") return answer.kind;
  const { response } = answer;
  if ("result" in response) return response.result;
  const { data } = response.error;
  return ((Array.isArray(data) ? data[0] : data) as { reason: string }).reason;
}

const say = (messageId: string) => ({
  message: { messageId, role: "ROLE_USER", parts: [{ text: "echo" }] },
});

describe("a server in front of an owner", () => {
  let machine: Awaited<ReturnType<typeof bootMachine>>;
  let composition: Awaited<ReturnType<typeof machine.start>>;
  let owner: KillableOwner;
  let front: Forwarding;
  let dispatcher: Dispatcher;
  beforeAll(async () => {
    machine = await bootMachine({ actor: scriptedMessageActor });
    composition = await machine.start();
    const { clock, keys } = machine.adapters;
    dispatcher = withFronts({
      dispatcher: composition.dispatcher,
      token: "t",
      keys: new ApiKeyAuthenticator({ clock, keys }),
    });
    owner = await KillableOwner.start(dispatcher);
    front = await forwardTo({ dataDir: owner.dataDir });
  });
  afterAll(async () => {
    await front[Symbol.asyncDispose]();
    await owner[Symbol.asyncDispose]();
    await composition.stop(1000);
    await machine[Symbol.asyncDispose]();
  });

  test("hands calls and streams on in their callers' names: nobody sees another one's tasks", async () => {
    const made = (await callAs(front, ANNA, "SendMessage", say("anna-1"))) as { task: { id: string } };
    const id = made.task.id;
    expect(await callAs(front, ANNA, "GetTask", { id })).toMatchObject({ id });
    expect(await callAs(front, BERT, "GetTask", { id })).toBe("TASK_NOT_FOUND");
    expect(await callAs(front, LOCAL_PRINCIPAL, "GetTask", { id })).toBe("TASK_NOT_FOUND");
    const streamed = (await callAs(front, BERT, "SendStreamingMessage", say("bert-1"))) as object[];
    expect(streamed.length).toBeGreaterThan(1);
    expect(await callAs(front, BERT, "ListTasks")).toMatchObject({ totalSize: 1 });
    expect(await callAs(front, LOCAL_PRINCIPAL, "ListTasks")).toMatchObject({ totalSize: 0 });
  });

  test("lets nobody do more than his scopes and tenants allow", async () => {
    expect(await callAs(front, ANNA, "_cleveragents/registry/tool/list")).toBe("PERMISSION_DENIED");
    expect(await callAs(front, ANNA, "ListTasks", { tenant: "acme" })).toMatchObject({ tasks: [{}] });
    expect(await callAs(front, ANNA, "ListTasks", { tenant: "other" })).toBe("PERMISSION_DENIED");
    expect(await callAs(front, BERT, "ListTasks", { tenant: "acme" })).toBe("PERMISSION_DENIED");
    const namesake = { ...BERT, id: LOCAL_PRINCIPAL.id };
    expect(await callAs(front, namesake, "_cleveragents/registry/tool/list")).toBe("PERMISSION_DENIED");
  });

  test("asks the owner whose a key is, as long as it holds", async () => {
    const { keys } = composition.services;
    const { key, made } = (await keys?.create(LOCAL_PRINCIPAL, {
      name: "x",
      scopes: ["task:read"],
      tenants: ["acme"],
    })) ?? { key: "", made: undefined };
    const known = { id: `key:${made?.keyId}`, scopes: ["task:read"], tenants: ["acme"] };
    expect(await front.keys.authenticate({ authorization: `Bearer ${key}` })).toEqual(known);
    expect(await front.keys.authenticate({ "x-api-key": key })).toEqual(known);
    expect(await front.keys.authenticate({ "x-api-key": `${key}x` })).toBeUndefined();
    expect(await front.keys.authenticate({ authorization: "Bearer other" })).toBeUndefined();
    await keys?.revoke(made?.keyId ?? "");
    expect(await front.keys.authenticate({ "x-api-key": key })).toBeUndefined();
  });

  test("cannot be played by who cannot read the owner's token", async () => {
    await using client = await connectSocket(owner.path);
    const request = { method: "ListTasks", params: {} };
    const ask = (method: string, params: object) =>
      client.request({ jsonrpc: "2.0", id: 1, method, params } as JsonRpcRequest, {
        serviceParameters: { "A2A-Version": "1.0" },
      });
    const denied = { error: { data: [{ reason: "AUTHENTICATION_UNAVAILABLE" }] } };
    for (const token of [undefined, "", "other", 7]) {
      expect(await ask(ACT_AS, { token, principal: ANNA, request })).toMatchObject(denied);
      expect(await ask(AUTHENTICATE, { token, credentials: {} })).toMatchObject(denied);
    }
    const invalid = { error: { data: [{ reason: "INVALID_PARAMS" }] } };
    for (const principal of [
      undefined,
      "anna",
      { id: "" },
      { id: "x", scopes: "all" },
      { ...ANNA, tenants: 1 },
    ])
      expect(await ask(ACT_AS, { token: "t", principal, request })).toMatchObject(invalid);
    expect(await ask(ACT_AS, { token: "t", principal: ANNA })).toMatchObject(invalid);
    const nested = { method: ACT_AS, params: { token: "t", principal: LOCAL_PRINCIPAL, request } };
    expect(await ask(ACT_AS, { token: "t", principal: ANNA, request: nested })).toMatchObject({
      error: { data: [{ reason: "METHOD_NOT_FOUND" }] },
    });
  });
});

test("an owner that does not know of callers is never told to take one for the local user", async () => {
  await using machine = await bootMachine();
  const composition = await machine.start();
  await using _stopping = { [Symbol.asyncDispose]: () => composition.stop(1000) };
  await using owner = await KillableOwner.start(composition.dispatcher);
  await using front = await forwardTo({ dataDir: owner.dataDir });
  expect(await callAs(front, ANNA, "ListTasks")).toBe("METHOD_NOT_FOUND");
  expect(await callAs(front, LOCAL_PRINCIPAL, "ListTasks")).toMatchObject({ totalSize: 0 });
  const asked = front.keys.authenticate({ "x-api-key": "cak_x" });
  await expect(asked).rejects.toSatisfy(
    (error) => ProtocolError.is(error) && error.kind === "AuthenticationUnavailable",
  );
});
