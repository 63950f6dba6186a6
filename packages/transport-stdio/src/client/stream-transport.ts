import type { Readable, Writable } from "node:stream";
import {
  type ClientTransport,
  FrameDecoder,
  FramingError,
  type FramingLimits,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type RequestId,
  type SendOptions,
  type StdioFraming,
  type StreamFrame,
  success,
  TransportError,
} from "@cleveragents/protocol";
import { FrameReader } from "../frames/frame-reader.ts";
import { FrameWriter } from "../frames/frame-writer.ts";
import { settlesWithin } from "../settles-within.ts";
import { type IncomingMessage, readIncoming } from "./incoming-message.ts";
import { type PendingCall, PendingRequest } from "./pending-call.ts";
import { PendingStream } from "./pending-stream.ts";

export interface StreamTransportOptions {
  readonly input: Readable;
  /** May be the same stream as `input`, e.g. a socket. */
  readonly output: Writable;
  /** What is sent and expected; `length` by default. */
  readonly framing?: StdioFraming | undefined;
  readonly limits?: FramingLimits | undefined;
  /** What is known about the end of the connection, for the error's text; waited for. */
  readonly describeEnd?: (() => Promise<string>) | undefined;
  /** Ends both streams in place of the default. */
  readonly close?: (() => Promise<void>) | undefined;
}

/** A client's transport over one connection. */
export interface StreamTransport extends ClientTransport {
  /** Settles when nothing can be sent or received any more. */
  readonly closed: Promise<void>;
  readonly isOpen: boolean;
}

/** How long a peer that takes nothing any more may still have answers on the way. */
const LAST_WORDS_MS = 1000;

const OUR_LIMITS: FramingLimits = { maxMessageBytes: 256 * 1024 * 1024, maxHeaderBytes: 8 * 1024 };

/** Speaks the stdio binding (`docs/bindings/stdio.md`) over a pair of streams, which it owns. */
export function createStreamTransport(options: StreamTransportOptions): StreamTransport {
  return new DuplexTransport(options);
}

class DuplexTransport implements StreamTransport {
  readonly closed: Promise<void>;
  readonly #options: StreamTransportOptions;
  readonly #framing: StdioFraming;
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;
  readonly #calls = new Map<RequestId, PendingCall>();
  /** Why nothing more can be sent. */
  #end: TransportError | undefined;
  #disposed = false;
  /** What the peer said to nobody in particular, usually before it hangs up. */
  #complaint: string | undefined;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(options: StreamTransportOptions) {
    this.#options = options;
    this.#framing = options.framing ?? "length";
    this.#reader = new FrameReader(
      options.input,
      new FrameDecoder({ framing: this.#framing, limits: options.limits ?? OUR_LIMITS }),
    );
    this.#writer = new FrameWriter(options.output, () => this.#framing);
    this.closed = this.#run();
    void this.#writer.gone.then(() => setTimeout(() => this.#reader.stop(), LAST_WORDS_MS).unref());
  }

  get isOpen(): boolean {
    return this.#end === undefined && !this.#disposed && this.#writer.open;
  }

  async request(
    request: JsonRpcRequest,
    { serviceParameters, signal }: SendOptions,
  ): Promise<JsonRpcResponse> {
    if (request.id === undefined) {
      this.#checkOpen(signal);
      this.#send(request, serviceParameters);
      return success(null, null); // nothing answers a notification
    }
    const call = new PendingRequest(this.#idOf(request));
    const release = this.#open(call, signal, (error) => call.fail(error));
    try {
      this.#send(request, serviceParameters);
      return await call.response;
    } finally {
      release();
    }
  }

  async *stream(
    request: JsonRpcRequest,
    { serviceParameters, signal }: SendOptions,
  ): AsyncGenerator<StreamFrame> {
    const id = this.#idOf(request);
    const call: PendingStream = new PendingStream(id, {
      onChange: () => this.#readOn(),
      onOverflow: () => this.#cancel(call),
    });
    const release = this.#open(call, signal, (error) => call.abandon(error));
    try {
      this.#send(request, serviceParameters);
      for (let frame = await call.next(); frame !== undefined; frame = await call.next()) yield frame;
    } finally {
      // Left early, by a break or a throw: the peer is told. Otherwise it has gone from the list already.
      this.#cancel(call);
      release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    const waiting = [...this.#calls.values()];
    // Told one by one: the end of our side alone would let the peer finish them first.
    for (const call of waiting) this.#cancel(call);
    const closed = new TransportError("ABORTED", "the connection was closed on this side");
    for (const call of waiting) call.fail(closed);
    // Reading goes on meanwhile: a peer that cannot write does not end.
    if (this.#options.close !== undefined) await this.#options.close();
    else if (!(await settlesWithin(LAST_WORDS_MS, this.#writer.end()))) this.#options.output.destroy();
    this.#reader.stop();
    await this.closed;
  }

  #idOf(request: JsonRpcRequest): RequestId {
    const { id } = request;
    if (id === undefined) throw new TypeError("a stream needs an id: nothing answers a notification");
    if (this.#calls.has(id))
      throw new TypeError(`a request with the id ${JSON.stringify(id)} is still in flight`);
    return id;
  }

  #checkOpen(signal: AbortSignal | undefined): void {
    if (this.#disposed)
      throw new TransportError("NOT_CONNECTED", "the connection has been closed on this side");
    if (this.#end !== undefined)
      throw new TransportError(this.#end.reason, this.#end.message, { cause: this.#end });
    if (!this.#writer.open) throw new TransportError("CONNECTION_LOST", "the peer takes no more requests");
    if (signal?.aborted === true)
      throw new TransportError("ABORTED", "the caller gave up", { cause: signal.reason });
  }

  /** Puts a call on the list until `release` is called; an abort fails it and tells the peer. */
  #open(
    call: PendingCall,
    signal: AbortSignal | undefined,
    fail: (error: TransportError) => void,
  ): () => void {
    this.#checkOpen(signal);
    const abort = () => {
      fail(new TransportError("ABORTED", "the caller gave up", { cause: signal?.reason }));
      this.#cancel(call);
    };
    signal?.addEventListener("abort", abort);
    this.#calls.set(call.id, call);
    this.#readOn();
    return () => {
      signal?.removeEventListener("abort", abort);
      this.#forget(call);
    };
  }

  #send(request: JsonRpcRequest, parameters: SendOptions["serviceParameters"]): void {
    const a2a = { ...request.a2a, ...parameters };
    void this.#writer.write(JSON.stringify(Object.keys(a2a).length === 0 ? request : { ...request, a2a }));
  }

  /** Tells the peer that nobody waits for this call any more; its late answer is ignored. */
  #cancel(call: PendingCall): void {
    if (!this.#forget(call)) return;
    void this.#writer.write(
      JSON.stringify({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: call.id } }),
    );
  }

  #forget(call: PendingCall): boolean {
    const known = this.#calls.get(call.id) === call && this.#calls.delete(call.id);
    if (known) this.#readOn();
    return known;
  }

  async #run(): Promise<void> {
    let broken: unknown;
    try {
      await this.#reader.run((frame) => this.#receive(frame));
    } catch (error) {
      broken = error;
    }
    if (!this.#disposed) this.#failAll(await this.#reasonOf(broken));
    await this.#writer.end();
    this.#options.input.destroy();
  }

  #receive(frame: Uint8Array): Promise<void> | undefined {
    for (const message of readIncoming(frame, this.#framing)) this.#handle(message, frame.length);
    if (this.#mayRead()) return undefined;
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  #handle(message: IncomingMessage, bytes: number): void {
    if (message.kind === "element") {
      this.#calls.get(message.id)?.element(message, bytes);
      return;
    }
    const call = this.#calls.get(message.id) ?? this.#meant(message);
    if (call === undefined) {
      if (message.kind === "answer" && message.id === null) this.#complaint = complaintOf(message.response);
      return;
    }
    if (message.kind === "answer" && (message.id === call.id || message.id === null)) {
      call.answer(message.response);
      this.#forget(call);
      return;
    }
    const problem = message.kind === "malformed" ? message.message : wrongId(message.id, call.id);
    call.fail(new TransportError("BAD_RESPONSE", problem));
    this.#cancel(call);
  }

  /** The call of an answer whose id is none of ours: written differently, or null where only one call can be meant. */
  #meant(message: IncomingMessage): PendingCall | undefined {
    const [only] = this.#calls.values();
    if (message.kind === "answer" && message.id === null && "error" in message.response) {
      return this.#calls.size === 1 ? only : undefined;
    }
    return [...this.#calls.values()].find(
      (call) => message.id !== null && String(call.id) === String(message.id),
    );
  }

  /** Reading pauses for a full stream, but never while somebody waits for what comes after it. */
  #mayRead(): boolean {
    let full = false;
    for (const call of this.#calls.values()) {
      if (call.waiting) return true;
      full ||= call.full;
    }
    return !full;
  }

  #readOn(): void {
    if (this.#room === undefined || !this.#mayRead()) return;
    this.#room.resolve();
    this.#room = undefined;
  }

  async #reasonOf(broken: unknown): Promise<TransportError> {
    const end = await this.#options.describeEnd?.();
    const told = [end, this.#complaint].filter((text) => text !== undefined && text !== "");
    const cause = broken === undefined ? {} : { cause: broken };
    if (broken instanceof FramingError) {
      return new TransportError(
        "BAD_RESPONSE",
        ["the peer sent no messages", broken.message, ...told].join(": "),
        cause,
      );
    }
    return new TransportError(
      "CONNECTION_LOST",
      ["the peer ended the connection", ...told].join(": "),
      cause,
    );
  }

  #failAll(error: TransportError): void {
    this.#end ??= error;
    for (const call of [...this.#calls.values()]) {
      call.fail(error);
      this.#calls.delete(call.id);
    }
    this.#readOn();
  }
}

function wrongId(id: RequestId, expected: RequestId): string {
  return `the answer carries the id ${JSON.stringify(id)} where the request has ${JSON.stringify(expected)}`;
}

function complaintOf(response: JsonRpcResponse): string | undefined {
  return "error" in response && typeof response.error?.message === "string"
    ? response.error.message
    : undefined;
}
