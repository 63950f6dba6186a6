import type { JsonRpcResponse, RequestId, TransportError } from "@cleveragents/protocol";
import type { StreamedElement } from "./incoming-message.ts";

/** A call that waits for its answer: one response, or elements and then a response. */
export interface PendingCall {
  readonly id: RequestId;
  /** An element of its stream. */
  element(element: StreamedElement, bytes: number): void;
  /** The peer's last word. */
  answer(response: JsonRpcResponse): void;
  fail(error: TransportError): void;
  /** It has as much as it should hold: reading pauses unless somebody else waits for what comes next. */
  readonly full: boolean;
  /** Its caller waits for what has not been read yet. */
  readonly waiting: boolean;
}

/** A call with one response. */
export class PendingRequest implements PendingCall {
  readonly id: RequestId;
  readonly full = false;
  readonly waiting = true;
  readonly #settled = Promise.withResolvers<JsonRpcResponse>();

  constructor(id: RequestId) {
    this.id = id;
    // It may fail before anybody waits.
    this.#settled.promise.catch(() => {});
  }

  get response(): Promise<JsonRpcResponse> {
    return this.#settled.promise;
  }

  /** A plain request has no elements: the peer confuses its calls. */
  element(): void {}

  answer(response: JsonRpcResponse): void {
    this.#settled.resolve(response);
  }

  fail(error: TransportError): void {
    this.#settled.reject(error);
  }
}
