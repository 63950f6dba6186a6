import type { Principal } from "./authenticator.ts";
import type { JsonRpcResponse, RequestId } from "./envelope/json-rpc.ts";
import type { ParsedMessage } from "./envelope/parse-message.ts";

/** What a transport knows about a call besides its text. */
export interface CallContext {
  readonly principal: Principal;
  /** A2A service parameters by lower-case name (`a2a-version`, `a2a-extensions`, `last-event-id`, `traceparent`). */
  readonly serviceParameters: Readonly<Record<string, string>>;
  readonly binding: "in-process" | "stdio" | "http";
  /** How the parameters and the result are written; JSON-RPC unless said otherwise. */
  readonly encoding?: "json-rpc" | "http+json";
  /** Fires when nobody waits for the answer any more. Ends a wait or a stream, never a task. */
  readonly signal: AbortSignal;
}

/** One element of a stream; `cursor` is `<taskId>:<seq>` and resumes after it, empty for what belongs to no task. */
export interface StreamElement {
  readonly cursor: string;
  readonly seq: number;
  readonly result: unknown;
  /**
   * Set where an element is a notification of its own: its method. `result` is then its parameters, and the cursor is
   * opaque.
   */
  readonly event?: string;
  /** The JSON of `result`, where whoever made the element keeps it for all who are sent the same. */
  json?(): string;
}

/** A result that is frozen never changes: whoever writes it down may keep the text. */
export type DispatchAnswer =
  /** A notification: nothing is sent. */
  | { readonly kind: "none" }
  | {
      readonly kind: "one";
      readonly response: JsonRpcResponse;
      readonly serviceParameters: ServiceParameters;
    }
  | {
      readonly kind: "batch";
      readonly responses: readonly JsonRpcResponse[];
      readonly serviceParameters: ServiceParameters;
    }
  /**
   * Elements follow until the iterator ends; then, where the binding has one, the final response is `end`. A throw of
   * the iterator is a `ProtocolError` already made into `failed(error)`. Returning the iterator early stops following.
   */
  | {
      readonly kind: "stream";
      readonly id: RequestId;
      readonly elements: AsyncIterable<StreamElement>;
      /** Where the elements are not A2A 1.0's or the platform's own: the version of A2A whose objects they are. */
      readonly version?: "0.3";
      /** Wraps what the iterator threw as the error response of this call. */
      readonly failed: (thrown: unknown) => JsonRpcResponse;
      readonly serviceParameters: ServiceParameters;
    };

/** Sent back with the answer, e.g. `A2A-Extensions` with what was activated. */
export type ServiceParameters = Readonly<Record<string, string>>;

/**
 * The one way into the product. Never throws: whatever goes wrong is an answer. A stream that cannot begin is an
 * ordinary error answer. Text is parsed by `parseMessage`; a transport that has parsed already hands that in.
 */
export interface Dispatcher {
  dispatch(message: string | Uint8Array | ParsedMessage, context: CallContext): Promise<DispatchAnswer>;
}
