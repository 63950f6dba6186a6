import {
  type CallContext,
  type CallMessage,
  type DispatchAnswer,
  FrameDecoder,
  FramingError,
  type InvalidMessage,
  type JsonRpcResponse,
  type ParsedMessage,
  parseMessage,
  type RequestId,
  type ServiceParameters,
  success,
} from "@cleveragents/protocol";
import { FrameReader } from "../frames/frame-reader.ts";
import { FrameWriter } from "../frames/frame-writer.ts";
import { settlesWithin } from "../settles-within.ts";
import { Call, type Deliver, withParameters } from "./call.ts";
import { CallQueue } from "./call-queue.ts";
import { cancelledId } from "./cancel-request.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { Connection, ServeConnectionOptions } from "./serve-connection.ts";
import { streamNotification } from "./stream-notification.ts";
import { transportFailure } from "./transport-failure.ts";

type Entry = CallMessage | InvalidMessage;
type StreamAnswer = Extract<DispatchAnswer, { kind: "stream" }>;

interface Options extends Required<Omit<ServeConnectionOptions, "limits" | "onError">> {
  readonly limits: ConnectionLimits;
  readonly onError: (error: unknown) => void;
}

/** One connection from its first byte to its end. */
export class ServedConnection implements Connection {
  readonly closed: Promise<void>;
  readonly #options: Options;
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;
  readonly #queue: CallQueue;
  readonly #calls = new Set<Call>();
  readonly #byId = new Map<RequestId, Call>();
  #begun = 0;
  #closing = false;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: Options) {
    const { limits, input, output } = options;
    const decoder = new FrameDecoder({ limits: limits.framing });
    this.#options = options;
    this.#reader = new FrameReader(input, decoder);
    this.#writer = new FrameWriter(output, () => decoder.framing ?? "newline");
    this.#queue = new CallQueue({ ...limits, maxWaitingBytes: limits.message.maxBytes });
    this.closed = this.#run();
    void this.#writer.gone.then(() => this.#abandon());
  }

  get calls(): { readonly open: number; readonly begun: number } {
    return { open: this.#calls.size, begun: this.#begun };
  }

  async close(graceMs = 0): Promise<void> {
    this.#closing = true;
    await this.#settled(graceMs);
    this.#stopAll((call) => (call.streaming ? success(call.id ?? null, {}) : shuttingDown(call)));
    this.#reader.stop();
    await this.closed;
  }

  async #run(): Promise<void> {
    const { drainMs } = this.#options.limits;
    try {
      await this.#reader.run((frame) => this.#receive(frame));
    } catch (error) {
      if (error instanceof FramingError) this.#refuse(error);
      else this.#abandon();
    }
    await this.#settled(drainMs);
    this.#stopAll((call) => cancelled(call, "The input ended before this call did"));
    await settlesWithin(drainMs, this.#writer.end());
    // An output that took everything is left to its reader; a socket goes with the input, now that all is written.
    if (!this.#options.output.writableFinished) this.#options.output.destroy();
    this.#options.input.destroy();
  }

  #receive(frame: Uint8Array): Promise<void> | undefined {
    const message = parseMessage(frame, this.#options.limits.message);
    if (message.kind === "batch") return this.#receiveBatch(message.entries, frame.length);
    return this.#begin(message, frame.length, (json) => this.#send(json));
  }

  /** Each entry is a call of its own, with its own service parameters; the answers leave together, in their order. */
  async #receiveBatch(entries: readonly Entry[], bytes: number): Promise<void> {
    const responses = new Array<string | undefined>(entries.length);
    let missing = entries.length;
    for (const [index, entry] of entries.entries()) {
      const deliver: Deliver = (json) => {
        responses[index] = json;
        missing--;
        const answers = missing > 0 ? [] : responses.filter((answer) => answer !== undefined);
        return answers.length === 0 ? undefined : this.#writer.write(`[${answers.join(",")}]`);
      };
      await this.#begin(entry, bytes / entries.length, deliver, "batch");
    }
  }

  /** Takes a call in; the promise is the input's to wait for. */
  #begin(entry: Entry, bytes: number, deliver: Deliver, from?: "batch"): Promise<void> | undefined {
    const request = entry.kind === "call" ? entry.request : undefined;
    const toCancel = request === undefined ? undefined : cancelledId(request);
    if (toCancel !== undefined) {
      const call = this.#byId.get(toCancel);
      call?.stop(cancelled(call));
      return deliver(undefined);
    }
    // Asks whether anybody is here, which nobody else needs to know.
    if (request?.method === "$/ping" && request.id !== undefined)
      return deliver(JSON.stringify(success(request.id, {})));
    if (request?.id !== undefined && this.#byId.has(request.id)) {
      const message = "a request with this id is still in flight";
      return this.#begin(
        { kind: "invalid", id: request.id, error: "InvalidRequest", message },
        bytes,
        deliver,
        from,
      );
    }
    const call = new Call({
      id: entry.kind === "call" ? entry.request.id : entry.id,
      method: request?.method ?? "",
      deliver,
      onSettled: (settled) => this.#forget(settled),
    });
    this.#calls.add(call);
    this.#begun++;
    if (request?.id !== undefined) this.#byId.set(request.id, call);
    if (this.#closing) return call.settle(shuttingDown(call));
    const parameters = lowerCased(request?.a2a);
    const message: ParsedMessage = from === "batch" ? { kind: "batch", entries: [entry] } : entry;
    return this.#queue.add(bytes, () => this.#perform(call, message, parameters));
  }

  async #perform(call: Call, message: ParsedMessage, serviceParameters: ServiceParameters): Promise<void> {
    if (call.settled) return;
    const { dispatcher, principal, onError } = this.#options;
    const context: CallContext = { principal, serviceParameters, binding: "stdio", signal: call.signal };
    try {
      const answer = await dispatcher.dispatch(message, context);
      if (answer.kind === "stream") await this.#follow(call, answer);
      else if (answer.kind === "one") await call.settle(answer.response, answer.serviceParameters);
      else if (answer.kind === "batch") await call.settle(answer.responses[0], answer.serviceParameters);
      else await call.settle();
    } catch (error) {
      onError(error);
      await call.settle(
        call.id === undefined ? undefined : transportFailure(call.id, call.method, "InternalError"),
      );
    }
  }

  /** Pulls the next element when the last one has been taken, and stops when nobody waits any more. */
  async #follow(call: Call, stream: StreamAnswer): Promise<void> {
    const { id, elements, serviceParameters, version } = stream;
    let ending: JsonRpcResponse = success(id, {});
    let first = true;
    call.streaming = true;
    try {
      // Cancelled before it began: the dispatcher has looked at the first element and holds it open.
      if (call.settled) await elements[Symbol.asyncIterator]().return?.();
      else {
        for await (const element of elements) {
          if (call.settled) break;
          const notification = streamNotification(id, element, version);
          // What was activated is known before the first element is read, not only at the end.
          const message = first ? withParameters(notification, serviceParameters) : notification;
          await this.#writer.write(JSON.stringify(message));
          first = false;
          if (call.settled) break;
        }
      }
    } catch (thrown) {
      ending = stream.failed(thrown);
    }
    await call.settle(ending, serviceParameters);
  }

  #send(json: string | undefined): Promise<void> | undefined {
    return json === undefined ? undefined : this.#writer.write(json);
  }

  /** What cannot be cut into messages is answered once, by the dispatcher like every error, and ends the connection. */
  #refuse({ reason, message }: FramingError): void {
    const error = reason === "TOO_LARGE" ? "RequestTooLarge" : "ParseError";
    void this.#begin({ kind: "invalid", id: null, error, message }, 0, (json) => this.#send(json));
  }

  #forget(call: Call): void {
    this.#calls.delete(call);
    if (call.id !== undefined && this.#byId.get(call.id) === call) this.#byId.delete(call.id);
    if (this.#calls.size > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  /** When every call has been answered, or after so many milliseconds. */
  async #settled(ms: number): Promise<void> {
    if (this.#calls.size === 0) return;
    this.#idle ??= Promise.withResolvers<void>();
    await settlesWithin(ms, this.#idle.promise);
  }

  #stopAll(answer: (call: Call) => JsonRpcResponse | undefined): void {
    for (const call of this.#calls) call.stop(call.id === undefined ? undefined : answer(call));
  }

  /** Nobody reads the answers: all of it stops. */
  #abandon(): void {
    this.#stopAll(() => undefined);
    this.#reader.stop();
  }
}

function cancelled(call: Call, message?: string): JsonRpcResponse | undefined {
  if (call.id === undefined) return undefined;
  return transportFailure(call.id, call.method, "RequestCancelled", message === undefined ? {} : { message });
}

function shuttingDown(call: Call): JsonRpcResponse | undefined {
  return call.id === undefined ? undefined : transportFailure(call.id, call.method, "ShuttingDown");
}

function lowerCased(parameters: ServiceParameters = {}): ServiceParameters {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name.toLowerCase(), value]));
}
