import type { JsonRpcRequest, JsonRpcResponse } from "../envelope/json-rpc.ts";

export interface SendOptions {
  /** A2A service parameters, in any case. */
  readonly serviceParameters: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** One message of a stream. `cursor` is the event's id where the binding carries one. */
export interface StreamFrame {
  readonly cursor?: string | undefined;
  /** The method of a notification that the element is; its parameters are the response's result. */
  readonly event?: string | undefined;
  readonly response: JsonRpcResponse;
}

/** Moves requests of a client; knows nothing of methods. Throws {@link TransportError} when nothing could be learnt. */
export interface ClientTransport extends AsyncDisposable {
  request(request: JsonRpcRequest, options: SendOptions): Promise<JsonRpcResponse>;
  /**
   * Frames until the peer ends the stream. A refusal is one frame with an error. A connection that breaks before the
   * peer's end throws `TransportError` CONNECTION_LOST. Leaving the iterator early tells the peer to stop.
   */
  stream(request: JsonRpcRequest, options: SendOptions): AsyncIterable<StreamFrame>;
}
