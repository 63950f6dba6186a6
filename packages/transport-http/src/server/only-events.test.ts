import { buildAgentCard, type DispatchAnswer, failure, SseDecoder, success } from "@cleveragents/protocol";
import { expect, test } from "vitest";
import { createHttpServer } from "./create-http-server.ts";

const REFUSED = failure(7, { code: -32001, message: "Task not found" });

async function ask(headers: Record<string, string>, response: object = REFUSED) {
  const answer = { kind: "one", response, serviceParameters: {} } as DispatchAnswer;
  const server = createHttpServer({
    dispatcher: { dispatch: async () => answer },
    authenticator: undefined,
    card: () =>
      buildAgentCard({ version: "1", baseUrl: "http://localhost", schemes: [], retentionSeconds: 1 }),
    probes: { service: "test", version: "1", ready: async () => ({ ready: true, checks: {} }) },
    allowedHosts: [],
  });
  const {
    statusCode,
    headers: answered,
    body,
  } = await server.inject({
    method: "POST",
    url: "/a2a",
    headers: { "content-type": "application/json", ...headers },
    payload: "{}",
  });
  await server.close(0);
  return { statusCode, type: String(answered["content-type"]), body };
}

test.each([
  ["no version", {}],
  ["0.3", { "a2a-version": "0.3" }],
])("under %s whoever asks for events alone is refused by an event", async (_, version) => {
  const { statusCode, type, body } = await ask({ accept: "text/event-stream", ...version });
  expect([statusCode, type]).toEqual([200, "text/event-stream"]);
  const [event] = new SseDecoder().push(Buffer.from(body));
  expect(JSON.parse(event?.data ?? "")).toEqual(REFUSED);
});

test.each([
  ["under 1.0", { accept: "text/event-stream", "a2a-version": "1.0" }, REFUSED],
  ["to whoever takes JSON too", { accept: "application/json, text/event-stream" }, REFUSED],
  ["to whoever says nothing", {}, REFUSED],
  ["where it is no refusal", { accept: "text/event-stream" }, success(7, { id: "t" })],
])("the answer is JSON %s", async (_, headers, response) => {
  const { type, body } = await ask(headers as Record<string, string>, response);
  expect(type).toContain("application/json");
  expect(JSON.parse(body)).toEqual(response);
});
