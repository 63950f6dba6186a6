import type { JsonRpcResponse, RequestId, ServiceParameters } from "@cleveragents/protocol";

/** Takes a call's answer as JSON, undefined where it gets none; a promise when there is no room for more. */
export type Deliver = (json: string | undefined) => Promise<void> | undefined;

export interface CallOptions {
  /** Undefined for a notification. */
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly deliver: Deliver;
  readonly onSettled: (call: Call) => void;
}

/** One request or notification from its arrival until it is answered. Only the first answer counts. */
export class Call {
  readonly id: RequestId | undefined;
  readonly method: string;
  /** Set when its elements have begun to flow. */
  streaming = false;
  readonly #deliver: Deliver;
  readonly #onSettled: (call: Call) => void;
  readonly #controller = new AbortController();
  #settled = false;

  constructor(options: CallOptions) {
    this.id = options.id;
    this.method = options.method;
    this.#deliver = options.deliver;
    this.#onSettled = options.onSettled;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Throws, and leaves the call open, when the response cannot be written as JSON. */
  settle(response?: JsonRpcResponse, parameters: ServiceParameters = {}): Promise<void> | undefined {
    if (this.#settled) return undefined;
    const json = response === undefined ? undefined : JSON.stringify(withParameters(response, parameters));
    this.#settled = true;
    const delivered = this.#deliver(json);
    this.#onSettled(this);
    return delivered;
  }

  /** Answers now, and tells the handler that nobody waits for it any more. */
  stop(response: JsonRpcResponse | undefined): void {
    if (this.#settled) return;
    void this.settle(response);
    this.#controller.abort();
  }
}

/** The envelope of a message with its service parameters, if there are any. */
export function withParameters<T extends object>(
  message: T,
  parameters: ServiceParameters,
): T & { a2a?: ServiceParameters } {
  return Object.keys(parameters).length === 0 ? message : { ...message, a2a: parameters };
}
