import { PassThrough } from "node:stream";
import {
  type Dispatcher,
  encodeFrame,
  FrameDecoder,
  type Principal,
  type RequestId,
  success,
} from "@cleveragents/protocol";
import { createStreamTransport } from "@cleveragents/transport-stdio/client";
import { type Connection as Served, serveConnection } from "@cleveragents/transport-stdio/server";
import { type Exchanged, harnessOf, type OpenHarness, type Parameters } from "./harness.ts";
import { lowerCased } from "./over-json.ts";

/** How long a message that is sent alone may take to be answered after its input has ended. */
const PATIENCE_MS = 60_000;

/** The stdio binding over in-memory pipes. */
export const stdio: OpenHarness = async ({ dispatcher }) => {
  const served: Served[] = [];
  const broken: unknown[] = [];
  const serve = (principal: Principal) => {
    const pipes = pipePair(dispatcher, principal, (error) => broken.push(error));
    served.push(pipes.connection);
    return pipes;
  };
  return harnessOf({
    supports: { batchParameters: "each", stdio: true },
    connect(principal) {
      const { toServer, toClient } = serve(principal);
      return {
        transport: createStreamTransport({ input: toClient, output: toServer }),
        exchange: (message, parameters) => exchange(serve(principal), message, parameters),
        follow: (message, parameters) => follow(serve(principal), message, parameters),
      };
    },
    async close() {
      await Promise.all(served.map((connection) => connection.close()));
      if (broken.length > 0) throw new AggregateError(broken, "the server was told of errors");
    },
  });
};

interface Pipes {
  readonly toServer: PassThrough;
  readonly toClient: PassThrough;
  readonly connection: Served;
}

function pipePair(dispatcher: Dispatcher, principal: Principal, onError: (error: unknown) => void): Pipes {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const connection = serveConnection({
    dispatcher,
    input: toServer,
    output: toClient,
    principal,
    limits: { drainMs: PATIENCE_MS },
    onError,
  });
  return { toServer, toClient, connection };
}

/** A connection of its own for one message: whatever comes back before it ends belongs to it. */
async function exchange(
  { toServer, toClient, connection }: Pipes,
  message: string | Uint8Array,
  parameters: Parameters,
): Promise<Exchanged> {
  toServer.write(frameOf(message, parameters));
  toServer.end();
  const decoder = new FrameDecoder({ framing: "length" });
  const messages: unknown[] = [];
  reading: for await (const chunk of toClient) {
    decoder.push(chunk as Uint8Array);
    for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
      messages.push(JSON.parse(new TextDecoder().decode(frame)));
      if (isElement(messages[0])) break reading;
    }
  }
  await connection.close();
  if (messages.length > 1)
    throw new Error(`one message was answered with ${messages.length}: ${JSON.stringify(messages)}`);
  return exchangedOf(messages[0]);
}

/** A connection of its own for one stream: its notifications, until the response ends it. */
async function* follow(
  { toServer, toClient, connection }: Pipes,
  message: string,
  parameters: Parameters,
): AsyncGenerator<unknown> {
  toServer.write(frameOf(message, parameters));
  const decoder = new FrameDecoder({ framing: "length" });
  let elements = 0;
  try {
    for await (const chunk of toClient) {
      decoder.push(chunk as Uint8Array);
      for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
        const received = JSON.parse(new TextDecoder().decode(frame)) as unknown;
        const ends = !isElement(received);
        if (!ends) elements++;
        if (!ends || elements === 0 || (isObject(received) && "error" in received))
          yield exchangedOf(received).answer;
        if (ends) return;
      }
    }
  } finally {
    await connection.close();
  }
}

function frameOf(message: string | Uint8Array, parameters: Parameters): Uint8Array {
  if (typeof message === "string") return encodeFrame("length", withParameters(message, parameters));
  return Buffer.concat([Buffer.from(`${message.length}\n`), message]);
}

/** The text is left alone but for the member that the parameters ride in. */
function withParameters(text: string, parameters: Parameters): string {
  const trimmed = text.trim();
  if (Object.keys(parameters).length === 0) return text;
  if (/^\{\s*"/.test(trimmed)) return `{"a2a":${JSON.stringify(parameters)},${trimmed.slice(1)}`;
  if (!trimmed.startsWith("[")) return text;
  try {
    return JSON.stringify(
      (JSON.parse(text) as unknown[]).map((entry) =>
        isObject(entry) ? { a2a: parameters, ...entry } : entry,
      ),
    );
  } catch {
    return text;
  }
}

function exchangedOf(message: unknown): Exchanged {
  if (Array.isArray(message))
    return { answer: message.map((entry) => exchangedOf(entry).answer), parameters: {} };
  if (!isObject(message)) return { answer: message, parameters: {} };
  const { a2a, ...rest } = message;
  const parameters = isObject(a2a) ? lowerCased(a2a as Record<string, string>) : {};
  if (!isElement(message)) return { answer: rest, parameters };
  const { params } = message;
  if (message.method === STREAM)
    return { answer: success(params["id"] as RequestId, params["result"]), parameters };
  const { requestId, sequence: _, state: __, ...result } = params;
  return { answer: success(requestId as RequestId, result), parameters };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const STREAM = "$/stream";

/** An element of a stream: A2A 1.0's notification, or one of those that are named for what they carry. */
function isElement(
  value: unknown,
): value is { readonly method: string; readonly params: Readonly<Record<string, unknown>> } {
  if (!isObject(value) || !isObject(value["params"])) return false;
  const { method } = value;
  return method === STREAM || (typeof method === "string" && method.startsWith("task/"));
}
