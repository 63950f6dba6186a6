import {
  type CallContext,
  type Dispatcher,
  failure,
  LOCAL_PRINCIPAL,
  type ParsedMessage,
  success,
} from "@cleveragents/protocol";
import { expect, test } from "vitest";
import { withFrontedCard } from "./fronted-card.ts";

const silent = () => undefined;
const skill = (id: string) => ({ id, name: id, description: id, tags: ["x"] });
const ownersCard = {
  skills: [skill("plan-lifecycle"), skill("local/fix")],
  supportedInterfaces: [{ url: "stdio:" }],
};

/** A server in front of an owner that answers every call so. */
function front(answer: "card" | "refusal" = "card") {
  const dispatcher: Dispatcher = {
    dispatch: async (message) => ({
      kind: "one",
      response:
        answer === "card"
          ? success(7, { ...ownersCard, asked: message })
          : failure(7, { code: -32000, message: "gone" }),
      serviceParameters: {},
    }),
  };
  const fronted = withFrontedCard({
    dispatcher,
    card: () => ({
      version: "1",
      baseUrl: "https://front.example",
      schemes: ["bearer"],
      retentionSeconds: 1,
    }),
    clock: { now: () => 0 },
    ids: { next: () => "id" },
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
  return async (method: string, context: Partial<CallContext> = {}) => {
    const given = await fronted.dispatch(JSON.stringify({ jsonrpc: "2.0", id: 1, method }), {
      principal: LOCAL_PRINCIPAL,
      serviceParameters: { "a2a-version": "1.0" },
      binding: "http",
      signal: new AbortController().signal,
      ...context,
    });
    return given.kind === "one" ? JSON.parse(JSON.stringify(given.response)) : given;
  };
}

test("the extended card of a front has the owner's skills and the front's own addresses", async () => {
  const { id, result } = await front()("GetExtendedAgentCard");
  expect(id).toBe(1);
  expect(result.skills.map((one: { id: string }) => one.id)).toEqual([
    "plan-lifecycle",
    "registry-crud",
    "diagnostics",
    "local/fix",
  ]);
  const urls = new Set(result.supportedInterfaces.map(({ url }: { url: string }) => url));
  expect(urls).toEqual(new Set(["https://front.example/a2a", "https://front.example/a2a/rest"]));
});

test("in 0.3 it is asked for and answered in 0.3", async () => {
  const { result } = await front()("agent/getAuthenticatedExtendedCard", { serviceParameters: {} });
  expect(result).toMatchObject({ protocolVersion: "0.3.0", url: "https://front.example/a2a" });
});

test("in a batch it is the front's too, and every answer stands in the order of the requests", async () => {
  const dispatcher: Dispatcher = {
    dispatch: async (message) => {
      const parsed = message as ParsedMessage;
      if (parsed.kind !== "batch")
        return { kind: "one", response: success(7, ownersCard), serviceParameters: {} };
      const responses = parsed.entries.flatMap((entry) =>
        entry.kind === "call" && entry.request.id !== undefined ? success(entry.request.id, "owner") : [],
      );
      return { kind: "batch", responses, serviceParameters: {} };
    },
  };
  const fronted = withFrontedCard({
    dispatcher,
    card: () => ({ version: "1", baseUrl: "https://front.example", schemes: [], retentionSeconds: 1 }),
    clock: { now: () => 0 },
    ids: { next: () => "id" },
    logger: { debug: silent, info: silent, warn: silent, error: silent },
  });
  const call = (method: string, id?: string) => ({
    jsonrpc: "2.0",
    method,
    ...(id === undefined ? {} : { id }),
  });
  const batch = [
    call("GetTask", "a"),
    call("GetExtendedAgentCard", "b"),
    call("GetTask"),
    call("GetExtendedAgentCard"),
    call("ListTasks", "c"),
  ];
  const answer = await fronted.dispatch(JSON.stringify(batch), {
    principal: LOCAL_PRINCIPAL,
    serviceParameters: { "a2a-version": "1.0" },
    binding: "http",
    signal: new AbortController().signal,
  });
  expect(JSON.parse(JSON.stringify(answer))).toMatchObject({
    kind: "batch",
    responses: [
      { id: "a", result: "owner" },
      { id: "b", result: { supportedInterfaces: [{ url: "https://front.example/a2a" }, {}, {}, {}] } },
      { id: "c", result: "owner" },
    ],
  });
});

test("an owner that does not answer is told as such", async () => {
  expect((await front("refusal")("GetExtendedAgentCard")).error).toMatchObject({
    code: -32000,
    data: [{ reason: "SHUTTING_DOWN" }],
  });
});

test("every other call is the owner's", async () => {
  expect((await front()("GetTask")).result.asked).toMatchObject({ request: { method: "GetTask" } });
});
