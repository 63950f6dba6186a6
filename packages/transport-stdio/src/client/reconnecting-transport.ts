import type {
  ClientTransport,
  JsonRpcRequest,
  JsonRpcResponse,
  SendOptions,
  StreamFrame,
} from "@cleveragents/protocol";
import { TransportError } from "@cleveragents/protocol";
import type { StreamTransport } from "./stream-transport.ts";

/**
 * A transport that connects when it is needed and again after its connection was lost. What was in flight then fails
 * with CONNECTION_LOST: whether it was carried out is for the caller to find out, so nothing is sent twice. `onLost` is
 * told when a connection ends that was not closed on this side.
 */
export function createReconnectingTransport(
  connect: () => Promise<StreamTransport>,
  connected?: StreamTransport,
  onLost?: () => void,
): ClientTransport {
  return new ReconnectingTransport(connect, connected, onLost);
}

class ReconnectingTransport implements ClientTransport {
  readonly #connect: () => Promise<StreamTransport>;
  readonly #onLost: (() => void) | undefined;
  #current: Promise<StreamTransport> | undefined;
  #disposed = false;

  constructor(
    connect: () => Promise<StreamTransport>,
    connected: StreamTransport | undefined,
    onLost: (() => void) | undefined,
  ) {
    this.#connect = connect;
    this.#onLost = onLost;
    if (connected === undefined) return;
    this.#current = Promise.resolve(connected);
    this.#watch(connected);
  }

  async request(request: JsonRpcRequest, options: SendOptions): Promise<JsonRpcResponse> {
    const transport = await this.#transport();
    return await transport.request(request, options);
  }

  async *stream(request: JsonRpcRequest, options: SendOptions): AsyncGenerator<StreamFrame> {
    const transport = await this.#transport();
    yield* transport.stream(request, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    const transport = await this.#current?.catch(() => undefined);
    await transport?.[Symbol.asyncDispose]();
  }

  /** One connection for all callers, a new one when it is lost; a failed attempt fails those who waited for it. */
  async #transport(): Promise<StreamTransport> {
    const present = this.#current;
    const transport = await present;
    if (this.#disposed) {
      await transport?.[Symbol.asyncDispose]();
      throw new TransportError("NOT_CONNECTED", "the connection has been closed on this side");
    }
    if (transport?.isOpen === true) return transport;
    if (this.#current === present) {
      const connecting = this.#connect();
      this.#current = connecting;
      connecting.then(
        (connected) => this.#watch(connected),
        () => {
          if (this.#current === connecting) this.#current = undefined;
        },
      );
    }
    return await this.#transport();
  }

  #watch(transport: StreamTransport): void {
    void transport.closed.then(() => {
      if (!this.#disposed) this.#onLost?.();
    });
  }
}
