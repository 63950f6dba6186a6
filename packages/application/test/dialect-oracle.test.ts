import {
  AgentCard as SdkAgentCard,
  Message as SdkMessage,
  TaskPushNotificationConfig as SdkPushConfig,
  SendMessageRequest,
  StreamResponse,
  Task,
} from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { type A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { buildAgentCard } from "@cleveragents/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Asker, StandardMethod } from "../src/wire/dialects/dialect.ts";
import { dialectFor } from "../src/wire/dialects/dialect-for.ts";
import * as arbitrary from "./arbitraries.ts";

const v03 = dialectFor("0.3");
const asker: Asker = { newId: () => "new", hasTask: async () => false };
const overJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
const CARD = buildAgentCard({
  version: "1.2.3",
  baseUrl: "http://127.0.0.1",
  versions: ["1.0"],
  schemes: ["bearer", "apiKey"],
  retentionSeconds: 1,
});
CARD.supportedInterfaces.push({
  url: "http://127.0.0.1/a2a",
  protocolBinding: "JSONRPC",
  protocolVersion: "0.3",
});

// The SDK takes a data part with null for a part without content.
const known = (value: unknown) => !JSON.stringify(value).includes('"data":null');
const message = arbitrary.message.filter(known);
const task = arbitrary.task.filter(known);
const streamResponse = arbitrary.streamResponse.filter(known);
const { pushConfig } = arbitrary;

type Answers = { readonly [M in keyof A2ARequestHandler]?: unknown };

/** The SDK's 0.3 endpoint before an agent that always answers this. */
function sdk(answers: Answers) {
  const requests: unknown[] = [];
  const handler = new Proxy(
    {},
    {
      get: (_, name: keyof A2ARequestHandler) => (request: unknown) => {
        requests.push(request);
        return name === "getAgentCard" ? Promise.resolve(SdkAgentCard.fromJSON(CARD)) : answers[name];
      },
    },
  ) as A2ARequestHandler;
  const endpoint = new LegacyJsonRpcTransportHandler(handler);
  const call = (method: string, params: unknown) =>
    endpoint.handle({ jsonrpc: "2.0", id: 1, method, params }, new ServerCallContext({}));
  return {
    requests,
    async result(method: string, params: unknown) {
      return (overJson(await call(method, params)) as { result: unknown }).result;
    },
    async elements(method: string, params: unknown) {
      const elements: unknown[] = [];
      for await (const response of (await call(method, params)) as AsyncIterable<unknown>)
        elements.push((overJson(response) as { result: unknown }).result);
      return elements;
    },
  };
}

describe("the SDK's 0.3 endpoint gives the same JSON", () => {
  test("for tasks and messages", async () => {
    await fc.assert(
      fc.asyncProperty(task, message, async (done, said) => {
        const { result } = sdk({
          getTask: Task.fromJSON(done),
          cancelTask: Task.fromJSON(done),
          sendMessage: SdkMessage.fromJSON(said),
        });
        expect(await result("tasks/get", { id: "t" })).toEqual(v03.result("GetTask", done));
        expect(await result("tasks/cancel", { id: "t" })).toEqual(v03.result("CancelTask", done));
        const params = { message: v03.result("SendMessage", { message: said }) };
        expect(await result("message/send", params)).toEqual(v03.result("SendMessage", { message: said }));
      }),
      { numRuns: 60 },
    );
  });

  test("for the events of a stream, but for two members", async () => {
    await fc.assert(
      fc.asyncProperty(streamResponse, async (element) => {
        const events = async function* () {
          yield StreamResponse.fromJSON(element);
        };
        const [theirs] = await sdk({ resubscribe: events() }).elements("tasks/resubscribe", { id: "t" });
        const ours = overJson(v03.element("SubscribeToTask", element)) as Record<string, unknown>;
        // It cannot tell false from absent, and writes both as false.
        const defaults = ours["kind"] === "artifact-update" ? { append: false, lastChunk: false } : {};
        expect(theirs).toEqual({ ...defaults, ...ours });
      }),
    );
  });

  test("but not where a stream ends because the task asks: its last event is not final there, ours is", async () => {
    const status = { state: "TASK_STATE_INPUT_REQUIRED", timestamp: "2026-01-02T03:04:05.678Z" };
    const element = { statusUpdate: { taskId: "t", contextId: "c", status } };
    const events = async function* () {
      yield StreamResponse.fromJSON(element);
    };
    const sent = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "a" }] };
    const [theirs] = await sdk({ sendMessageStream: events() }).elements("message/stream", { message: sent });
    const ours = v03.element("SendStreamingMessage", element) as object;
    expect(theirs).toEqual({ ...ours, final: false });
    expect(ours).toMatchObject({ final: true });
  });

  test("but not for data that is null, which it refuses to write", async () => {
    const said = { messageId: "m", role: "ROLE_AGENT", parts: [{ data: null }] };
    const sent = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "a" }] };
    const { result } = sdk({ sendMessage: SdkMessage.fromJSON(said) });
    expect(await result("message/send", { message: sent })).toBeUndefined();
    expect(v03.result("SendMessage", { message: said })).toMatchObject({
      parts: [{ kind: "data", data: { value: null }, metadata: { data_part_compat: true } }],
    });
  });

  test("for configurations of push notifications", async () => {
    await fc.assert(
      fc.asyncProperty(pushConfig, async (config) => {
        const answer = SdkPushConfig.fromJSON(config);
        const { result } = sdk({
          createTaskPushNotificationConfig: answer,
          getTaskPushNotificationConfig: answer,
          listTaskPushNotificationConfigs: { configs: [answer], nextPageToken: "" },
          deleteTaskPushNotificationConfig: undefined,
        });
        const written = v03.result("CreateTaskPushNotificationConfig", config);
        const set = "tasks/pushNotificationConfig/set";
        expect(await result(set, written)).toEqual(written);
        const named = { id: "t", pushNotificationConfigId: "c" };
        expect(await result("tasks/pushNotificationConfig/get", named)).toEqual(written);
        expect(await result("tasks/pushNotificationConfig/list", { id: "t" })).toEqual([written]);
        expect(await result("tasks/pushNotificationConfig/delete", named)).toBe(
          v03.result("DeleteTaskPushNotificationConfig", {}),
        );
      }),
      { numRuns: 50 },
    );
  });

  test("for the extended card", async () => {
    const { result } = sdk({ getAuthenticatedExtendedAgentCard: SdkAgentCard.fromJSON(CARD) });
    const theirs = await result("agent/getAuthenticatedExtendedCard", {});
    const ours = v03.result("GetExtendedAgentCard", CARD) as object;
    // The version that 0.3's own schema gives has a patch; a card of the SDK repeats that of the interface.
    expect(theirs).toEqual({ ...(overJson(ours) as object), protocolVersion: "0.3" });
    expect(ours).toMatchObject({ protocolVersion: "0.3.0" });
  });
});

describe("the SDK reads the same request", () => {
  async function read(method: string, standard: StandardMethod, params: unknown) {
    const { requests, result } = sdk({ sendMessage: Task.fromJSON({ id: "t", status: {} }) });
    await result(method, params);
    const ours = await v03.params(standard, params, asker);
    return { theirs: requests[0], ours };
  }

  test("from a message and its configuration", async () => {
    const configuration = fc.record(
      {
        blocking: fc.boolean(),
        historyLength: fc.nat(9),
        acceptedOutputModes: fc.array(fc.string(), { minLength: 1, maxLength: 2 }),
        pushNotificationConfig: pushConfig.map(
          (config) =>
            (v03.result("GetTaskPushNotificationConfig", config) as Record<string, unknown>)[
              "pushNotificationConfig"
            ],
        ),
      },
      { requiredKeys: ["blocking"] },
    );
    await fc.assert(
      fc.asyncProperty(message, configuration, async (said, given) => {
        const params = overJson({
          message: v03.result("SendMessage", { message: said }),
          configuration: given,
        });
        const { theirs, ours } = await read("message/send", "SendMessage", params);
        expect(SendMessageRequest.toJSON(SendMessageRequest.fromJSON(ours))).toEqual(
          SendMessageRequest.toJSON(theirs as SendMessageRequest),
        );
      }),
    );
  });

  test("but not from a configuration that leaves blocking out: it does not wait then, we do", async () => {
    const sent = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "a" }] };
    const { theirs, ours } = await read("message/send", "SendMessage", { message: sent, configuration: {} });
    expect(theirs).toMatchObject({ configuration: { returnImmediately: true } });
    expect(ours).toMatchObject({ configuration: {} });
    expect(ours).not.toHaveProperty("configuration.returnImmediately");
  });
});

describe("the SDK's codecs of A2A 1.0", () => {
  test("read what we write and write it back the same, but for what is false", () => {
    fc.assert(
      fc.property(task, streamResponse, (done, element) => {
        expect(Task.toJSON(Task.fromJSON(done))).toEqual(done);
        const back = StreamResponse.toJSON(StreamResponse.fromJSON(element)) as Record<string, unknown>;
        expect(StreamResponse.fromJSON(back)).toEqual(StreamResponse.fromJSON(element));
      }),
    );
  });
});
