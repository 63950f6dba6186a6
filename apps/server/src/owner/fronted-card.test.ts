import { type CallContext, type Dispatcher, failure, LOCAL_PRINCIPAL, success } from "@cleveragents/protocol";
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
    "local/fix",
  ]);
  const urls = new Set(result.supportedInterfaces.map(({ url }: { url: string }) => url));
  expect(urls).toEqual(new Set(["https://front.example/a2a", "https://front.example/a2a/rest"]));
});

test("in 0.3 it is asked for and answered in 0.3", async () => {
  const { result } = await front()("agent/getAuthenticatedExtendedCard", { serviceParameters: {} });
  expect(result).toMatchObject({ protocolVersion: "0.3.0", url: "https://front.example/a2a" });
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
