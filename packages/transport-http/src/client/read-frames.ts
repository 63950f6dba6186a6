import {
  parseJson,
  type RequestId,
  SseDecoder,
  type SseEvent,
  type StreamFrame,
  success,
  TransportError,
} from "@cleveragents/protocol";
import type { Exchange } from "./exchange.ts";
import { isJsonRpc } from "./read-response.ts";

export interface FrameLimits {
  readonly maxMessageLength: number;
  readonly idleTimeoutMs: number | undefined;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** The frames of an event stream until its end. */
export async function* readFrames(
  exchange: Exchange,
  response: Response,
  limits: FrameLimits,
  id: RequestId,
): AsyncGenerator<StreamFrame> {
  for await (const event of readEvents(exchange, response, limits)) yield toFrame(event, id);
}

/** The events of a stream that carry something. Its end inside an event is a loss, as is a broken connection. */
export async function* readEvents(
  exchange: Exchange,
  response: Response,
  limits: FrameLimits,
): AsyncGenerator<SseEvent> {
  const reader = response.body?.getReader() as Reader | undefined; // the types of Node and of browsers differ
  const decoder = new SseDecoder({ maxEventLength: limits.maxMessageLength });
  for (;;) {
    const chunk = reader === undefined ? undefined : await readChunk(exchange, reader, limits.idleTimeoutMs);
    if (chunk === undefined) break;
    for (const event of decode(decoder, chunk)) {
      // Comments and empty data keep a stream alive; they carry nothing.
      if (event.data.trim() !== "") yield event;
    }
  }
  if (decoder.incomplete)
    throw new TransportError("CONNECTION_LOST", "the stream ended in the middle of an event");
}

/** The next piece of the body; undefined at its end. */
async function readChunk(
  exchange: Exchange,
  reader: Reader,
  idleTimeoutMs: number | undefined,
): Promise<Uint8Array | undefined> {
  try {
    return (await withinIdle(reader.read(), idleTimeoutMs)).value;
  } catch (error) {
    throw exchange.failure(error, "in the answer");
  }
}

function decode(decoder: SseDecoder, chunk: Uint8Array): readonly SseEvent[] {
  try {
    return decoder.push(chunk);
  } catch (error) {
    throw new TransportError("BAD_RESPONSE", (error as RangeError).message, { cause: error }); // the only error of push
  }
}

/** A notification in place of an answer belongs to the request that the stream answers. */
function toFrame({ id, data }: SseEvent, request: RequestId): StreamFrame {
  const cursor = id === undefined || id === "" ? {} : { cursor: id };
  const response = readEventData(data);
  if (isNotification(response))
    return { ...cursor, event: response.method, response: success(request, response.params) };
  if (!isJsonRpc(response))
    throw new TransportError("BAD_RESPONSE", "an event of the stream is no JSON-RPC answer");
  return { ...cursor, response };
}

export function readEventData(data: string): unknown {
  try {
    return parseJson(data);
  } catch (error) {
    throw new TransportError("BAD_RESPONSE", "an event of the stream is not JSON", { cause: error });
  }
}

function isNotification(json: unknown): json is { readonly method: string; readonly params: unknown } {
  if (typeof json !== "object" || json === null || !("method" in json) || "id" in json) return false;
  return typeof json.method === "string" && "params" in json;
}

async function withinIdle<T>(read: Promise<T>, idleTimeoutMs: number | undefined): Promise<T> {
  if (idleTimeoutMs === undefined) return read;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TransportError("CONNECTION_LOST", `nothing was heard for ${idleTimeoutMs} ms`)),
      idleTimeoutMs,
    );
  });
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}
