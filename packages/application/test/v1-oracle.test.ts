import {
  Message as SdkMessage,
  TaskPushNotificationConfig as SdkPushConfig,
  SendMessageRequest,
  StreamResponse,
  Task,
} from "@a2a-js/sdk";
import {
  JsonRpcContentTypeNotSupportedError,
  JsonRpcPushNotificationNotSupportedError,
  JsonRpcTaskNotCancelableError,
  JsonRpcTaskNotFoundError,
  JsonRpcUnsupportedOperationError,
  JsonRpcVersionNotSupportedError,
} from "@a2a-js/sdk/errors";
import { type A2ARequestHandler, JsonRpcTransportHandler, ServerCallContext } from "@a2a-js/sdk/server";
import {
  type ErrorName,
  MASKED_SECRET,
  type MethodName,
  type MethodRow,
  methods,
  ProtocolError,
  toErrorObject,
} from "@cleveragents/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dialectFor } from "../src/wire/dialects/dialect-for.ts";
import * as arbitrary from "./arbitraries.ts";

const v1 = dialectFor("1.0");
const asker = { newId: () => "new", hasTask: async () => false };
const overJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

// The SDK takes a data part with null for a part without content.
const known = (value: unknown) => !JSON.stringify(value).includes('"data":null');
const message = arbitrary.message.filter(known);
const task = arbitrary.task.filter(known);
const streamResponse = arbitrary.streamResponse.filter(known);
// Secrets are never read back.
const pushConfig = arbitrary.pushConfig.map((config) => {
  const { token, authentication, ...rest } = config as Record<string, object | undefined>;
  return {
    ...rest,
    url: "https://example.com/hook",
    ...(token === undefined ? {} : { token: MASKED_SECRET }),
    ...(authentication === undefined
      ? {}
      : { authentication: { ...authentication, credentials: MASKED_SECRET } }),
  };
});

/** The SDK's 1.0 endpoint before an agent that always answers this. */
function sdk(answers: { readonly [M in keyof A2ARequestHandler]?: unknown }) {
  const requests: unknown[] = [];
  const handler = new Proxy(
    {},
    {
      get: (_, name: keyof A2ARequestHandler) => (request: unknown) => {
        requests.push(request);
        return answers[name];
      },
    },
  ) as A2ARequestHandler;
  const endpoint = new JsonRpcTransportHandler(handler);
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

/** What the method's own schema reads, as it would be written again. */
function written(method: MethodName, result: unknown): unknown {
  const row: MethodRow = methods[method];
  return overJson(row.result.parse(overJson(result)));
}

describe("what the SDK's 1.0 endpoint writes is what we write", () => {
  test("for tasks and messages", async () => {
    await fc.assert(
      fc.asyncProperty(task, message, async (done, said) => {
        const { result } = sdk({
          getTask: Task.fromJSON(done),
          cancelTask: Task.fromJSON(done),
          sendMessage: SdkMessage.fromJSON(said),
        });
        expect(await result("GetTask", { id: "t" })).toEqual(written("GetTask", done));
        expect(await result("CancelTask", { id: "t" })).toEqual(written("CancelTask", done));
        expect(await result("SendMessage", { message: said })).toEqual(
          written("SendMessage", { message: said }),
        );
      }),
      { numRuns: 60 },
    );
  });

  test("for the events of a stream, but for what is false, which it leaves out", async () => {
    await fc.assert(
      fc.asyncProperty(streamResponse, async (element) => {
        const events = async function* () {
          yield StreamResponse.fromJSON(element);
        };
        const [theirs] = await sdk({ resubscribe: events() }).elements("SubscribeToTask", { id: "t" });
        const ours = written("SubscribeToTask", element) as { artifactUpdate?: Record<string, unknown> };
        for (const name of ["append", "lastChunk"])
          if (ours.artifactUpdate?.[name] === false) delete ours.artifactUpdate[name];
        expect(theirs).toEqual(ours);
      }),
    );
  });

  test("for configurations of push notifications", async () => {
    await fc.assert(
      fc.asyncProperty(pushConfig, async (config) => {
        const answer = SdkPushConfig.fromJSON(config);
        const { result } = sdk({ getTaskPushNotificationConfig: answer });
        expect(await result("GetTaskPushNotificationConfig", { taskId: "t", id: "c" })).toEqual(
          written("GetTaskPushNotificationConfig", config),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe("the SDK reads the same request", () => {
  const snake = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(snake);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        name === "metadata" || name === "data" ? member : snake(member),
      ]),
    );
  };
  const configuration = fc.record(
    {
      returnImmediately: fc.boolean(),
      historyLength: fc.nat(9),
      acceptedOutputModes: fc.array(fc.string(), { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: [] },
  );

  test.each([
    ["camelCase", (params: unknown) => params],
    ["the names of the proto", snake],
  ])("in %s", async (_, spell) => {
    await fc.assert(
      fc.asyncProperty(message, configuration, async (said, given) => {
        const params = spell(overJson({ message: { ...said, role: "ROLE_USER" }, configuration: given }));
        const { requests, result } = sdk({ sendMessage: Task.fromJSON({ id: "t", status: {} }) });
        await result("SendMessage", params);
        const ours = await v1.params("SendMessage", params, asker);
        expect(SendMessageRequest.toJSON(SendMessageRequest.fromJSON(ours))).toEqual(
          SendMessageRequest.toJSON(requests[0] as SendMessageRequest),
        );
        expect(methods.SendMessage.params.safeParse(ours).error?.issues ?? []).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("an error has the SDK's code, reason and domain", () => {
  const pairs: readonly [ErrorName, typeof JsonRpcTaskNotFoundError][] = [
    ["TaskNotFound", JsonRpcTaskNotFoundError],
    ["TaskNotCancelable", JsonRpcTaskNotCancelableError],
    ["PushNotificationNotSupported", JsonRpcPushNotificationNotSupportedError],
    ["UnsupportedOperation", JsonRpcUnsupportedOperationError],
    ["ContentTypeNotSupported", JsonRpcContentTypeNotSupportedError],
    ["VersionNotSupported", JsonRpcVersionNotSupportedError],
  ];
  test.each(pairs)("%s", (name, SdkError) => {
    const theirs = JsonRpcTransportHandler.mapToJSONRPCError(new SdkError());
    const ours = toErrorObject(new ProtocolError(name), {
      family: "a2a",
      requestId: "r",
      timestamp: "2026-01-02T03:04:05.678Z",
    });
    const [info] = ours.data as { reason: string; domain: string }[];
    const [theirInfo] = (theirs.data ?? []) as { reason?: string; domain?: string }[];
    expect([ours.code, info?.reason, info?.domain]).toEqual([
      theirs.code,
      theirInfo?.reason,
      theirInfo?.domain,
    ]);
  });
});
