import {
  type CallContext,
  LOCAL_PRINCIPAL,
  type MethodRow,
  methods,
  type Principal,
} from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { createDispatcher, type DispatcherDeps } from "./dispatcher.ts";
import type { MethodHandlers } from "./method-handlers.ts";

const rows: readonly MethodRow[] = Object.values(methods);
const GUEST: Principal = { id: "guest", scopes: LOCAL_PRINCIPAL.scopes, tenants: ["acme"] };

/** A dispatcher whose handlers answer their own names. */
function open(deps: Partial<DispatcherDeps> = {}) {
  const ran: string[] = [];
  const handlers = Object.fromEntries(
    rows.map(({ name }) => [
      name,
      async () => {
        ran.push(name);
        return {};
      },
    ]),
  ) as unknown as MethodHandlers;
  const silent = () => undefined;
  const dispatcher = createDispatcher({
    handlers,
    clock: { now: () => 0 },
    ids: { next: () => "id" },
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    ...deps,
  });
  async function call(method: string, params: object = {}, context: Partial<CallContext> = {}) {
    const answer = await dispatcher.dispatch(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), {
      principal: LOCAL_PRINCIPAL,
      serviceParameters: { "a2a-version": "1.0" },
      binding: "in-process",
      signal: new AbortController().signal,
      ...context,
    });
    if (answer.kind !== "one") throw new Error(`answered with ${answer.kind}`);
    return "error" in answer.response ? answer.response.error.code : "served";
  }
  return { call, ran };
}

describe("a capability that is switched off", () => {
  const others = ["GetTask", "ListTasks", "_cleveragents/plan/list"];

  test.each([
    ["streaming", rows.filter(({ family, kind }) => family === "a2a" && kind === "stream"), -32004],
    ["pushNotifications", rows.filter(({ group }) => group === "push"), -32003],
    ["extendedAgentCard", rows.filter(({ name }) => name === "GetExtendedAgentCard"), -32004],
  ] as const)(
    "%s refuses its methods, whatever the parameters, and no other",
    async (capability, needing, code) => {
      expect(needing.length).toBeGreaterThan(0);
      const { call, ran } = open({ capabilities: { [capability]: false } });
      for (const { name } of needing) expect(await call(name), name).toBe(code);
      expect(ran).toEqual([]);
      for (const name of others) expect(await call(name, { id: "t" }), name).toBe("served");
    },
  );

  test("streaming leaves the platform's own streams alone", async () => {
    const { call } = open({ capabilities: { streaming: false } });
    for (const { name, family, kind } of rows)
      if (family === "cleveragents" && kind === "stream") expect(await call(name), name).not.toBe(-32004);
  });
});

describe("a version that is not served", () => {
  test("is refused on every method, also where none is named", async () => {
    const { call } = open({ versions: ["1.0"] });
    for (const serviceParameters of [{}, { "a2a-version": "0.3" }] as Record<string, string>[])
      for (const method of ["tasks/get", "GetTask", "_cleveragents/plan/list", "nonsense"])
        expect(await call(method, { id: "t" }, { serviceParameters })).toBe(-32009);
    expect(await call("GetTask", { id: "t" })).toBe("served");
  });
});

describe("a tenant", () => {
  const standard = rows.filter(({ family }) => family === "a2a").map(({ name }) => name);
  const params = {
    id: "t",
    taskId: "t",
    url: "https://example.com",
    message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] },
  };

  test.each(standard)("that is not the caller's is refused by %s before anything is done", async (name) => {
    const { call, ran } = open();
    expect(await call(name, { ...params, tenant: "other" }, { principal: GUEST })).toBe(-32000);
    expect(await call(name, { ...params, tenant: "acme" })).toBe(-32000);
    expect(ran).toEqual([]);
  });

  test("of the caller's is served, and an empty one is none", async () => {
    const { call } = open();
    expect(await call("GetTask", { id: "t", tenant: "acme" }, { principal: GUEST })).toBe("served");
    expect(await call("GetTask", { id: "t", tenant: "" })).toBe("served");
    expect(await call("GetTask", { id: "t", tenant: null })).toBe("served");
  });

  test("is refused on the platform's methods too, in their own code", async () => {
    const { call } = open();
    expect(await call("_cleveragents/plan/list", { tenant: "acme" })).toBe(-32003);
    expect(await call("_cleveragents/plan/list", { tenant: "acme" }, { principal: GUEST })).toBe("served");
  });
});
